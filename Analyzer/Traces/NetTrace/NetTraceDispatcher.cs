using System.Runtime.ExceptionServices;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;
using Microsoft.Diagnostics.Tracing;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Publishes TraceEvent's events, and remembers what they say of the trace as a whole.</summary>
/// <param name="hub">Receives the events.</param>
/// <param name="pointerBytes">Size of a pointer in the recorded process.</param>
/// <param name="everyEvent">Receives every event as it is, too; null for nobody.</param>
/// <param name="clocked">Weights samples of the sample profiler by the threads' clocks; null where these were not recorded.</param>
internal sealed class NetTraceDispatcher(EventHub hub, int pointerBytes, Action<TraceEvent>? everyEvent = null, ClockedSamples? clocked = null)
{
    private readonly bool _withStacks = hub.WantsStacks;

    /// <summary>Addresses of 32-bit stacks, widened.</summary>
    private ulong[] _widened = [];

    private readonly ClrEventDispatcher _clr = new(hub);

    private readonly SampleProfilerEvents? _samples = hub.Wants<CpuSample>() ? new(hub, clocked) : null;

    /// <summary>Events seen, of every kind.</summary>
    public long Events { get; private set; }

    /// <summary>Time of the first event.</summary>
    public long FirstTime { get; private set; } = long.MaxValue;

    /// <summary>Time of the last event that is no rundown event.</summary>
    public long LastTime { get; private set; } = long.MinValue;

    /// <summary>What a subscriber threw, so that its error is not taken for a damaged file.</summary>
    public ExceptionDispatchInfo? SubscriberFailure { get; private set; }

    /// <summary>The trace has ended.</summary>
    public void Finish() => _samples?.Finish();

    /// <summary>Handles one event.</summary>
    public unsafe void OnEvent(TraceEvent data)
    {
        Events++;
        var provider = data.ProviderGuid;
#pragma warning disable CS0618 // "Discouraged": it is the only exact time; the relative milliseconds are a rounded double
        var time = data.TimeStampQPC;
#pragma warning restore CS0618
        if (time < FirstTime)
            FirstTime = time;
        if (time > LastTime && !ClrEventDispatcher.IsRundown(provider))
            LastTime = time;

        try
        {
            everyEvent?.Invoke(data);
            var at = new EventAt(time, data.ProcessID, data.ThreadID);
            var payload = new ReadOnlySpan<byte>((void*)data.DataStart, data.EventDataLength);
            if (provider == SampleProfilerEvents.Provider)
            {
                _samples?.Add(at, payload, EventRecordStack.Read(data, ref _widened));
                return;
            }

            var stack = _withStacks && ClrEventDispatcher.HasStack(provider, (int)data.ID) ? EventRecordStack.Read(data, ref _widened) : default;
            _clr.Dispatch(provider, (int)data.ID, at, payload, new ClrEventDetail(stack, pointerBytes));
        }
        catch (Exception exception)
        {
            SubscriberFailure = ExceptionDispatchInfo.Capture(exception);
            throw;
        }
    }
}
