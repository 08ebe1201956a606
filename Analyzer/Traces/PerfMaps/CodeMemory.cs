using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.PerfMaps;

/// <summary>
/// Memory of a process in which code was. It says whether a file of names is of the process: ids of processes are used again and files stay, but addresses are random, and the code of another process does not lie there.
/// </summary>
internal sealed class CodeMemory : IEventSubscriber
{
    /// <summary>Smallest part of the code in a file that lies in the memory of its process. Recordings do not show memory that becomes code by mprotect, as most of the runtime's helpers do; another process's code lies there by chance only.</summary>
    private const double MinShare = 0.1;

    private readonly List<FileMapping> _mappings = [];

    /// <summary>Reads the mappings of a process.</summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static CodeMemory Of(ITraceSource source)
    {
        var memory = new CodeMemory();
        source.Read(memory);
        return memory;
    }

    /// <summary>What was mapped with the right to execute, in order of time.</summary>
    public IReadOnlyList<FileMapping> Mappings => _mappings;

    /// <inheritdoc />
    public void Subscribe(EventHub hub) => hub.Subscribe((in FileMapping mapping) => _mappings.Add(mapping));

    /// <summary>Whether code with these first addresses is that of the process.</summary>
    /// <param name="starts">First addresses.</param>
    /// <param name="inFiles">Whether code in a mapped file counts, too; else only code in memory without a file.</param>
    public bool Holds(IEnumerable<ulong> starts, bool inFiles)
    {
        var ranges = _mappings.Where(mapping => inFiles || SymbolResolver.IsMemory(mapping.Path)).Select(mapping => (mapping.Start, End: mapping.Start + mapping.Length)).ToList();
        var (inside, all) = (0, 0);
        foreach (var start in starts)
        {
            all++;
            inside += ranges.Exists(range => start >= range.Start && start < range.End) ? 1 : 0;
        }

        return all > 0 && inside >= MinShare * all;
    }
}
