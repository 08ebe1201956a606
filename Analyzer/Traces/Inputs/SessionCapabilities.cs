using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.Traces.Inputs;

/// <summary>What a planned session gives when it is started in a runtime: keywords and levels of ClrEtwAll.man of dotnet/runtime.</summary>
public static class SessionCapabilities
{
    private const string RuntimeProvider = "Microsoft-Windows-DotNETRuntime";
    private const ulong Gc = 0x1;
    private const ulong AssemblyLoader = 0x4;
    private const ulong Loader = 0x8;
    private const ulong JitKeyword = 0x10;
    private const ulong NgenKeyword = 0x20;
    private const ulong ContentionKeyword = 0x4000;
    private const ulong ExceptionKeyword = 0x8000;
    private const ulong CompilationDiagnostic = 0x2000000000;
    private const ulong TypeDiagnostic = 0x8000000000;
    private const ulong WaitHandle = 0x40000000000;
    private const ulong AllocationSampling = 0x80000000000;

    /// <summary>Kinds of events of a session.</summary>
    /// <param name="session">The session as planned.</param>
    /// <param name="runtime">Version of the runtime, for example <c>.NET 10.0.12</c>; empty when unknown, then the newest is assumed.</param>
    public static TraceCapabilities Of(PlannedSession session, string runtime)
    {
        ArgumentNullException.ThrowIfNull(session);
        var all = session.Rundown ? TraceCapabilities.MethodCode : TraceCapabilities.None;
        var named = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        foreach (var provider in session.Providers)
        {
            // The runtime keeps the first of two entries of one name.
            if (named.Add(provider.Name))
                all |= Of(provider, MajorVersion(runtime));
        }

        return all;
    }

    private static TraceCapabilities Of(PlannedProvider provider, int major)
    {
        var level = Level(provider.Level);
        if (provider.Name.Equals(RunEventSource.ProviderName, StringComparison.OrdinalIgnoreCase) || provider.Name.Equals(BenchmarkProvider.Name, StringComparison.OrdinalIgnoreCase))
            return level >= 4 ? TraceCapabilities.RunMarks : TraceCapabilities.None;
        if (!provider.Name.Equals(RuntimeProvider, StringComparison.OrdinalIgnoreCase))
            return TraceCapabilities.None;

        var keywords = provider.KeywordMask;
        var all = TraceCapabilities.None;
        Add(Gc, 4, TraceCapabilities.Collections);
        Add(Gc, 5, TraceCapabilities.AllocationTicks);
        Add(ExceptionKeyword, 2, TraceCapabilities.Exceptions);
        Add(ContentionKeyword, 4, TraceCapabilities.Contention);
        Add(JitKeyword, 5, TraceCapabilities.Jit);
        Add(JitKeyword | NgenKeyword, 5, TraceCapabilities.MethodCode);
        Add(Loader, 4, TraceCapabilities.AssemblyLoads);
        Add(CompilationDiagnostic, 4, TraceCapabilities.PrecompiledMethods);
        if (major >= 5)
        {
            Add(AssemblyLoader, 4, TraceCapabilities.AssemblySearches);
            Add(TypeDiagnostic, 4, TraceCapabilities.TypeLoads);
        }

        if (major >= 9)
            Add(WaitHandle, 5, TraceCapabilities.Waits);
        if (major >= 10)
            Add(AllocationSampling, 4, TraceCapabilities.AllocationSamples);
        return all;

        void Add(ulong keyword, int leastLevel, TraceCapabilities kind)
        {
            if ((keywords & keyword) != 0 && level >= leastLevel)
                all |= kind;
        }
    }

    private static int Level(string name) => name.ToUpperInvariant() switch
    {
        "CRITICAL" => 1,
        "ERROR" => 2,
        "WARNING" => 3,
        "INFORMATIONAL" => 4,
        "VERBOSE" or "LOGALWAYS" => 5,
        _ => 0,
    };

    /// <summary>The first number in the text: 10 of <c>.NET 10.0.12</c>.</summary>
    private static int MajorVersion(string runtime)
    {
        var start = runtime.AsSpan().IndexOfAnyInRange('0', '9');
        if (start < 0)
            return int.MaxValue;
        var digits = runtime.AsSpan(start);
        var end = digits.IndexOfAnyExceptInRange('0', '9');
        return int.TryParse(end < 0 ? digits : digits[..end], out var major) ? major : int.MaxValue;
    }
}
