using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>Where the methods of a process lie: what finding lost callers needs to know of them. Their names go to the trace as they are, and would take most of the memory.</summary>
internal sealed class CodeRanges : TraceVisitor
{
    /// <summary>The methods, without names.</summary>
    public ManagedCodeMap Map { get; } = new();

    public override void OnMethodCode(in MethodCode code) => Map.OnMethodCode(code with { Namespace = "", Name = "", Signature = "" });

    public override void OnMethodCodeFreed(in EventAt at, ulong start) => Map.OnMethodCodeFreed(at, start);
}
