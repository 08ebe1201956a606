namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>How recordings are compared with the costs in a program's source.</summary>
public sealed class LineCostCheckTests
{
    private const string File = "/source/KnownLineCosts.cs";

    /// <summary>Under load the runtime took three times as long as the line that it worked for.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(229)]
    public void Work_of_the_runtime_below_a_line_does_not_count(long ofRuntime)
    {
        var loop = LineOf("few; link++) x = (x * 1_664_525) + 1_013_904_223; // cost 1");
        var sums = LineOf("sum += Outer(links, 1); // cost 2 or none");
        var chain = LineOf("x = (x * 1_664_525) + 1_013_904_223;", after: LineOf("private static uint Chain"));

        var check = new LineCostCheck([
            (0, "main", "", 0, 5),
            (1, "KnownLineCosts.Loops", File, loop, 30),
            (2, "libcoreclr.so+?", "", 0, ofRuntime),
            (1, "KnownLineCosts.Sums", File, sums, 0),
            (2, "KnownLineCosts.Chain", File, chain, 90),
            (2, "KnownLineCosts.Sums", File, sums, 10), // recursion counts once
        ]);

        Assert.Equal(130, check.Samples);
        Assert.Equal(30 / 130.0, check.Lines.Single(line => line.Line == loop).Measured);
        Assert.Equal(100 / 130.0, check.Lines.Single(line => line.Line == sums).Measured);
    }

    private static int LineOf(string text, int after = 0) =>
        System
            .IO.File.ReadLines(Path.Combine(TestFiles.Root, "tests", "TestProgram", "KnownLineCosts.cs"))
            .Select((line, index) => (Line: index + 1, IsMatch: line.Contains(text, StringComparison.Ordinal)))
            .First(line => line.IsMatch && line.Line > after)
            .Line;
}
