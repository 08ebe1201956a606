using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Inlining;
using EtwSerializerProfiler.Traces.Symbols.Precompiled;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// The methods of a process: those that the trace names, and those of precompiled assemblies. The runtime reports precompiled methods only
/// to its own tracing, so in traces of other tools they come from the mapped files. Lines of precompiled code always come from these files:
/// the runtime's map events cover jitted code only.
/// </summary>
/// <param name="methods">Code that the trace names.</param>
/// <param name="layout">The mapped files.</param>
/// <param name="files">The files.</param>
internal sealed class ProcessCode(ManagedCodeMap methods, ProcessLayout layout, SymbolFiles files)
{
    /// <summary>
    /// Ids for methods and modules from files: far below those for perf maps, and above the runtime's, which are addresses.
    /// </summary>
    private const long FirstId = long.MinValue;

    private readonly List<(PrecompiledPlace Place, MethodCode Code)> _precompiled = [];

    /// <summary>
    /// Indexes of precompiled methods by address and file: a process may map a file at an address where it mapped another one before.
    /// </summary>
    private readonly Dictionary<(ulong Start, string Path), int> _numbers = [];

    /// <summary>Statements of precompiled code by address; null when its file has none.</summary>
    private readonly Dictionary<(ulong Start, ReadyToRunImage Image), InlineTree?> _statements = [];

    /// <summary>Looks an address up, with the inlined methods there.</summary>
    /// <param name="address">The address.</param>
    /// <param name="time">Time in ticks of the trace's clock.</param>
    /// <param name="code">The code at the address.</param>
    /// <param name="tree">Its inline tree, null when nothing is known to be inlined into it.</param>
    /// <param name="validFrom">Start of the interval in which the answer holds.</param>
    /// <param name="validTo">End, exclusive.</param>
    public bool TryFind(ulong address, long time, out MethodCode code, out InlineTree? tree, out long validFrom, out long validTo)
    {
        if (methods.TryFind(address, time, out code, out tree, out validFrom, out validTo))
        {
            if (tree is null && methods.KeepsLines && code.Tier == CodeTier.ReadyToRun)
                tree = Statements(code, time);
            return true;
        }

        if (
            !layout.TryFind(address, time, out var mapping, out var mappedFrom, out var mappedTo)
            || files.Precompiled.Find(mapping, address - mapping.Start + mapping.FileOffset) is not { } place
        )
            return false;
        var start = place.Start + mapping.Start - mapping.FileOffset;
        ref var number = ref CollectionsMarshal.GetValueRefOrAddDefault(_numbers, (start, place.Path), out var known);
        if (!known)
        {
            number = _precompiled.Count;
            var id = FirstId + _precompiled.Count;
            _precompiled.Add(
                (
                    place,
                    new MethodCode(
                        mapping.At,
                        id,
                        id,
                        start,
                        place.Size,
                        CodeTier.ReadyToRun,
                        IsRundown: true,
                        place.Name.Type,
                        place.Name.Name,
                        ""
                    )
                    {
                        Token = place.Name.Token,
                    }
                )
            );
        }

        code = _precompiled[number].Code;
        tree = methods.KeepsLines && place.Image is { } image ? Statements(code, image, place.Method) : null;
        (validFrom, validTo) = (Math.Max(validFrom, mappedFrom), Math.Min(validTo, mappedTo));
        return true;
    }

    /// <summary>A method with code of its own.</summary>
    public bool TryFindMethod(long methodId, out MethodCode code)
    {
        if (Precompiled(methodId) is not { } found)
            return methods.TryFindMethod(methodId, out code);
        code = found.Code;
        return true;
    }

    /// <summary>The module of a piece of code: its file or name, empty when unknown.</summary>
    public string Module(in MethodCode code) => Precompiled(code.MethodId)?.Place.Path ?? methods.Module(code);

    /// <summary>Whether a piece of code has its name from an assembly's file rather than from an event.</summary>
    public bool IsOfFile(in MethodCode code) => Precompiled(code.MethodId) is not null;

    /// <summary>Finds the metadata of a method.</summary>
    /// <param name="methodId">The method.</param>
    /// <param name="module">Its module.</param>
    /// <param name="token">Its token there.</param>
    public bool TryFindMetadata(long methodId, [NotNullWhen(true)] out ModuleMetadata? module, out int token)
    {
        if (Precompiled(methodId) is not { } found)
            return methods.TryFindMetadata(methodId, files, out module, out token);
        token = found.Code.Token;
        module = token != 0 ? files.Metadata(found.Place.Path, found.Place.Pdb, isNeeded: false) : null;
        return module is not null;
    }

    /// <summary>
    /// The statements of precompiled code that an event names, from the file that is mapped there. Traces with events only have no
    /// mappings; then the module's file must have a method with its token and size. That excludes generic instances, which have the token
    /// of their definition.
    /// </summary>
    private InlineTree? Statements(in MethodCode code, long time)
    {
        if (!layout.TryFind(code.Start, time, out var mapping, out _, out _))
            return files.Precompiled.Image(methods.Module(code)) is { } named && named.TryFind(code.Token, code.Size, out var known)
                ? Statements(code, named, known)
                : null;
        return
            files.Precompiled.Image(mapping) is { } image
            && image.TryFind(code.Start - mapping.Start + mapping.FileOffset, out var method, out var start, out var size)
            && start + mapping.Start - mapping.FileOffset == code.Start
            && size == code.Size
            ? Statements(code, image, method)
            : null;
    }

    private InlineTree? Statements(in MethodCode code, ReadyToRunImage image, int method)
    {
        ref var tree = ref CollectionsMarshal.GetValueRefOrAddDefault(_statements, (code.Start, image), out var known);
        if (!known && files.Points(image, method) is { } points)
            tree = InlineTree.Plain(code.MethodId, points);
        return tree;
    }

    private (PrecompiledPlace Place, MethodCode Code)? Precompiled(long methodId) =>
        methodId - FirstId is var index and >= 0 && index < _precompiled.Count ? _precompiled[(int)index] : null;
}
