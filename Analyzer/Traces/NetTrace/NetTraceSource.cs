using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Packing;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>A .nettrace file (formats 4 to 6) as a source of events.</summary>
public sealed class NetTraceSource : ITraceSource
{
    private readonly NetTraceLayout _layout;

    /// <summary>What the first pass found in the file, which later passes read in parts; null before it.</summary>
    private TraceReadResult? _result;

    /// <summary>Provides the threads' clocks; null when not recorded.</summary>
    private readonly ITraceSource? _clocks;

    private NetTraceSource(NetTraceLayout layout, EventKinds kinds, ITraceSource? clocks = null)
    {
        _layout = layout;
        _clocks = clocks;
        Kinds = kinds;

        // Every event of EventPipe has its stack.
        Details =
            (kinds != EventKinds.None ? EventDetails.Stacks : EventDetails.None)
            | ((kinds & EventKinds.CpuSamples) != 0 ? EventDetails.ManagedSamples : EventDetails.None);
    }

    /// <inheritdoc />
    public string Name => _layout.Path;

    /// <inheritdoc />
    public TraceClock Clock => _layout.Header.Clock;

    /// <inheritdoc />
    public int ProcessId => _layout.Header.ProcessId;

    /// <inheritdoc />
    public EventKinds Kinds { get; }

    /// <inheritdoc />
    public EventDetails Details { get; private init; }

    /// <summary>Command line of the process; empty when the file lacks it, or was opened with its kinds.</summary>
    public string CommandLine { get; private init; } = "";

    /// <summary>Runtime of the process with its version; empty when the file lacks it, or was opened with its kinds.</summary>
    public string RuntimeVersion { get; private init; } = "";

    /// <summary>Size of a pointer in the recorded process.</summary>
    internal int PointerBytes => _layout.Header.PointerBytes;

    /// <summary>Size of the file.</summary>
    public long FileBytes => _layout.FileBytes;

    /// <summary>Opens a file with known event kinds.</summary>
    /// <exception cref="TraceFormatException">The file is empty, not a .nettrace file, or cut before its first object ends.</exception>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static NetTraceSource Open(string path, EventKinds kinds) => new(NetTraceLayout.Scan(path), kinds);

    /// <summary>Opens a file without its recording; one pass finds its event kinds.</summary>
    /// <exception cref="TraceFormatException">The file is empty, not a .nettrace file, or cut before its first object ends.</exception>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static NetTraceSource Open(string path) => Open(NetTraceLayout.Scan(path));

    /// <summary>Whether a file starts like a .nettrace file, even an unreadable one.</summary>
    /// <exception cref="IOException">It cannot be opened.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied, or the path is a folder.</exception>
    public static bool IsNetTrace(string path)
    {
        using var file = PackedFile.OpenRead(path, 0);
        Span<byte> magic = stackalloc byte[NetTraceLayout.Magic.Length];
        return file.ReadAtLeast(magic, magic.Length, throwOnEndOfStream: false) == magic.Length
            && magic.SequenceEqual(NetTraceLayout.Magic);
    }

    /// <summary>Opens a scanned file.</summary>
    internal static NetTraceSource Open(NetTraceLayout layout)
    {
        var hub = EventHub.LookingForKinds();
        var (command, runtime) = ("", "");
        var result = new NetTraceSource(layout, EventKinds.All).Read(
            hub,
            isFiltered: true,
            (in NetTraceEvent item) =>
            {
                if (
                    item.Type.EventId == ProcessPayload.RuntimeInformation
                    && runtime.Length == 0
                    && ClrEventDispatcher.Knows(item.Type.Provider)
                )
                    runtime = ProcessPayload.ReadVersion(item.Payload) is { Length: > 0 } version ? $".NET {version}" : "";
                else if (item.Type.IsProcessInfo)
                    command = ProcessPayload.ReadCommandLine(item.Payload);
            }
        );
        return new NetTraceSource(layout, hub.Seen)
        {
            CommandLine = command,
            RuntimeVersion = runtime,
            _result = result,
        };
    }

    /// <summary>
    /// Treats a file that just ends as complete if it has everything that its killed process wrote. Events of its last 0.1 s may then be
    /// missing (the pause between two writes of a stream, ep-session.c of dotnet/runtime).
    /// </summary>
    /// <param name="receivedBytes">Bytes that the recorder received until the stream's end.</param>
    /// <returns>Whether the file is complete.</returns>
    public bool EndsWithItsProcess(long receivedBytes)
    {
        var cut = _layout.Damage;
        if (!_layout.EndsWithItsProcess(receivedBytes))
            return false;
        if (_result?.Damage == cut)
            _result = _result! with { Damage = null };
        return true;
    }

    /// <summary>Returns the same file with samples of the sample profiler weighted by the clocks of their threads.</summary>
    /// <param name="clocks">Provides the clocks, in ticks of this file.</param>
    internal NetTraceSource WithClocks(ITraceSource clocks) =>
        new(_layout, Kinds, clocks) { Details = Details | EventDetails.ClockedSamples };

    /// <summary>Start of the session, UTC: the time of the clock's origin.</summary>
    public DateTime StartUtc => _layout.Header.StartUtc;

    /// <inheritdoc />
    public TraceReadResult Read(EventHub hub) => Read(hub, isFiltered: true, raw: null);

    /// <summary>Reads the file and also delivers every raw event.</summary>
    /// <param name="hub">Receives the events that it wants.</param>
    /// <param name="everyEvent">Receives every event.</param>
    /// <exception cref="IOException">The file became unreadable.</exception>
    internal TraceReadResult Read(EventHub hub, NetTraceEventAction everyEvent) => Read(hub, isFiltered: false, everyEvent);

    /// <summary>Opens the file for reading event by event.</summary>
    /// <exception cref="IOException">The file cannot be opened.</exception>
    internal NetTraceReader OpenReader() => new(_layout);

    /// <summary>Reads the file.</summary>
    /// <param name="hub">Receives the events that it wants.</param>
    /// <param name="isFiltered">Whether to read only what the hub wants, and what describes the process.</param>
    /// <param name="raw">Receives all that is read; null for none.</param>
    private TraceReadResult Read(EventHub hub, bool isFiltered, NetTraceEventAction? raw)
    {
        ArgumentNullException.ThrowIfNull(hub);
        var dispatcher = new NetTraceDispatcher(hub, _layout.Header.PointerBytes, hub.Wants<CpuSample>() ? ReadClocks(hub) : null);
        using var reader = new NetTraceReader(_layout, isFiltered ? dispatcher : null) { SkipsBlocks = _result is not null };
        while (reader.TryRead(out var item))
        {
            raw?.Invoke(item);
            dispatcher.OnEvent(item);
        }

        dispatcher.Finish();
        var origin = Clock.OriginTicks;
        return _result ??= new TraceReadResult(
            dispatcher.Events,
            reader.LostEvents,
            dispatcher.Events > 0 ? dispatcher.FirstTime : origin,
            Math.Max(dispatcher.LastTime, origin),
            reader.Damage
        )
        {
            Gaps = reader.Gaps,
        };
    }

    private ClockedSamples? ReadClocks(EventHub hub)
    {
        if (_clocks is null)
            return null;
        var table = new ThreadClockTable(Clock.TicksPerSecond);
        _clocks.Read(table, EventKinds.ThreadClocks);
        var isStepped = _clocks is PerfDataSource { HasSteppedClocks: true };
        return new ClockedSamples(hub, table, ProcessId, ClockedSamples.Window(Clock.TicksPerSecond, isStepped));
    }
}
