namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>How recordings are compared with the costs in a program's source.</summary>
public sealed class LineCostCheckTests
{
    private const string Source = "/source/KnownLineCosts.cs";

    /// <summary>Under load the runtime took three times as long as the line that it worked for.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(229)]
    public void Work_of_the_runtime_below_a_line_does_not_count(long ofRuntime)
    {
        var empty = new LineCostCheck([]);
        Assert.Equal(0, empty.Samples);
        var (loop, sums) = (empty.Lines[1].Line, empty.Lines.First(line => line.OrNone).Line);
        const int WithoutCost = 1;

        var check = new LineCostCheck([
            (0, "main", "", 0, 5),
            (1, "KnownLineCosts.Loops", Source, loop, 30),
            (2, "libcoreclr.so+?", "", 0, ofRuntime),
            (1, "KnownLineCosts.Sums", Source, sums, 0),
            (2, "KnownLineCosts.Chain", Source, WithoutCost, 90),
            (2, "KnownLineCosts.Sums", Source, sums, 10), // recursion counts once
        ]);

        Assert.Equal(130, check.Samples);
        Assert.Equal(30 / 130.0, check.Lines.Single(line => line.Line == loop).Measured);
        Assert.Equal(100 / 130.0, check.Lines.Single(line => line.Line == sums).Measured);
        Assert.Equal(130 / 130.0, check.Lines.Sum(line => line.Measured), 1e-12);
    }
}
