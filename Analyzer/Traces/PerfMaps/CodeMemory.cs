using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.PerfMaps;

/// <summary>
/// Executable memory of a process. It shows whether a file of names belongs to the process: process ids are reused and files remain, but
/// addresses are random, so other processes' code is elsewhere.
/// </summary>
internal sealed class CodeMemory : IEventSubscriber
{
    /// <summary>
    /// Minimum share of a file's code in the memory of its process. Recordings do not show memory that becomes executable by mprotect, like
    /// that of most runtime helpers; another process's code is there only by chance.
    /// </summary>
    private const double MinShare = 0.1;

    private readonly List<FileMapping> _mappings = [];

    /// <summary>Reads the mappings of a process.</summary>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static CodeMemory Of(ITraceSource source)
    {
        var memory = new CodeMemory();
        source.Read(memory);
        return memory;
    }

    /// <summary>Executable mappings in time order.</summary>
    public IReadOnlyList<FileMapping> Mappings => _mappings;

    /// <inheritdoc />
    public void Subscribe(EventHub hub) => hub.Subscribe((in FileMapping mapping) => _mappings.Add(mapping));

    /// <summary>Whether code with these start addresses belongs to the process.</summary>
    /// <param name="starts">First addresses.</param>
    /// <param name="inFiles">Whether code in mapped files counts, too; else only code in memory without a file.</param>
    public bool Holds(IEnumerable<ulong> starts, bool inFiles)
    {
        var ranges = _mappings
            .Where(mapping => inFiles || AddressNames.IsMemory(mapping.Path))
            .Select(mapping => (mapping.Start, End: mapping.Start + mapping.Length))
            .ToList();
        var (inside, all) = (0, 0);
        foreach (var start in starts)
        {
            all++;
            inside += ranges.Exists(range => start >= range.Start && start < range.End) ? 1 : 0;
        }

        return all > 0 && inside >= MinShare * all;
    }
}
