using System.Buffers.Binary;
using System.Globalization;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>
/// Records methods whose time passes in functions without a frame pointer, and compares their inclusive samples with the thread's clock:
/// with registers and stack, and in the same recording without; as the current user, and also as an ordinary user when that is root.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class LostCallersTests : IDisposable
{
    private const int CpuMilliseconds = 2000;

    /// <summary>
    /// Share that the samples may lack in addition to chance: GCs and interrupts count only for the thread's clock, and the callers of a
    /// few leaves are unknown.
    /// </summary>
    private const double Allowance = 0.02;

    /// <summary>
    /// A first generation of 4 MB, the same memory each time: an ordinary user has no samples of the kernel's work for new pages, the
    /// thread's clock has its time.
    /// </summary>
    private static readonly Dictionary<string, string> s_fewPageFaults = new() { ["DOTNET_GCgen0size"] = "0x400000" };

    private readonly string _root = Directory.CreateTempSubdirectory("esp-callers-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    /// <summary>
    /// With a little stack the caller of an allocation that clears new memory is out of reach: the helper has called functions with frame
    /// pointers.
    /// </summary>
    [Theory]
    [InlineData(256, false)]
    [InlineData(PerfEventPlan.DefaultStackDumpBytes, true)]
    public async Task A_method_has_the_samples_of_helpers_that_keep_no_frame_pointer(int stackBytes, bool reachesAllocations)
    {
        PerfRecordingFixture.SkipUnlessPermitted();
        Assert.SkipUnless(RuntimeInformation.ProcessArchitecture == Architecture.X64, "tried on x64 only");
        using var output = new StringWriter();
        var plan = PerfEventPlan.Create(PerfEventScope.Launch, stackDumpBytes: stackBytes);
        var recorded = await BothHalves.RecordAsync(
            _root,
            plan,
            output,
            s_fewPageFaults,
            "callers",
            CpuMilliseconds.ToString(CultureInfo.InvariantCulture)
        );
        Assert.Equal(stackBytes, recorded.Recording.Kernel!.StackDumpBytes);
        var words = output.ToString().Split([' ', '\n', '\r'], StringSplitOptions.RemoveEmptyEntries);
        var (allocated, filled, stored, converted, all) = (
            Number(words[1]),
            Number(words[3]),
            Number(words[5]),
            Number(words[7]),
            Number(words[9])
        );

        var with = Analyze(recorded);
        var n = Samples(with, "LostCallers.Take");
        AssertShare("LostCallers.Allocate", allocated / all, reachesAllocations ? Allowance : 0.5 * allocated / all);
        AssertShare("LostCallers.Fill", filled / all, Allowance);
        AssertShare("LostCallers.Store", stored / all, Allowance);
        AssertShare("LostCallers.Convert", converted / all, Allowance);
        AssertShare("ThreadClock.Spin", 1 - (allocated + filled + stored + converted) / all, Allowance);

        HideDumps(Path.Combine(recorded.Folder, "perf.data"));
        var without = Analyze(recorded);
        Assert.Null(without.RecoveredStacks);
        Assert.Equal(with.Samples, without.Samples);
        Assert.InRange(n - Samples(without, "LostCallers.Take"), 0, 0.02 * n); // nearly all chains below it are complete
        AssertMore("LostCallers.Allocate", 2);
        AssertMore("LostCallers.Fill", 5);
        AssertMore("LostCallers.Store", 1.5);
        Assert.InRange(Samples(with, "ThreadClock.Spin") - Samples(without, "ThreadClock.Spin"), 0, 0.01 * n);

        void AssertShare(string method, double share, double allowance)
        {
            var error = Chance.OfShare(share, n);
            Assert.True(
                (double)Samples(with, method) / n is var measured
                    && measured > share - error - allowance
                    && measured < share + error + Allowance,
                $"{method}: {measured:P1} of {n} samples, {share:P1} of the time"
            );
        }

        void AssertMore(string method, double times) =>
            Assert.True(
                Samples(with, method) > times * Samples(without, method),
                $"{method}: {Samples(with, method)} samples with recovery, {Samples(without, method)} without"
            );
    }

    [Fact]
    public Task As_an_ordinary_user() => OrdinaryUser.RunAsync(typeof(LostCallersTests), minTests: 2);

    private static CpuResult Analyze(RecordingResult recorded)
    {
        var input = TraceInputReader.Open([recorded.Folder]);
        var runs = RunAnalysis.Run(input.Processes, []).Runs;
        var files = new SymbolFiles(
            recorded.Recording.Host.MachineName,
            recorded.Recording.StartedUtc,
            TimeSpan.FromMilliseconds(recorded.Recording.DurationMs)
        );
        return CpuAnalysis.Run(input.Processes, runs, new CpuQuery(CpuGrouping.Method, true, new RunFilter(), null), files);
    }

    private static long Samples(CpuResult result, string method) =>
        result.Rows.Where(row => row.Name == method).Sum(row => row.InclusiveSamples);

    /// <summary>Clears the mask of registers (at byte 80) in the attributes of a file: it then has no dumps for a reader.</summary>
    private static void HideDumps(string path)
    {
        var bytes = File.ReadAllBytes(path);
        var entry = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(16));
        var start = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(24));
        var length = BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(32));
        for (var at = start; at < start + length; at += entry)
            BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(at + 80), 0);
        File.WriteAllBytes(path, bytes);
    }

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}
