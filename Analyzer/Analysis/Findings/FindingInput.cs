using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Collections;
using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Analysis.FirstCalls;
using EtwSerializerProfiler.Analysis.Jit;
using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Analysis.XmlCode;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>
/// What the rules look at. Under every table it is the result alone and the recordings; <c>esp-analyze findings</c> reads the rest, too. Null = not recorded or not read: a rule that needs it
/// says nothing.
/// </summary>
/// <param name="Result">Runs, rows, what they cost, and what is missing.</param>
public sealed record FindingInput(AnalysisResult Result)
{
    /// <summary>Waits for managed locks in measured runs, longest first.</summary>
    public IReadOnlyList<LockRow>? Locks { get; init; }

    /// <summary>Exceptions thrown in measured runs, most frequent first.</summary>
    public IReadOnlyList<ExceptionRow>? Exceptions { get; init; }

    /// <summary>Collections of the processes, those outside of runs included.</summary>
    public CollectionResult? Collections { get; init; }

    /// <summary>CPU samples in the long pauses among <see cref="Collections"/> (<see cref="LongPause.LeastMs"/>), none when there are no such pauses.</summary>
    public IReadOnlyList<LongPause>? LongPauses { get; init; }

    /// <summary>Allocations of the measured runs by type and heap.</summary>
    public AllocationResult? Allocations { get; init; }

    /// <summary>First calls and the assemblies they loaded, made or did not find.</summary>
    public FirstCallResult? FirstCalls { get; init; }

    /// <summary>Code that XmlSerializer made while the processes ran.</summary>
    public IReadOnlyList<XmlCodeRow>? XmlCode { get; init; }

    /// <summary>Compilations in the measured runs by method and tier; no rule looks at them.</summary>
    public IReadOnlyList<JitRow>? Compilations { get; init; }

    /// <summary>The recordings that were read, with recording.json and environment.json; none for bare files.</summary>
    public IReadOnlyList<InputRecording> Recordings { get; init; } = [];

    /// <summary>CPU samples of the measured runs by row and method.</summary>
    public IReadOnlyList<MethodCost>? Methods { get; init; }

    /// <summary>What is missing, for people: rules that need it said nothing.</summary>
    public IReadOnlyList<string> NotRecorded => Result.MeasuredRuns.All(run => run.Error.Length > 0)
        ? ["measured runs", .. Missing(FirstCalls, FirstCallName)]
        :
    [
        .. Missing(Locks, "waits for locks"), .. Missing(Exceptions, "exceptions"), .. Missing(Collections, "collections"), .. Missing(Allocations, "allocations by type (esp-record --alloc)"),
        .. Missing(FirstCalls, FirstCallName), .. Missing(Methods, "CPU samples"),
    ];

    private const string FirstCallName = "first calls (esp-record -test firstcall)";

    private static IEnumerable<string> Missing(object? value, string name) => value is null ? [name] : [];
}
