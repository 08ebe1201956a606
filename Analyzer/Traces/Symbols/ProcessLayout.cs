using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>Which files lie where in a process, and how its threads are called. Filled by a pass over <see cref="EventKinds.ProcessLayout"/>.</summary>
public sealed class ProcessLayout : IEventSubscriber
{
    private readonly List<FileMapping> _mappings = [];
    private readonly AddressTimeline _timeline = new();
    private readonly Dictionary<long, string> _threads = [];

    /// <summary>By start address: number of the mapping in the timeline, while it lasts.</summary>
    private readonly Dictionary<ulong, int> _lasting = [];

    /// <summary>First length of the mappings at a start address; 0 once another one was seen.</summary>
    private readonly Dictionary<ulong, ulong> _lengths = [];

    /// <summary>Memory without a file that the runtime makes code in.</summary>
    internal AnonymousCode Anonymous { get; } = new();

    /// <summary>Where the kernel's code lies, null when the trace does not say.</summary>
    public KernelMapping? Kernel { get; private set; }

    /// <summary>Whether the images of a kernel of Windows are among the mappings.</summary>
    public bool HasKernelImages { get; private set; }

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<FileMapping>(OnFileMapped);
        hub.Subscribe<FileUnmapped>(OnFileUnmapped);
        hub.Subscribe<KernelMapping>(OnKernelMapped);
        hub.Subscribe<ProgramReplaced>(OnProgramReplaced);
        hub.Subscribe<ThreadCreated>(OnThreadCreated);
        hub.Subscribe<ThreadNamed>(OnThreadNamed);
    }

    private void OnFileMapped(in FileMapping mapping)
    {
        if (_timeline.Add(mapping.Start, mapping.Length, mapping.At.Time, _mappings.Count) is var number and >= 0)
        {
            _mappings.Add(mapping);
            _lasting[mapping.Start] = number;
            Anonymous.Add(mapping);
            HasKernelImages |= mapping.Start >> 63 != 0 && mapping.Path.Contains('\\', StringComparison.Ordinal);
        }

        if (!_lengths.TryAdd(mapping.Start, mapping.Length) && _lengths[mapping.Start] != mapping.Length)
            _lengths[mapping.Start] = 0;
    }

    private void OnFileUnmapped(in FileUnmapped unmapped)
    {
        if (_lasting.Remove(unmapped.Start, out var number))
            _timeline.End(number, unmapped.At.Time);
    }

    private void OnKernelMapped(in KernelMapping mapping) => Kernel = mapping;

    private void OnProgramReplaced(in ProgramReplaced replaced) => _timeline.EndAll(replaced.At.Time);

    private void OnThreadCreated(in ThreadCreated created)
    {
        if (_threads.TryGetValue(created.ParentThreadId, out var name))
            _threads[created.At.ThreadId] = name;
    }

    private void OnThreadNamed(in ThreadNamed named) => _threads[named.At.ThreadId] = named.Name;

    /// <summary>Whether mappings of several lengths were made at a start address: memory that was taken into use bit by bit.</summary>
    public bool HasGrown(ulong start) => _lengths.GetValueOrDefault(start, 1UL) == 0;

    /// <summary>The last name a thread had, empty when it is not known.</summary>
    public string ThreadName(long thread) => _threads.GetValueOrDefault(thread, "");

    /// <summary>Looks up which file is mapped at an address.</summary>
    /// <param name="address">The address.</param>
    /// <param name="time">Time in ticks of the trace's clock.</param>
    /// <param name="mapping">The mapping.</param>
    /// <param name="validFrom">Start of the interval in which the answer holds.</param>
    /// <param name="validTo">End, exclusive.</param>
    public bool TryFind(ulong address, long time, out FileMapping mapping, out long validFrom, out long validTo)
    {
        _timeline.Find(address, time, out var found, out validFrom, out validTo);
        mapping = found.Value >= 0 ? _mappings[found.Value] : default;
        return found.Value >= 0;
    }
}
