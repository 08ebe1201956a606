using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
#if NET
using System.Diagnostics.CodeAnalysis;
#endif

namespace EtwSerializerProfiler.Marks;

/// <summary>
/// The provider <c>EtwSerializerProfiler-Runs</c>, which names every run in the trace. Writing an event allocates nothing, so marks do not
/// change the allocations of the run.
/// </summary>
/// <remarks>
/// Order within a run: MarkerWaiting (marker thread) → the marker's wait begins → RunStart → clock starts → … → clock stops → the
/// marker is readied → RunClockStopped → RunStop. RunStop contains the exact allocated bytes, whose reading suspends the runtime for about
/// 100 µs; RunClockStopped marks the end of a run without that delay. If a process's launcher passed the launch time, ProcessLaunched
/// precedes the first run's RunStop. It is outside the run and a separate event, so that older versions can still read the other events.
/// </remarks>
[EventSource(Name = ProviderName)]
public sealed unsafe class RunEventSource : EventSource
{
    /// <summary>Name of the provider.</summary>
    public const string ProviderName = "EtwSerializerProfiler-Runs";

    /// <summary>Id of <see cref="RunStart"/>.</summary>
    public const int RunStartId = 1;

    /// <summary>Id of <see cref="RunStop"/>.</summary>
    public const int RunStopId = 2;

    /// <summary>Id of <see cref="RunClockStopped"/>.</summary>
    public const int RunClockStoppedId = 3;

    /// <summary>Id of <see cref="MarkerWaiting"/>.</summary>
    public const int MarkerWaitingId = 4;

    /// <summary>Id of <see cref="ProcessLaunched"/>.</summary>
    public const int ProcessLaunchedId = 5;

    /// <summary>The only instance.</summary>
    public static readonly RunEventSource Log = new();

    private RunEventSource() { }

    /// <summary>A run begins. Written by the measuring thread just before its clock starts.</summary>
    [Event(RunStartId, Level = EventLevel.Informational, ActivityOptions = EventActivityOptions.Disable)]
    public void RunStart(
        int runId,
        string serializer,
        string library,
        string libraryVersion,
        string operation,
        int kind,
        int objectCount,
        int payloadBytes,
        int runNumber,
        int threadCount
    )
    {
        if (!IsEnabled())
            return;
        fixed (
            char* s = serializer,
                l = library,
                v = libraryVersion,
                o = operation
        )
        {
            var data = stackalloc EventData[10];
            Set(data, &runId, sizeof(int));
            Set(data + 1, s, serializer);
            Set(data + 2, l, library);
            Set(data + 3, v, libraryVersion);
            Set(data + 4, o, operation);
            Set(data + 5, &kind, sizeof(int));
            Set(data + 6, &objectCount, sizeof(int));
            Set(data + 7, &payloadBytes, sizeof(int));
            Set(data + 8, &runNumber, sizeof(int));
            Set(data + 9, &threadCount, sizeof(int));
            Write(RunStartId, 10, data);
        }
    }

    /// <summary>
    /// A run has ended and its self-measurement is complete. Repeats the identity, so that a trace that lost RunStart still names the run.
    /// </summary>
    [Event(RunStopId, Level = EventLevel.Informational, ActivityOptions = EventActivityOptions.Disable)]
    public void RunStop(
        int runId,
        string serializer,
        string library,
        string libraryVersion,
        string operation,
        int kind,
        int objectCount,
        int payloadBytes,
        int runNumber,
        int threadCount,
        long startTicks,
        long stopTicks,
        long ticksPerSecond,
        long threadCpuNanoseconds,
        long allocatedBytes,
        int gen0,
        int gen1,
        int gen2,
        long dataBytes,
        string error
    )
    {
        if (!IsEnabled())
            return;
        fixed (
            char* s = serializer,
                l = library,
                v = libraryVersion,
                o = operation,
                e = error
        )
        {
            var data = stackalloc EventData[20];
            Set(data, &runId, sizeof(int));
            Set(data + 1, s, serializer);
            Set(data + 2, l, library);
            Set(data + 3, v, libraryVersion);
            Set(data + 4, o, operation);
            Set(data + 5, &kind, sizeof(int));
            Set(data + 6, &objectCount, sizeof(int));
            Set(data + 7, &payloadBytes, sizeof(int));
            Set(data + 8, &runNumber, sizeof(int));
            Set(data + 9, &threadCount, sizeof(int));
            Set(data + 10, &startTicks, sizeof(long));
            Set(data + 11, &stopTicks, sizeof(long));
            Set(data + 12, &ticksPerSecond, sizeof(long));
            Set(data + 13, &threadCpuNanoseconds, sizeof(long));
            Set(data + 14, &allocatedBytes, sizeof(long));
            Set(data + 15, &gen0, sizeof(int));
            Set(data + 16, &gen1, sizeof(int));
            Set(data + 17, &gen2, sizeof(int));
            Set(data + 18, &dataBytes, sizeof(long));
            Set(data + 19, e, error);
            Write(RunStopId, 20, data);
        }
    }

    /// <summary>The run's clock has stopped. Written by the measuring thread immediately.</summary>
    [Event(RunClockStoppedId, Level = EventLevel.Informational)]
    public void RunClockStopped(int runId)
    {
        if (IsEnabled())
            WriteEvent(RunClockStoppedId, runId);
    }

    /// <summary>
    /// Written by the marker thread: its next wait is that of run <paramref name="runId"/>. Distinguishes the run's wait from an idle one
    /// without a stack.
    /// </summary>
    [Event(MarkerWaitingId, Level = EventLevel.Informational)]
    public void MarkerWaiting(int runId)
    {
        if (IsEnabled())
            WriteEvent(MarkerWaitingId, runId);
    }

    /// <summary>
    /// The process whose first run is <paramref name="runId"/> was launched at this tick of the runs' clock, as read by its launcher.
    /// </summary>
    [Event(ProcessLaunchedId, Level = EventLevel.Informational)]
    public void ProcessLaunched(int runId, long launchedTicks)
    {
        if (!IsEnabled())
            return;
        var data = stackalloc EventData[2];
        Set(data, &runId, sizeof(int));
        Set(data + 1, &launchedTicks, sizeof(long));
        Write(ProcessLaunchedId, 2, data);
    }

    [NonEvent]
#if NET
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "The values are numbers and texts, which have no members to keep.")]
#endif
    private void Write(int id, int values, EventData* data) => WriteEventCore(id, values, data);

    [NonEvent]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Set(EventData* data, void* value, int size)
    {
        data->DataPointer = (nint)value;
        data->Size = size;
    }

    [NonEvent]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Set(EventData* data, char* value, string text)
    {
        data->DataPointer = (nint)value;
        data->Size = (text.Length + 1) * sizeof(char); // with the terminating zero that the field's type requires
    }
}
