using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfMaps;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Export;

/// <summary>
/// Collects the addresses of stacks that are no methods, and writes their names at the end of the trace: of symbols of ELF files, the kernel and perf maps, and of the runtime's stubs. Tools for
/// .etl files read none of these. Memory grows with the distinct addresses.
/// </summary>
/// <param name="processId">The process; 0 for the kernel's code.</param>
/// <param name="resolver">Names them.</param>
/// <param name="layout">Says in which files they lie.</param>
internal sealed class CodeNames(int processId, SymbolResolver resolver, ProcessLayout layout)
{
    /// <summary>Ids of modules that are no assemblies: the runtime's are addresses of the program. The kernel's belong to all processes.</summary>
    private const long FirstModule = 0x6573_7000_0000_0000;
    private const long FirstKernelModule = FirstModule + (1L << 32);

    private static readonly Guid s_rundown = new("a669021c-c450-4609-a035-5af59af4df18");

    /// <summary>By address: the symbol, and the path of its file.</summary>
    private readonly Dictionary<ulong, (int Symbol, string Path)> _addresses = [];

    /// <summary>Signature of each symbol, indexed by symbol id; empty when the symbol needs no name, null when it was not asked for yet.</summary>
    private readonly List<string?> _signatures = [];

    /// <summary>Addresses that meant something else before.</summary>
    public long Ambiguous { get; private set; }

    /// <summary>Notes an address of a stack.</summary>
    /// <param name="address">The address; of a caller one that lies in its call.</param>
    /// <param name="time">When it was on a stack.</param>
    /// <param name="isKernel">Whether it is an address of the kernel.</param>
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

    /// <summary>The named ranges, by address: addresses of one function without one of another between them.</summary>
    public IEnumerable<CodeRange> Ranges()
    {
        var sorted = _addresses.OrderBy(pair => pair.Key).ToArray();
        for (var i = 0; i < sorted.Length;)
        {
            var (start, meaning) = sorted[i];
            var symbol = resolver.Symbols[meaning.Symbol];
            var end = start;

            // What the runtime made may have methods between.
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
            Write(writer, time, CodeNamePayload.MethodEvent, CodeNamePayload.Method(range.Symbol.IsOfFile ? range.Symbol.MethodId : (long)range.Start, range.Start, bytes, module, range.Type, range.Name, range.Signature, range.Symbol.IsOfFile ? CodeTier.ReadyToRun : CodeTier.Unknown));
            ranges++;
        }

        return ranges;
    }

    private void Write(EtlWriter writer, long time, ushort id, byte[] payload) => writer.Write(RundownEvent(processId, time, id), payload);

    /// <summary>Header of an event of the rundown.</summary>
    public static EtlEventFields RundownEvent(int processId, long time, ushort id) => new()
    {
        HeaderType = EtlHeaderType.Event64,
        Timestamp = time,
        ProcessId = processId,
        ThreadId = processId,
        ProviderId = s_rundown,
        Id = id,
        Version = CodeNamePayload.Version,
        Level = id == CodeNamePayload.MethodEvent ? (byte)5 : (byte)4,
        Opcode = id == CodeNamePayload.MethodEvent ? (byte)40 : (byte)36, // as ClrEtwAll.man has them: MethodDCEndVerbose, DCEnd
        Task = id == CodeNamePayload.MethodEvent ? (ushort)1 : (ushort)2,
        Keywords = id == CodeNamePayload.MethodEvent ? 0x30UL : 0x8UL,
    };

    /// <summary>The file that an address lies in, as long as that has the module's name; else the module's name.</summary>
    private string PathOf(ulong address, long time, string module) =>
        layout.TryFind(address, time, out var mapping, out _, out _) && mapping.Path.EndsWith("/" + module, StringComparison.Ordinal) ? mapping.Path : module;
}

/// <summary>Code that has a name.</summary>
/// <param name="Start">First address.</param>
/// <param name="Last">Last address.</param>
/// <param name="Symbol">What it is.</param>
/// <param name="Signature">What kind of code it is, for people.</param>
/// <param name="Path">Its file.</param>
internal readonly record struct CodeRange(ulong Start, ulong Last, CodeSymbol Symbol, string Signature, string Path)
{
    /// <summary>Type of a method; empty for other code.</summary>
    public string Type => Symbol.IsOfFile ? Symbol.TypeName : "";

    /// <summary>Name without the type.</summary>
    public string Name => Symbol.IsOfFile && Type.Length > 0 ? Symbol.Name[(Type.Length + 1)..] : Symbol.Name;

    /// <summary>The name as the runtime writes it into a perf map; empty for code of the runtime's of which not even the kind is known.</summary>
    public string MapText => Symbol switch
    {
        { IsOfFile: true } => new DotNetMapName(System.IO.Path.GetFileNameWithoutExtension(Path), Type, Name, Signature, CodeTier.ReadyToRun).ToString(),
        { Kind: CodeKind.Managed, IsStub: false, IsNamed: false } => "",
        { Kind: CodeKind.Managed } => DotNetMapName.StubText(Symbol.Name),
        _ => Symbol.Name,
    };
}
