using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// The mapped files of a process and the names of its threads. Filled by a pass over <see cref="EventKinds.ProcessLayout"/>.
/// </summary>
/// <param name="texts">Has the paths: several processes map the same files. Null for those of this process alone.</param>
public sealed class ProcessLayout(TextPool? texts = null) : IEventSubscriber
{
    /// <summary>Several times the threads that the runtime creates before it loads the class library, some 10.</summary>
    private const int MaxFirstThreads = 100;

    /// <summary>The mappings, by number in the timeline.</summary>
    private readonly List<FileMapping> _mappings = [];
    private readonly AddressTimeline _timeline = new();
    private readonly Dictionary<long, string> _threads = [];
    private readonly List<ThreadCreated> _firstThreads = [];

    /// <summary>Timeline number of each current mapping by start address.</summary>
    private readonly Dictionary<ulong, int> _lasting = [];

    /// <summary>Length of the mappings at a start address; 0 if they had different lengths.</summary>
    private readonly Dictionary<ulong, ulong> _lengths = [];

    /// <summary>The first threads created in the recording, in order; the runtime's own are among them.</summary>
    public IReadOnlyList<ThreadCreated> FirstThreads => _firstThreads;

    /// <summary>Anonymous memory into which the runtime writes code.</summary>
    internal AnonymousCode Anonymous { get; } = new();

    /// <summary>Address range of the kernel's code; null when unknown.</summary>
    public KernelMapping? Kernel { get; private set; }

    /// <summary>Whether the mappings include images of a Windows kernel.</summary>
    public bool HasKernelImages { get; private set; }

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        if (texts is not null)
            hub.Texts = texts;
        hub.Subscribe<FileMapping>(OnFileMapped);
        hub.Subscribe<FileUnmapped>(OnFileUnmapped);
        hub.Subscribe<KernelMapping>(OnKernelMapped);
        hub.Subscribe<ProgramReplaced>(OnProgramReplaced);
        hub.Subscribe<ThreadCreated>(OnThreadCreated);
        hub.Subscribe<ThreadNamed>(OnThreadNamed);
    }

    private void OnFileMapped(in FileMapping mapping)
    {
        if (_timeline.Add(mapping.Start, mapping.Length, mapping.At.Time) is var number and >= 0)
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
        if (_firstThreads.Count < MaxFirstThreads)
            _firstThreads.Add(created);
        if (_threads.TryGetValue(created.ParentThreadId, out var name))
            _threads[created.At.ThreadId] = name;
    }

    private void OnThreadNamed(in ThreadNamed named) => _threads[named.At.ThreadId] = named.Name;

    /// <summary>Whether mappings of several lengths started at this address, as memory that grows bit by bit does.</summary>
    public bool HasGrown(ulong start) => _lengths.GetValueOrDefault(start, 1UL) == 0;

    /// <summary>The last name of a thread; empty when unknown.</summary>
    public string ThreadName(long thread) => _threads.GetValueOrDefault(thread, "");

    /// <summary>Looks up the file mapped at an address.</summary>
    /// <param name="address">The address.</param>
    /// <param name="time">Time in ticks of the trace's clock.</param>
    /// <param name="mapping">The mapping.</param>
    /// <param name="validFrom">Start of the interval in which the answer holds.</param>
    /// <param name="validTo">End, exclusive.</param>
    public bool TryFind(ulong address, long time, out FileMapping mapping, out long validFrom, out long validTo)
    {
        var number = _timeline.Find(address, time, out validFrom, out validTo);
        mapping = number >= 0 ? _mappings[number] : default;
        return number >= 0;
    }
}
