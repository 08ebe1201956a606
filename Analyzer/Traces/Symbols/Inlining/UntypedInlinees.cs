using System.Diagnostics.CodeAnalysis;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>
/// Finds the module of inlined methods whose types were not recorded (no BulkType): MethodDetails has their token, but its module only if
/// the type is not generic.
/// </summary>
/// <remarks>
/// The runtime loads a generic instance into the module of a type argument, where the token means another method or none. So a module is
/// accepted only if the IL of a method into which it was inlined names the token's method there: the loader's module first, else the only
/// other one. Dynamic methods have no IL; for methods inlined into them the loader's module is accepted if the token's type there is the
/// method's type according to another method of that type that has code. Without such a caller or type the method has no name: a wrong one
/// is worse than none.
/// </remarks>
/// <param name="names">The methods of the events.</param>
/// <param name="trees">What was inlined where.</param>
/// <param name="modules">Files of the modules.</param>
/// <param name="files">Reads the items.</param>
/// <param name="metadataOf">Metadata of methods that are known from elsewhere; null for others.</param>
/// <param name="typeOf">Full name of the type of a method that has code of its own; null for others.</param>
internal sealed class UntypedInlinees(
    InlineeNames names,
    InlineTrees trees,
    IReadOnlyDictionary<long, string> modules,
    SymbolFiles files,
    Func<long, (ModuleMetadata Module, int Token)?> metadataOf,
    Func<long, string?> typeOf
)
{
    /// <summary>Maximum number of callers that are examined; a method with more is named by one of these.</summary>
    private const int MaxCallers = 8;

    private readonly Dictionary<long, Found?> _found = [];
    private Dictionary<long, List<long>>? _callers;

    /// <summary>Full names of types by id, for types with a method that has code.</summary>
    private Dictionary<long, string>? _types;

    /// <summary>Finds a method.</summary>
    /// <param name="methodId">The runtime's id of the method.</param>
    /// <param name="found">Its module and metadata.</param>
    public bool TryFind(long methodId, [NotNullWhen(true)] out Found? found)
    {
        if (!_found.TryGetValue(methodId, out found))
        {
            _found.Add(methodId, null); // a method that was inlined into itself would look itself up
            _found[methodId] = found = Search(methodId);
        }

        return found is not null;
    }

    /// <summary>Full name of a found method's type, with type arguments if another method of the instance has code.</summary>
    public string TypeName(long methodId, Found found) =>
        TypeName(names.Details(methodId)!.Value) is { } name && name.Split('[')[0] == found.Identity.Type ? name : found.Identity.Type;

    /// <summary>Full name of a method's type; null where no method of the type has code.</summary>
    private string? TypeName(in MethodDetails method)
    {
        if (_types is null)
        {
            _types = [];
            foreach (var details in names.All)
            {
                if (typeOf(details.MethodId) is { Length: > 0 } type)
                    _types[details.TypeId] = type;
            }
        }

        return _types.GetValueOrDefault(method.TypeId);
    }

    private Found? Search(long methodId)
    {
        if (names.Details(methodId) is not { } details || CallersOf(methodId) is not { Count: > 0 } callers)
            return null;
        var calls = callers.Select(Calls).OfType<MethodCalls>().ToList();
        var loaded = At(details.LoaderModuleId);
        if (
            loaded is not null
            && (calls.Exists(call => call.Names(loaded.Identity)) || TypeName(details)?.Split('[')[0] == loaded.Identity.Type)
        )
            return loaded;
        var others = modules
            .Keys.Where(module => module != details.LoaderModuleId)
            .Select(At)
            .OfType<Found>()
            .Where(other =>
                calls.Exists(call => call.Targets.Any(target => target.Type == other.Identity.Type && target.CanReach(other.Identity)))
            )
            .Take(2)
            .ToList();
        return others is [var only] ? only : null;

        Found? At(long module) =>
            modules.TryGetValue(module, out var path)
            && files.Metadata(path, names.Pdb(module), isNeeded: false) is { } metadata
            && metadata.Method(details.Token) is { } identity
                ? new Found(path, metadata, details.Token, identity)
                : null;
    }

    private MethodCalls? Calls(long methodId) =>
        metadataOf(methodId) is var (module, token) ? module.Calls(token)
        : TryFind(methodId, out var caller) ? caller.Module.Calls(caller.Token)
        : null;

    /// <summary>Methods that a method was inlined into.</summary>
    private List<long> CallersOf(long methodId)
    {
        if (_callers is null)
        {
            _callers = [];
            foreach (var tree in trees.All)
            {
                for (var node = 1; node < tree.Count; node++)
                {
                    if (!_callers.TryGetValue(tree.Method(node), out var callers))
                        _callers.Add(tree.Method(node), callers = []);
                    if (callers.Count < MaxCallers && tree.Method(tree.Parent(node)) is var caller && !callers.Contains(caller))
                        callers.Add(caller);
                }
            }
        }

        return _callers.GetValueOrDefault(methodId) ?? [];
    }

    /// <summary>A method that was found.</summary>
    /// <param name="Path">File of its module.</param>
    /// <param name="Module">The module's metadata.</param>
    /// <param name="Token">Its token there.</param>
    /// <param name="Identity">Its name and type.</param>
    public sealed record Found(string Path, ModuleMetadata Module, int Token, MethodIdentity Identity);
}
