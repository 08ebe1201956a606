using System.Diagnostics.CodeAnalysis;
using System.Text;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>
/// Names of methods that may have no code of their own: MethodDetails has their token and type, BulkType the type's token, module and type
/// arguments, the module's file the names. They are written as in the runtime's load events: type arguments in brackets after the type,
/// none after the method; code that reference types share has <c>System.__Canon</c> in their place.
/// </summary>
internal sealed class InlineeNames
{
    /// <summary>Deeper nested type arguments are omitted: damaged events could contain a cycle.</summary>
    private const int DeepestArguments = 8;

    /// <summary>Longer names are cut: each level could have hundreds of arguments.</summary>
    private const int MaxNameLength = 2000;

    private readonly PagedList<MethodDetails> _methods = new();

    /// <summary>The methods by id.</summary>
    private readonly NumberIndex _numbers;
    private readonly Dictionary<long, TypeEntry> _types = [];
    private readonly Dictionary<long, Guid> _pdbs = [];

    public InlineeNames() => _numbers = new NumberIndex(number => (ulong)_methods[number].MethodId);

    /// <summary>Adds a method; events repeat it for each place where it was inlined.</summary>
    public void Add(in MethodDetails details)
    {
        if (_numbers.Find((ulong)details.MethodId) >= 0)
            return;
        _numbers.Set((ulong)details.MethodId, _methods.Count);
        _methods.Add(details);
    }

    /// <summary>Adds a type; events repeat it.</summary>
    public void Add(in TypeDetails details)
    {
        if (!_types.ContainsKey(details.TypeId))
            _types.Add(details.TypeId, new TypeEntry(details.ModuleId, details.Token, details.IsArray, details.Parameters()));
    }

    /// <summary>Sets the GUID of a module's PDB file.</summary>
    public void AddPdb(long moduleId, Guid pdb) => _pdbs[moduleId] = pdb;

    /// <summary>Finds the metadata of a method.</summary>
    public bool TryFindMetadata(
        long methodId,
        IReadOnlyDictionary<long, string> modules,
        SymbolFiles files,
        [NotNullWhen(true)] out ModuleMetadata? module,
        out int token
    )
    {
        (module, token) = (null, 0);
        if (
            Details(methodId) is { } method
            && _types.TryGetValue(method.TypeId, out var owner)
            && modules.TryGetValue(owner.ModuleId, out var path)
        )
            (module, token) = (files.Metadata(path, _pdbs.GetValueOrDefault(owner.ModuleId), isNeeded: false), method.Token);
        return module?.Method(token) is not null;
    }

    /// <summary>All methods of the events.</summary>
    public IEnumerable<MethodDetails> All => _methods;

    /// <summary>A method of the events; null when unknown.</summary>
    public MethodDetails? Details(long methodId) => _numbers.Find((ulong)methodId) is >= 0 and var number ? _methods[number] : null;

    /// <summary>GUID of a module's PDB file; empty when unknown.</summary>
    public Guid Pdb(long moduleId) => _pdbs.GetValueOrDefault(moduleId);

    /// <summary>Finds the name of a method.</summary>
    /// <param name="methodId">The runtime's id of the method.</param>
    /// <param name="modules">Files of the modules.</param>
    /// <param name="files">Reads the items.</param>
    /// <param name="module">File of the method's module.</param>
    /// <param name="type">Full name of its type.</param>
    /// <param name="name">Name of the method.</param>
    public bool TryFind(
        long methodId,
        IReadOnlyDictionary<long, string> modules,
        SymbolFiles files,
        out string module,
        out string type,
        out string name
    )
    {
        (module, type, name) = ("", "", "");
        if (
            Details(methodId) is not { } method
            || !_types.TryGetValue(method.TypeId, out var owner)
            || !modules.TryGetValue(owner.ModuleId, out var path)
        )
            return false;
        var text = new StringBuilder();
        if (Metadata(owner.ModuleId)?.MethodName(method.Token) is not { } methodName || !AppendType(text, method.TypeId, 0))
            return false;
        (module, type, name) = (path, text.ToString(), methodName);
        return true;

        ModuleMetadata? Metadata(long id) =>
            modules.TryGetValue(id, out var file) ? files.Metadata(file, _pdbs.GetValueOrDefault(id)) : null;

        bool AppendType(StringBuilder to, long id, int depth)
        {
            if (depth > DeepestArguments || to.Length > MaxNameLength || !_types.TryGetValue(id, out var entry))
                return false;
            if (entry.IsArray)
                return entry.Parameters.Length == 1 && AppendType(to, entry.Parameters[0], depth + 1) && to.Append("[]") is not null;
            if (Metadata(entry.ModuleId)?.TypeName(entry.Token) is not { } typeName)
                return false;
            to.Append(typeName);
            for (var i = 0; i < entry.Parameters.Length; i++)
            {
                to.Append(i == 0 ? '[' : ',');
                if (!AppendType(to, entry.Parameters[i], depth + 1))
                    to.Append('?');
            }

            if (entry.Parameters.Length > 0)
                to.Append(']');
            return true;
        }
    }

    /// <summary>A type as recorded in an event.</summary>
    /// <param name="ModuleId">Its module.</param>
    /// <param name="Token">Its metadata token.</param>
    /// <param name="IsArray">Whether it is an array.</param>
    /// <param name="Parameters">Its type arguments, or its element type.</param>
    private sealed record TypeEntry(long ModuleId, int Token, bool IsArray, long[] Parameters);
}
