using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Lines;

public sealed class CodePointsTests
{
    private const int NoMapping = -1,
        Prolog = -2,
        Epilog = -3;

    /// <summary>A method's prolog, a statement, one of a method inlined into it, code without a mapping, the epilog.</summary>
    private static readonly CodePoints s_points = new([0, 4, 9, 15, 20, 30], [0, 0, 1, 0, 0, 0], [Prolog, 6, 2, NoMapping, 18, Epilog]);

    [Theory]
    [InlineData(0, 0)]
    [InlineData(3, 0)]
    [InlineData(4, 1)]
    [InlineData(14, 2)]
    [InlineData(500, 5)]
    public void An_offset_belongs_to_the_last_point_before_it(ulong offset, int point) => Assert.Equal(point, s_points.At(offset));

    [Theory]
    [InlineData(0, 0, 0)] // the prolog is the method's first line
    [InlineData(1, 0, 6)]
    [InlineData(2, 0, 6)] // inside of the inlined method: where its caller stood
    [InlineData(2, 1, 2)]
    [InlineData(3, 0, 6)]
    [InlineData(1, 1, null)]
    [InlineData(5, 0, int.MaxValue)]
    [InlineData(-1, 0, 0)]
    public void A_statement_is_the_one_that_stands_nearest_before(int point, int node, int? expected) =>
        Assert.Equal(expected, s_points.StatementOf(point, node));

    [Theory]
    [InlineData(0, 6, 18)]
    [InlineData(0, 18, int.MaxValue)]
    [InlineData(1, 2, int.MaxValue)]
    public void A_statement_ends_where_the_next_one_of_its_method_begins(int node, int statement, int expected) =>
        Assert.Equal(expected, s_points.NextStatement(node, statement));
}
