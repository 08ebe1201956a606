using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Etl.Tests;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests.Etl;

/// <summary>
/// Samples, stacks and methods of a real trace against TraceLog, which reads the same events. docs/internals/attribution-truth.md lists the
/// differences.
/// </summary>
[NeedsRealTraces]
public sealed class TraceLogComparisonTests : IClassFixture<TraceLogReading>
{
    /// <summary>Test.x64.exe, 64 bit, and PerfView.exe, 32 bit on a 64-bit kernel.</summary>
    private const int Test = 3676;
    private const int PerfView = 3988;

    private readonly TraceLogReading _traceLog;

    public TraceLogComparisonTests(TraceLogReading traceLog)
    {
        RealTraces.Get(TraceLogReading.Trace); // skips where it is absent
        _traceLog = traceLog;
    }

    [Theory]
    [InlineData(Test, 5129, 0)]
    [InlineData(PerfView, 356, 6)]
    public void Stacks_are_TraceLogs_but_for_the_halves_it_loses(int process, int samples, int lostHalves)
    {
        var ours = new StackCollector();
        Process(process).Read(ours);
        var theirs = _traceLog.Samples(process).ToList();
        var longer = 0;
        foreach (var sample in theirs)
        {
            var frames = ours.Stacks[(sample.Time, sample.Thread)];
            if (frames.SequenceEqual(sample.Frames))
                continue;

            // TraceLog treats the thread as a new one once the session lists it, and forgets which samples still lack the program's half.
            Assert.Equal(sample.Frames, frames.Take(sample.Frames.Count));
            Assert.True(sample.Time < _traceLog.ListedAt(sample.Thread) && TraceLogReading.IsKernel(sample.Frames[^1]));
            Assert.Equal(_traceLog.NextProgramHalf(sample.Thread, sample.Time), frames.Skip(sample.Frames.Count));
            longer++;
        }

        Assert.Equal((samples, samples, lostHalves), (ours.Stacks.Count, theirs.Count, longer));
    }

    [Theory]
    [InlineData(Test)]
    [InlineData(PerfView)]
    public void Exclusive_and_inclusive_samples_of_every_method_and_module_are_TraceLogs(int process)
    {
        var theirs = new Dictionary<string, (long Exclusive, long Inclusive)>(StringComparer.OrdinalIgnoreCase);
        foreach (var sample in _traceLog.Samples(process))
        {
            var names = sample.Names;
            if (TraceLogReading.IsKernel(sample.Frames[^1]) && sample.Time < _traceLog.ListedAt(sample.Thread))
                names = [.. names, .. _traceLog.Names(process, _traceLog.NextProgramHalf(sample.Thread, sample.Time))];
            Add(theirs, names[0], 1, 0);
            foreach (var name in names.Distinct(StringComparer.OrdinalIgnoreCase))
                Add(theirs, name, 0, 1);
        }

        var traced = Process(process);
        var symbols = new SymbolReading(new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero)).Of(traced);
        var totals = new CpuTotals();
        traced.Read(
            new SampleAttribution(
                new RunWindows([(long.MinValue, long.MaxValue)]),
                [true],
                symbols,
                new GcPauses(),
                CpuGrouping.Method,
                totals,
                null
            )
        );
        var ours = new Dictionary<string, (long Exclusive, long Inclusive)>(StringComparer.OrdinalIgnoreCase);
        foreach (var row in totals.Rows(byInclusive: false, hasKernel: true, ticksPerSecond: 1))
        {
            var isMethod = row.Kind == CodeKind.Managed && !row.Name.EndsWith("+?", StringComparison.Ordinal);
            Add(
                ours,
                isMethod ? row.Name
                    : row.Module is "[kernel]" or "[unknown]" ? row.Kind.ToString()!
                    : row.Module,
                row.Samples,
                row.InclusiveSamples
            );
        }

        Assert.True(theirs.Count > 100);
        Assert.Equal(
            theirs.OrderBy(row => row.Key, StringComparer.OrdinalIgnoreCase).Select(Text),
            ours.OrderBy(row => row.Key, StringComparer.OrdinalIgnoreCase).Select(Text)
        );
    }

    [Theory]
    [InlineData(Test, 28)]
    [InlineData(PerfView, 40)]
    public void Images_have_the_pdb_files_that_TraceLog_says(int process, int min)
    {
        var ours = new ImageCollector();
        Process(process).Read(ours);
        var theirs = _traceLog.Pdbs(process).ToList();

        Assert.True(theirs.Count >= min, FormattableString.Invariant($"{theirs.Count}"));
        Assert.All(theirs, pdb => Assert.Contains((pdb.Start, new PdbReference(pdb.Pdb, pdb.Guid, pdb.Age)), ours.Pdbs));
    }

    private static string Text(KeyValuePair<string, (long Exclusive, long Inclusive)> row) =>
        FormattableString.Invariant($"{row.Key.ToLowerInvariant()}: {row.Value.Exclusive} {row.Value.Inclusive}");

    private static void Add(Dictionary<string, (long Exclusive, long Inclusive)> rows, string name, long exclusive, long inclusive)
    {
        var (oldExclusive, oldInclusive) = rows.GetValueOrDefault(name);
        rows[name] = (oldExclusive + exclusive, oldInclusive + inclusive);
    }

    private static TracedProcess Process(int id) =>
        TraceInputReader.Open([RealTraces.Get(TraceLogReading.Trace)]).Processes.Single(process => process.ProcessId == id);

    private sealed class ImageCollector : IEventSubscriber
    {
        public HashSet<(ulong Start, PdbReference? Pdb)> Pdbs { get; } = [];

        /// <inheritdoc />
        public void Subscribe(EventHub hub) => hub.Subscribe<FileMapping>(OnFileMapped);

        private void OnFileMapped(in FileMapping mapping) => Pdbs.Add((mapping.Start, mapping.Pdb));
    }

    private sealed class StackCollector : IEventSubscriber
    {
        public Dictionary<(long Time, long Thread), ulong[]> Stacks { get; } = [];

        /// <inheritdoc />
        public void Subscribe(EventHub hub) => hub.Subscribe<CpuSample>(OnCpuSample);

        private void OnCpuSample(in CpuSample sample) => Stacks.Add((sample.At.Time, sample.At.ThreadId), sample.Frames.ToArray());
    }
}
