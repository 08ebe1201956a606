using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>First pass over a kernel session: the markers' switches, and which files and threads the process has.</summary>
/// <param name="switches">Hears switches and wakings; null when no marker is known.</param>
/// <param name="layout">Hears mappings and threads.</param>
internal sealed class KernelCollector(SwitchCollector? switches, ProcessLayout layout) : TraceVisitor
{
    public override void OnSwitchedOut(in EventAt at, bool isPreempted) => switches?.OnSwitchedOut(at, isPreempted);

    public override void OnSwitchedIn(in EventAt at) => switches?.OnSwitchedIn(at);

    public override void OnMadeReady(in EventAt at) => switches?.OnMadeReady(at);

    public override void OnFileMapped(in FileMapping mapping) => layout.OnFileMapped(mapping);

    public override void OnFileUnmapped(in EventAt at, ulong start) => layout.OnFileUnmapped(at, start);

    public override void OnKernelMapped(in KernelMapping mapping) => layout.OnKernelMapped(mapping);

    public override void OnProgramReplaced(in EventAt at) => layout.OnProgramReplaced(at);

    public override void OnThreadCreated(in EventAt at, long parentThreadId) => layout.OnThreadCreated(at, parentThreadId);

    public override void OnThreadNamed(in EventAt at, string name) => layout.OnThreadNamed(at, name);
}
