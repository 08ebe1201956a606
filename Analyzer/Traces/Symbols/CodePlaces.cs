using System.Runtime.InteropServices;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces.Symbols.Unwinding;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// Determines how to find the callers of a process's code. Repeated lookups of an address are served from a cache without allocating.
/// </summary>
/// <param name="code">The process's methods.</param>
/// <param name="methods">Code that the trace names.</param>
/// <param name="layout">The process's files.</param>
/// <param name="files">Call frame information of files.</param>
internal sealed class CodePlaces(ProcessCode code, ManagedCodeMap methods, ProcessLayout layout, SymbolFiles files)
{
    private readonly AddressCache _cache = new();

    /// <summary>The places that the cache's numbers refer to.</summary>
    private readonly Interner<CodePlace> _places = new();

    /// <summary>Methods by the start of their code and by the time of its generation, because other code can replace it.</summary>
    private readonly Dictionary<(ulong Start, long Time), MethodPlace> _methods = [];

    /// <summary>What an address means.</summary>
    /// <param name="address">The address; for a caller, an address inside its call instruction.</param>
    /// <param name="time">Time of execution, in ticks of the trace's clock.</param>
    public CodePlace At(ulong address, long time)
    {
        var number = _cache.Find(address, time);
        if (number < 0)
        {
            var (place, from, to) = Find(address, time);
            _cache.Set(address, number = _places.GetOrAdd(place), from, to);
        }

        return _places[number];
    }

    private (CodePlace Place, long From, long To) Find(ulong address, long time)
    {
        if (code.TryFind(address, time, out var found, out var tree, out var from, out var to))
        {
            ref var method = ref CollectionsMarshal.GetValueRefOrAddDefault(_methods, (found.Start, found.At.Time), out _);
            return (new CodePlace(CodePlaceKind.Method, Method: method ??= new MethodPlace(found, tree)), from, to);
        }

        var kind = CodePlaceKind.None;
        UnwindRow row = default;
        if (layout.TryFind(address, time, out var mapping, out var mappedFrom, out var mappedTo))
        {
            if (RuntimeStubs.NameOf(mapping, layout, methods) is not null)
                kind = CodePlaceKind.Stub;
            else
                kind =
                    files.Image(mapping) is { } image && image.TryFindUnwindRow(address - mapping.Start + mapping.FileOffset, out row)
                        ? CodePlaceKind.Described
                    : mapping.Path.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) ? CodePlaceKind.PrecompiledStub
                    : CodePlaceKind.Undescribed;
        }

        return (new CodePlace(kind, row), Math.Max(from, mappedFrom), Math.Min(to, mappedTo));
    }
}

/// <summary>What an address means for finding the caller of the code there.</summary>
/// <param name="Kind">How the caller can be found.</param>
/// <param name="Row">Call frame information of described code.</param>
/// <param name="Method">A method's code.</param>
internal readonly record struct CodePlace(CodePlaceKind Kind, UnwindRow Row = default, MethodPlace? Method = null);

/// <summary>How the caller of code at an address can be found.</summary>
internal enum CodePlaceKind
{
    /// <summary>The address is not in known code.</summary>
    None = 0,

    /// <summary>A managed method.</summary>
    Method = 1,

    /// <summary>A runtime stub of a known kind.</summary>
    Stub = 2,

    /// <summary>A library's code with call frame information.</summary>
    Described = 3,

    /// <summary>
    /// Code of an assembly outside of its methods: precompiled stubs through which methods call native functions. The runtime does not
    /// report their names. They keep a frame pointer while they call (compMethodRequiresPInvokeFrame of dotnet/runtime).
    /// </summary>
    PrecompiledStub = 5,

    /// <summary>Unknown code: a library's without call frame information, or the runtime's outside of methods.</summary>
    Undescribed = 4,
}
