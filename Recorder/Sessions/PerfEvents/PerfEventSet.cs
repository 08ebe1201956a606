using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.PerfEvents;

/// <summary>The opened events of a session and their rings, one per CPU. Disposing closes all of them.</summary>
internal sealed unsafe class PerfEventSet : IDisposable
{
    /// <summary>The process id with which perf_event_open covers every thread of the machine.</summary>
    private static readonly int[] s_allThreads = [-1];

    private readonly List<int> _descriptors = [];
    private readonly List<PerfRing> _rings = [];

    /// <summary>File descriptors of each event.</summary>
    private readonly List<List<int>> _byEvent = [];

    /// <summary>The event that owns each ring; the other events of that CPU are redirected to it.</summary>
    private readonly List<int> _owners = [];

    private PerfEventSet() { }

    /// <summary>The events with their ids in the plan's order, for the header of perf.data.</summary>
    public IReadOnlyList<PerfEvent> Events { get; private set; } = [];

    /// <summary>The rings.</summary>
    public IReadOnlyList<PerfRing> Rings => _rings;

    /// <summary>The events to wait on, one per ring.</summary>
    public IReadOnlyList<int> Owners => _owners;

    /// <summary>Size of each ring in bytes.</summary>
    public int RingBytes { get; private set; }

    /// <summary>Opens the planned events.</summary>
    /// <param name="plan">The plan.</param>
    /// <param name="threads">Threads to open them on, except for events that cover the whole machine.</param>
    /// <exception cref="PerfEventException">The system refuses; the exception has the fix.</exception>
    public static PerfEventSet Open(PerfEventPlan plan, IReadOnlyList<int> threads)
    {
        var set = new PerfEventSet();
        try
        {
            set.OpenAll(plan, threads);
            return set;
        }
        catch
        {
            set.Dispose();
            throw;
        }
    }

    /// <summary>Starts counting. Needed unless the events start with the program (enable_on_exec).</summary>
    public void Enable() => ControlAll(PerfNative.IoctlEnable);

    /// <summary>Stops counting, also in inherited events.</summary>
    public void Disable() => ControlAll(PerfNative.IoctlDisable);

    /// <summary>Starts or stops one event, also where it was inherited.</summary>
    /// <param name="index">Index of the event in <see cref="Events"/>.</param>
    /// <param name="isOn">Whether to start it.</param>
    public void Switch(int index, bool isOn)
    {
        foreach (var descriptor in _byEvent[index])
            _ = PerfNative.Control(descriptor, isOn ? PerfNative.IoctlEnable : PerfNative.IoctlDisable, 0);
    }

    /// <summary>
    /// Number of records that did not fit into a ring, for all events together; 0 before kernel 6.0, which does not report it.
    /// </summary>
    public long ReadLost()
    {
        if (Events.Count == 0 || Events[0].Settings.ReadFormat == 0)
            return 0;
        var lost = 0L;
        var values = stackalloc long[2]; // count, lost
        foreach (var descriptor in _descriptors)
        {
            if (PerfNative.Read(descriptor, values, 16) == 16)
                lost += values[1];
        }

        return lost;
    }

    public void Dispose()
    {
        foreach (var ring in _rings)
            ring.Dispose();
        _rings.Clear();
        foreach (var descriptor in _descriptors)
            _ = PerfNative.Close(descriptor);
        _descriptors.Clear();
        _byEvent.Clear();
        _owners.Clear();
    }

    private void OpenAll(PerfEventPlan plan, IReadOnlyList<int> threads)
    {
        var planned = OmitUnsupported(plan, threads);
        var byCpu = new List<List<(int Descriptor, int Event)>>();
        foreach (var cpu in OnlineCpus.Read())
        {
            var opened = new List<(int, int)>();
            for (var index = 0; index < planned.Count; index++)
            {
                foreach (var thread in planned[index].AllThreads ? s_allThreads : threads)
                {
                    var descriptor = Open(planned[index].Settings, thread, cpu, out var error);
                    if (descriptor >= 0)
                        opened.Add((descriptor, index));
                    // The thread has ended, or the CPU was switched off.
                    else if (error is not (PerfNative.NoSuchProcess or PerfNative.NoSuchDevice))
                        throw Refused(planned[index].Name, error);
                }
            }

            if (opened.Count > 0)
                byCpu.Add(opened);
        }

        if (!byCpu.Exists(cpu => cpu[0].Event == 0))
            throw new PerfEventException("no thread to record: the process has ended", "name a running process", PerfNative.NoSuchProcess);
        MapRings(plan.RingBytes, [.. byCpu.Select(cpu => cpu[0].Descriptor)]);
        var ids = planned.Select(_ => new List<ulong>()).ToList();
        _byEvent.AddRange(planned.Select(_ => new List<int>()));
        foreach (var cpu in byCpu)
        {
            foreach (var (descriptor, index) in cpu)
            {
                if (descriptor != cpu[0].Descriptor && PerfNative.Control(descriptor, PerfNative.IoctlSetOutput, cpu[0].Descriptor) != 0)
                    throw Refused(planned[index].Name, Marshal.GetLastPInvokeError());
                ulong id;
                if (PerfNative.Control(descriptor, PerfNative.IoctlId, (nint)(&id)) != 0)
                    throw Refused(planned[index].Name, Marshal.GetLastPInvokeError());
                ids[index].Add(id);
                _byEvent[index].Add(descriptor);
            }
        }

        Events = [.. planned.Select((item, index) => new PerfEvent(item.Name, item.Settings.WithUnlistedDump(), ids[index]))];
    }

    /// <summary>Omits features that older kernels lack: build ids in mappings (5.12), lost counts (6.0).</summary>
    private List<PlannedPerfEvent> OmitUnsupported(PerfEventPlan plan, IReadOnlyList<int> threads)
    {
        var variants = new Func<PerfEventSettings, PerfEventSettings>[]
        {
            settings => settings,
            settings => settings with { ReadFormat = 0 },
            settings => settings with { ReadFormat = 0, Bits = settings.Bits & ~PerfEventBits.BuildId },
        };
        var cpu = OnlineCpus.Read()[0];
        foreach (var variant in variants)
        {
            List<PlannedPerfEvent> planned =
            [
                .. plan.Events.Select(item =>
                    item with
                    {
                        Settings = variant(item.Settings) with { WakeupWatermark = (uint)plan.RingBytes / 4 },
                    }
                ),
            ];
            var descriptor = Open(planned[0].Settings, planned[0].AllThreads ? -1 : threads[0], cpu, out var error);
            if (descriptor >= 0)
            {
                _ = PerfNative.Close(descriptor);
                _descriptors.Remove(descriptor);
                return planned;
            }

            if (error is PerfNative.NoSuchProcess or PerfNative.NoSuchDevice)
                return planned;
            if (error is not (PerfNative.InvalidArgument or PerfNative.TooLarge))
                throw Refused(planned[0].Name, error);
        }

        throw Refused(plan.Events[0].Name, PerfNative.InvalidArgument);
    }

    private int Open(PerfEventSettings settings, int thread, int cpu, out int error)
    {
        Span<byte> bytes = stackalloc byte[PerfEventSettings.Size];
        settings.Write(bytes);
        var descriptor = PerfNative.Open(bytes, thread, cpu);
        error = descriptor < 0 ? Marshal.GetLastPInvokeError() : 0;
        if (descriptor >= 0)
            _descriptors.Add(descriptor);
        return descriptor;
    }

    /// <summary>Maps rings of one size, the largest permitted one: other sessions of the user may already use locked memory.</summary>
    private void MapRings(int preferred, IReadOnlyList<int> owners)
    {
        for (var bytes = preferred; ; bytes /= 2)
        {
            var error = 0;
            foreach (var owner in owners)
            {
                if (PerfRing.TryMap(owner, bytes, out error) is not { } ring)
                    break;
                _rings.Add(ring);
            }

            if (error == 0)
            {
                RingBytes = bytes;
                _owners.AddRange(owners);
                return;
            }

            _rings.ForEach(ring => ring.Dispose());
            _rings.Clear();
            if (error is not (PerfNative.NotPermitted or PerfNative.OutOfMemory) || bytes <= Environment.SystemPageSize)
            {
                throw new PerfEventException(
                    $"no ring can be mapped ({Marshal.GetPInvokeErrorMessage(error)})",
                    "raise 'ulimit -l' or kernel.perf_event_mlock_kb, or end other perf sessions",
                    error
                );
            }
        }
    }

    private void ControlAll(nuint request)
    {
        foreach (var descriptor in _descriptors)
            _ = PerfNative.Control(descriptor, request, 0);
    }

    private static PerfEventException Refused(string name, int error)
    {
        var fix = error switch
        {
            PerfNative.NotPermitted or PerfNative.AccessDenied => PerfEventPermissions.Read() is { OwnProcesses: false } permissions
                ? permissions.Fix
                : "the process belongs to another user, or the container's seccomp profile forbids perf_event_open: run as its user or as root, or start the container with --cap-add PERFMON (docs/containers.md)",
            PerfNative.TooManyOpenFiles => "an event needs an open file per thread and CPU: raise 'ulimit -n'",
            PerfNative.NotImplemented => "boot a kernel that is built with CONFIG_PERF_EVENTS, or launch the program with --sampler ptrace",
            PerfNative.NoSuchProcess => "name a running process: this one has ended",
            _ => "",
        };
        return new PerfEventException($"event {name} cannot be opened ({Marshal.GetPInvokeErrorMessage(error)})", fix, error);
    }
}
