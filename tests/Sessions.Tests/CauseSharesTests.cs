using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>
/// Records a program that spends known shares of its time on reflection, Activator and plain work, each timed alone by its thread's clock,
/// and compares the matrix.
/// </summary>
/// <remarks>
/// A loop's own instructions take 1 to 4 % of a part (measured), whatever it calls; and reading the clock is a system call. GCs and
/// allocation belong to the Activator's parts: nothing else allocates.
/// </remarks>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class CauseSharesTests : IDisposable
{
    /// <summary>CPU time of each part.</summary>
    private const int PartMilliseconds = 600;

    /// <summary>Share of a part that its loop itself takes.</summary>
    private const double LoopShare = 0.08;

    private readonly string _root = Directory.CreateTempSubdirectory("esp-causes-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task Reflection_and_Activator_cost_what_the_program_measured()
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        using var output = new StringWriter();

        // Calls are counted from the first one on, so that the warm-up is over soon also on a loaded machine.
        var variables = new Dictionary<string, string> { ["DOTNET_TC_CallCountingDelayMs"] = "0" };
        var recorded = await BothHalves.RecordAsync(
            _root,
            output,
            variables,
            "inlining",
            PartMilliseconds.ToString(CultureInfo.InvariantCulture)
        );
        var times = Assert.Single(RunAnalysis.Run(TraceInputReader.Open([recorded.Folder]).Processes, []).Runs).Causes!;
        var words = output.ToString().Split([' ', '\n', '\r'], StringSplitOptions.RemoveEmptyEntries);
        var took = words.Chunk(2).ToDictionary(pair => pair[0], pair => double.Parse(pair[1], CultureInfo.InvariantCulture));

        var activator = times.Group(CauseCatalog.ActivatorGroup) + times.Group("GC");
        var report =
            $"own {times.Own}, reflection {times.Group(CauseCatalog.ReflectionGroup)}, Activator {times.Group(CauseCatalog.ActivatorGroup)}, GC {times.Group("GC")}, all {times.Serializer}; took {string.Join(' ', words)}";
        Assert.Equal(times.Serializer, times.Own + times.Causes.Sum());
        Check("reflection", times.Group(CauseCatalog.ReflectionGroup), took["fields"], LoopShare * took["fields"], 0);
        Check("Activator", activator, took["type"] + took["generic"], LoopShare * (took["type"] + took["generic"]), 0);
        Check("plain work", times.Own, took["plain"], 0, LoopShare * (took["fields"] + took["type"] + took["generic"]));
        Assert.True(times.Quality.ExpandedPercent > 25 && times.Quality.RecoveredPercent > 1, $"{times.Quality}");

        void Check(string part, long seen, double expected, double less, double more)
        {
            // A sample is 1 ms; the sum of all samples corresponds to the sum of all measured times.
            var scale = times.Serializer / took.Values.Sum();
            var (share, samples) = (expected / took.Values.Sum(), times.Samples);
            var error = Chance.OfShare(share, samples) * times.Serializer;
            Assert.True(
                seen >= scale * (expected - less) - error && seen <= scale * (expected + more) + error,
                $"{part}: {seen} of {scale * expected:0} ± {error:0}; {report}"
            );
        }
    }
}
