using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>The events of one process in an ETW trace: those of its runtime, and those of the kernel that concern its threads.</summary>
public sealed class EtwSource : ITraceSource
{
    /// <summary>ETW's sampling interval when the trace does not name one, in units of 100 ns.</summary>
    private const int DefaultSampleInterval = 10_000;

    /// <summary>How long a sample waits for the program's part of its stack; a thread is in the kernel for less.</summary>
    private const double StackPatienceSeconds = 0.1;

    private readonly EtwTrace _trace;
    private readonly bool _tellsLosses;

    internal EtwSource(EtwTrace trace, int processId, TraceCapabilities capabilities, bool tellsLosses)
    {
        _trace = trace;
        _tellsLosses = tellsLosses;
        ProcessId = processId;
        Capabilities = capabilities;
        Clock = new TraceClock(trace.Header.StartTicks, trace.Header.TicksPerSecond);
        Name = trace.Name;
    }

    /// <inheritdoc />
    public string Name { get; }

    /// <inheritdoc />
    public TraceClock Clock { get; }

    /// <inheritdoc />
    public int ProcessId { get; }

    /// <inheritdoc />
    public TraceCapabilities Capabilities { get; }

    /// <inheritdoc />
    public TraceReadResult Read(TraceVisitor visitor, TraceCapabilities wanted)
    {
        ArgumentNullException.ThrowIfNull(visitor);
        using var reader = _trace.OpenReader();
        var pass = new Pass(this, visitor, wanted);
        while (reader.TryRead(out var item))
            pass.Read(item);
        pass.End();
        var statistics = reader.Statistics;
        var damage = _tellsLosses && statistics.Damages.Count > 0 ? statistics.Damages[0] : null;
        return new TraceReadResult(
            pass.Events, _tellsLosses ? statistics.EventsLost ?? 0 : 0, pass.Events > 0 ? pass.First : Clock.OriginTicks, Math.Max(pass.Last, Clock.OriginTicks),
            damage is null ? null : new TraceDamage(damage.Path, damage.Offset, statistics.FileBytes, damage.Reason));
    }

    /// <summary>One pass over the trace.</summary>
    private sealed class Pass
    {
        private readonly EtwSource _source;
        private readonly TraceVisitor _visitor;
        private readonly TraceCapabilities _wanted;
        private readonly ClrEventDispatcher _clr;
        private readonly SampleQueue _samples;

        /// <summary>Joins events of the runtime with their stacks; null when those are not asked for.</summary>
        private readonly ClrEventQueue? _events;

        /// <summary>Number of the collection that began last.</summary>
        private int _lastCollection = -1;

        public Pass(EtwSource source, TraceVisitor visitor, TraceCapabilities wanted)
        {
            _source = source;
            _visitor = visitor;
            _wanted = wanted;
            _clr = new ClrEventDispatcher(visitor, wanted);
            var interval = source._trace.SampleInterval > 0 ? source._trace.SampleInterval : DefaultSampleInterval;
            var patience = (long)(StackPatienceSeconds * source.Clock.TicksPerSecond);
            _events = Wants(TraceCapabilities.Stacks) ? new ClrEventQueue(_clr, patience) : null;
            _samples = new SampleQueue(visitor, source.ProcessId, patience) { CpuTicks = source.Clock.FromNanoseconds(interval * 100L) };
        }

        public long Events { get; private set; }

        public long First { get; private set; }

        public long Last { get; private set; }

        public void Read(in EtlEvent item)
        {
            if (item.IsKernel)
            {
                ReadKernelEvent(item, item.Group);
                return;
            }

            if (item.ProcessId != _source.ProcessId)
                return;
            var provider = item.ProviderId;
            if (!ClrEventDispatcher.Knows(provider))
                return;
            Count(item.Timestamp, !ClrEventDispatcher.IsRundown(provider));
            if (IsRepeated(item, provider))
                return;
            var at = new EventAt(item.Timestamp, item.ProcessId, item.ThreadId);
            if (_events is null)
                _clr.Dispatch(provider, item.Id, at, item.Payload, new ClrEventDetail(default, item.PointerSize));
            else if (ClrEventDispatcher.IsStack(provider, item.Id))
                _events.AddRuntimeStack(item.ThreadId, item.Payload, item.PointerSize);
            else
                _events.Add(provider, item.Id, at, item.Payload, item.PointerSize, ClrStacks.Of(item, out var pointerSize), pointerSize);
        }

        public void End()
        {
            _samples.End();
            _events?.End();
        }

        /// <summary>The .NET Framework's runtime logs the start of a collection twice, with the fields of two versions.</summary>
        private bool IsRepeated(in EtlEvent item, in Guid provider)
        {
            if (!ClrEventDispatcher.IsCollectionStart(provider, item.Id, item.Payload, out var number))
                return false;
            var isRepeated = number == _lastCollection;
            _lastCollection = number;
            return isRepeated;
        }

        private void ReadKernelEvent(in EtlEvent item, byte group)
        {
            switch (group)
            {
                case EtlKernelGroups.Thread when item.Opcode == KernelPayload.ContextSwitch:
                    ReadSwitch(item);
                    break;
                case EtlKernelGroups.Thread when item.Opcode == KernelPayload.ReadyThread:
                    if (Wants(TraceCapabilities.Wakings) && KernelPayload.TryReadReady(item.Payload, out var ready) && IsOurs(ready, item.Timestamp))
                        _visitor.OnMadeReady(new EventAt(item.Timestamp, _source.ProcessId, ready));
                    break;
                case EtlKernelGroups.PerfInfo when item.Opcode == KernelPayload.SampledProfile:
                    if (KernelPayload.TryReadSample(item.Payload, item.PointerSize, out var address, out var thread) && IsOurs(thread, item.Timestamp))
                    {
                        Count(item.Timestamp, isNews: true);
                        if (Wants(TraceCapabilities.CpuSamples))
                            _samples.Add(item.Timestamp, thread, address);
                    }

                    break;
                case EtlKernelGroups.StackWalk when item.Opcode == KernelPayload.Stack && Wants(TraceCapabilities.CpuSamples | TraceCapabilities.Stacks):
                    if (KernelPayload.TryReadStack(item.Payload, out var time, out var process, out var stackThread, out var addresses) && process == _source.ProcessId)
                        AddStack(time, stackThread, addresses, item.PointerSize);
                    break;
                case EtlKernelGroups.StackWalk when item.Opcode is KernelPayload.StackKeyOfKernel or KernelPayload.StackKeyOfProgram && Wants(TraceCapabilities.CpuSamples | TraceCapabilities.Stacks):
                    if (KernelPayload.TryReadStackKey(item.Payload, item.PointerSize, out time, out process, out stackThread, out var key) && process == _source.ProcessId)
                        AddStack(time, stackThread, _source._trace.Stacks.Find(key, item.Timestamp), item.PointerSize);
                    break;
                case EtlKernelGroups.Image when Wants(TraceCapabilities.ProcessLayout) && item.Opcode is KernelPayload.ImageListedAtBegin or KernelPayload.ImageListedAtEnd:
                case EtlKernelGroups.Process when Wants(TraceCapabilities.ProcessLayout) && item.Opcode == EtlKernelGroups.ImageLoad:
                    ReadImage(item);
                    break;
            }
        }

        private void AddStack(long time, int thread, ReadOnlySpan<byte> addresses, int pointerSize)
        {
            _samples.AddStack(time, thread, addresses, pointerSize);
            _events?.AddStack(time, thread, addresses, pointerSize);
        }

        private void ReadSwitch(in EtlEvent item)
        {
            if (!KernelPayload.TryReadSwitch(item.Payload, out var switchedIn, out var switchedOut, out var isPreempted))
                return;
            if (IsOurs(switchedOut, item.Timestamp))
            {
                Count(item.Timestamp, isNews: true);
                if (Wants(TraceCapabilities.Switches))
                    _visitor.OnSwitchedOut(new EventAt(item.Timestamp, _source.ProcessId, switchedOut), isPreempted);
            }

            if (IsOurs(switchedIn, item.Timestamp))
            {
                Count(item.Timestamp, isNews: true);
                if (Wants(TraceCapabilities.Switches))
                    _visitor.OnSwitchedIn(new EventAt(item.Timestamp, _source.ProcessId, switchedIn));
            }
        }

        /// <summary>Images listed when the session ends were there from the beginning unless their load was seen.</summary>
        private void ReadImage(in EtlEvent item)
        {
            if (!KernelPayload.TryReadImage(item.Payload, item.PointerSize, item.Version, out var process, out var start, out var length, out var path) || (process != _source.ProcessId && process != 0))
                return;
            var time = item.Opcode == EtlKernelGroups.ImageLoad ? item.Timestamp : long.MinValue;
            _visitor.OnFileMapped(new FileMapping(new EventAt(time, _source.ProcessId, item.ThreadId), start, length, 0, path, ""));
        }

        private void Count(long time, bool isNews)
        {
            if (Events++ == 0)
                First = time;
            if (isNews)
                Last = Math.Max(Last, time);
        }

        private bool IsOurs(int thread, long time) => _source._trace.Threads.Of(thread, time) == _source.ProcessId;

        private bool Wants(TraceCapabilities kind) => (_wanted & kind) != 0;
    }
}
