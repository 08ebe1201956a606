using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.XmlCode;

/// <summary>
/// Finds code that XmlSerializer generates at run time, in the passes of <see cref="RunAnalysis"/>. Every runtime shows it by the same
/// events: a failed bind of NAME.XmlSerializers, then types of one namespace, in an assembly generated in memory (.NET) or by the C#
/// compiler under a random name (.NET Framework before 4.5).
/// </summary>
internal sealed class XmlCodeReading : IRunReader
{
    /// <summary>Name of the assemblies that System.Xml generates in memory.</summary>
    private const string GeneratedAssembly = "Microsoft.GeneratedCode";

    /// <summary>Namespace of the types in them, and in those that sgen generates at build time.</summary>
    private const string MadeNamespace = "Microsoft.Xml.Serialization.GeneratedAssembly";

    /// <summary>Name suffix of sgen's assemblies.</summary>
    private const string BuiltSuffix = ".XmlSerializers";

    /// <summary>Processes that recorded any of these events.</summary>
    private readonly List<(TracedProcess Process, Pass Pass)> _passes = [];

    /// <inheritdoc />
    public IEnumerable<TraceRequest> Prepare(IReadOnlyList<TracedProcess> processes)
    {
        var signs = EventHub.KindsOf(new Pass());
        _passes.AddRange(processes.Where(process => (process.Kinds & signs) != 0).Select(process => (process, new Pass())));
        return _passes.SelectMany(pair => pair.Process.Requests(pair.Pass));
    }

    /// <inheritdoc />
    public IEnumerable<TraceRequest> Begin(IReadOnlyList<Run> runs) => [];

    /// <summary>One row per process that generated such code, or did not find a prebuilt assembly.</summary>
    /// <param name="runs">The runs of the processes.</param>
    /// <returns>Null when no process recorded any of these events.</returns>
    public IReadOnlyList<XmlCodeRow>? Result(IReadOnlyList<Run> runs) =>
        _passes.Count == 0
            ? null
            :
            [
                .. _passes
                    .Where(pair => pair.Pass.First is not null)
                    .Select(pair => Row(pair.Process, pair.Pass, [.. runs.Where(run => run.Process == pair.Process.Key)])),
            ];

    private static XmlCodeRow Row(TracedProcess process, Pass pass, IReadOnlyList<Run> runs)
    {
        var clock = process.Sources[0].Clock;
        var first = pass.First!.Value;
        return new XmlCodeRow
        {
            Process = process.Key,
            Assemblies = Count(EventKinds.AssemblyLoads, pass.Assemblies),
            Methods = Count(EventKinds.Jit, pass.Methods),
            FailedLoads = Count(EventKinds.AssemblyBinds, pass.FailedLoads),
            FirstMs = Milliseconds(first),
            LastMs = Milliseconds(Math.Max(first, pass.Last)),
            FirstRun = runs.FirstOrDefault(run => run.StartTicks <= first && first < run.StopTicks),
        };

        // The sources of a process begin at different times, so the first run defines the origin.
        double Milliseconds(long time) =>
            runs.Count > 0 ? runs[0].StartMs + clock.ToMilliseconds(time - runs[0].StartTicks) : clock.SinceOriginMilliseconds(time);

        int? Count(EventKinds kind, int value) => (process.Kinds & kind) != 0 ? value : null;
    }

    private sealed class Pass : IEventSubscriber
    {
        /// <summary>Assemblies by module.</summary>
        private readonly Dictionary<long, long> _assemblies = [];

        /// <summary>Assemblies generated at build time.</summary>
        private readonly HashSet<long> _built = [];

        public int Assemblies { get; private set; }

        public int Methods { get; private set; }

        public int FailedLoads { get; private set; }

        public long? First { get; private set; }

        public long Last { get; private set; }

        /// <inheritdoc />
        public void Subscribe(EventHub hub)
        {
            hub.Subscribe<AssemblyModuleLoaded>(OnAssemblyModuleLoaded);
            hub.Subscribe<AssemblyLoaded>(OnAssemblyLoaded);
            hub.Subscribe<AssemblyBind>(OnAssemblyBind);
            hub.Subscribe<MethodLoaded>(OnMethodLoaded);
        }

        private void OnAssemblyModuleLoaded(in AssemblyModuleLoaded module) => _assemblies[module.ModuleId] = module.AssemblyId;

        private void OnAssemblyLoaded(in AssemblyLoaded assembly)
        {
            if (assembly.Name.EndsWith(BuiltSuffix, StringComparison.OrdinalIgnoreCase))
                _built.Add(assembly.AssemblyId);
            if (!assembly.IsDynamic || assembly.Name != GeneratedAssembly)
                return;
            Assemblies++;
            Note(assembly.At.Time);
        }

        private void OnAssemblyBind(in AssemblyBind search)
        {
            if (search.Found || !search.Name.EndsWith(BuiltSuffix, StringComparison.OrdinalIgnoreCase))
                return;
            FailedLoads++;
            First = Math.Min(First ?? long.MaxValue, search.At.Time);
        }

        private void OnMethodLoaded(in MethodLoaded method)
        {
            if (
                !method.IsJitted
                || !method.Namespace.StartsWith(MadeNamespace, StringComparison.Ordinal)
                || (_assemblies.TryGetValue(method.ModuleId, out var assembly) && _built.Contains(assembly))
            )
                return;
            Methods++;
            Note(method.At.Time);
        }

        private void Note(long time)
        {
            First = Math.Min(First ?? long.MaxValue, time);
            Last = Math.Max(Last, time);
        }
    }
}
