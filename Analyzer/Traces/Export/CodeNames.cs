using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfMaps;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Collects stack addresses outside of methods and writes their names at the end of the trace: symbols of ELF files, the kernel and perf
/// maps, and the runtime's stubs. Tools for .etl files cannot read these sources. Memory grows with the number of distinct addresses.
/// </summary>
/// <param name="processId">The process; 0 for the kernel's code.</param>
/// <param name="resolver">Names them.</param>
/// <param name="layout">Finds their files.</param>
internal sealed class CodeNames(int processId, SymbolResolver resolver, ProcessLayout layout)
{
    /// <summary>
    /// Ids of modules that are not assemblies; the runtime's ids are addresses of the program. The kernel's belong to all processes.
    /// </summary>
    private const long FirstModule = 0x6573_7000_0000_0000;
    private const long FirstKernelModule = FirstModule + (1L << 32);

    private static readonly Guid s_rundown = new("a669021c-c450-4609-a035-5af59af4df18");

    /// <summary>Symbol and file of each address.</summary>
    private readonly Dictionary<ulong, (int Symbol, string Path)> _addresses = [];

    /// <summary>Signature of each symbol, indexed by symbol id; empty when the symbol needs no name, null when not computed yet.</summary>
    private readonly List<string?> _signatures = [];

    /// <summary>Number of addresses that had another meaning before.</summary>
    public long Ambiguous { get; private set; }

    /// <summary>Adds an address of a stack.</summary>
    /// <param name="address">The address; for a caller, an address inside its call instruction.</param>
    /// <param name="time">When it was on a stack.</param>
    /// <param name="isKernel">Whether it is a kernel address.</param>
    public void Add(ulong address, long time, bool isKernel)
    {
        var symbol = resolver.Resolve(address, time, isKernel);
        while (_signatures.Count <= symbol)
            _signatures.Add(null);
        if ((_signatures[symbol] ??= CodeNamePayload.SignatureOf(resolver.Symbols[symbol])).Length == 0)
            return;
        if (!_addresses.TryGetValue(address, out var known))
            _addresses.Add(address, (symbol, PathOf(address, time, resolver.Symbols[symbol].Module)));
        else if (known.Symbol != symbol)
            Ambiguous++;
    }

    /// <summary>The named ranges by address; a range covers consecutive addresses of the same function.</summary>
    public IEnumerable<CodeRange> Ranges()
    {
        var sorted = _addresses.OrderBy(pair => pair.Key).ToArray();
        for (var i = 0; i < sorted.Length;)
        {
            var (start, meaning) = sorted[i];
            var symbol = resolver.Symbols[meaning.Symbol];
            var end = start;

            // Methods may lie between addresses of runtime-generated code.
            for (i++; i < sorted.Length && sorted[i].Value == meaning && symbol.Kind != CodeKind.Managed; i++)
                end = sorted[i].Key;

            // Other tools look up the return address itself, which follows the call.
            end += i < sorted.Length && sorted[i].Key == end + 1 ? 0UL : 1;
            yield return new CodeRange(start, end, symbol, _signatures[meaning.Symbol]!, meaning.Path);
        }
    }

    /// <summary>Writes the names.</summary>
    /// <returns>Ranges written.</returns>
    public long Write(EtlWriter writer, long time)
    {
        var modules = new Dictionary<string, long>();
        var ranges = 0L;
        foreach (var range in Ranges())
        {
            if (!modules.TryGetValue(range.Path, out var module))
            {
                modules.Add(range.Path, module = (processId == 0 ? FirstKernelModule : FirstModule) + modules.Count);
                Write(writer, time, CodeNamePayload.ModuleEvent, CodeNamePayload.Module(module, range.Path));
            }

            var bytes = (uint)Math.Min(range.Last - range.Start + 1, uint.MaxValue);
            Write(
                writer,
                time,
                CodeNamePayload.MethodEvent,
                CodeNamePayload.Method(
                    range.Symbol.IsOfFile ? range.Symbol.MethodId : (long)range.Start,
                    range.Start,
                    bytes,
                    module,
                    range.Type,
                    range.Name,
                    range.Signature,
                    range.Symbol.IsOfFile ? CodeTier.ReadyToRun : CodeTier.Unknown
                )
            );
            ranges++;
        }

        return ranges;
    }

    private void Write(EtlWriter writer, long time, ushort id, byte[] payload) => writer.Write(RundownEvent(processId, time, id), payload);

    /// <summary>Header of an event of the rundown.</summary>
    public static EtlEventFields RundownEvent(int processId, long time, ushort id) =>
        new()
        {
            HeaderType = EtlHeaderType.Event64,
            Timestamp = time,
            ProcessId = processId,
            ThreadId = processId,
            ProviderId = s_rundown,
            Id = id,
            Version = CodeNamePayload.Version,
            Level = id == CodeNamePayload.MethodEvent ? (byte)5 : (byte)4,
            Opcode = id == CodeNamePayload.MethodEvent ? (byte)40 : (byte)36, // as in ClrEtwAll.man: MethodDCEndVerbose, DCEnd
            Task = id == CodeNamePayload.MethodEvent ? (ushort)1 : (ushort)2,
            Keywords = id == CodeNamePayload.MethodEvent ? 0x30UL : 0x8UL,
        };

    /// <summary>The file of an address if it has the module's name; else the module's name.</summary>
    private string PathOf(ulong address, long time, string module) =>
        layout.TryFind(address, time, out var mapping, out _, out _) && mapping.Path.EndsWith("/" + module, StringComparison.Ordinal)
            ? mapping.Path
            : module;
}

/// <summary>Named code.</summary>
/// <param name="Start">First address.</param>
/// <param name="Last">Last address.</param>
/// <param name="Symbol">Its symbol.</param>
/// <param name="Signature">Kind of code, for people.</param>
/// <param name="Path">Its file.</param>
internal readonly record struct CodeRange(ulong Start, ulong Last, CodeSymbol Symbol, string Signature, string Path)
{
    /// <summary>Type of a method; empty for other code.</summary>
    public string Type => Symbol.IsOfFile ? Symbol.TypeName : "";

    /// <summary>Name without its type.</summary>
    public string Name => Symbol.IsOfFile && Type.Length > 0 ? Symbol.Name[(Type.Length + 1)..] : Symbol.Name;

    /// <summary>The name as the runtime writes it into a perf map; empty for runtime code of unknown kind.</summary>
    public string MapText =>
        Symbol switch
        {
            { IsOfFile: true } => new DotNetMapName(
                System.IO.Path.GetFileNameWithoutExtension(Path),
                Type,
                Name,
                Signature,
                CodeTier.ReadyToRun
            ).ToString(),
            { Kind: CodeKind.Managed, IsStub: false, IsNamed: false } => "",
            { Kind: CodeKind.Managed } => DotNetMapName.StubText(Symbol.Name),
            _ => Symbol.Name,
        };
}
