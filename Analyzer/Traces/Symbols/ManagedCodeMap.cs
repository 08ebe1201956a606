using System.Diagnostics.CodeAnalysis;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Inlining;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// The managed code of a process: which method lived at an address at a time. Filled by a pass over <see cref="EventKinds.MethodCode"/>.
/// </summary>
/// <remarks>
/// Jitted code lives from its load event to its unload event or until other code replaces it. Precompiled code always lies at the same
/// place in its file, even before it is first called. Code that only the rundown names existed before the session began.
/// </remarks>
public sealed class ManagedCodeMap : IEventSubscriber
{
    /// <summary>The JIT generates no larger method; a larger size means damage and would make lookups slow.</summary>
    private const uint MaxCodeBytes = 64 << 20;

    private readonly TextPool _texts;

    /// <summary>The code, by number in the timeline.</summary>
    private readonly PagedList<Code> _codes = new();
    private readonly AddressTimeline _timeline = new();
    private readonly Dictionary<long, string> _modules = [];

    /// <summary>Modules that the program emitted in memory.</summary>
    private readonly HashSet<long> _dynamicModules = [];

    /// <summary>Names of the modules' files.</summary>
    private readonly HashSet<string> _moduleFiles = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>The last code with each start address, by the events so far.</summary>
    private readonly NumberIndex _last;

    /// <summary>Code outside of methods, in a trace that was exported from a recording.</summary>
    private readonly List<CodeName> _names = [];

    /// <summary>Its ranges, with the same numbers.</summary>
    private readonly AddressTimeline _named = new();

    /// <summary>A method's last code. Inlined methods that have code of their own get their names from it.</summary>
    private readonly NumberIndex _codeOfMethods;
    private readonly InlineTrees _trees;

    /// <summary>Statements of code without an inline tree; null when lines are not requested.</summary>
    private readonly StatementMaps? _statements;
    private readonly InlineeNames _inlinees = new();

    /// <summary>Names inlined methods in traces without types; created on first use.</summary>
    private UntypedInlinees? _untyped;

    /// <summary>Creates a map without code.</summary>
    /// <param name="texts">Has the names: several processes run the same methods. Null for those of this process alone.</param>
    /// <param name="lines">Keeps the statements of all processes for source lines; null when lines are not requested.</param>
    public ManagedCodeMap(TextPool? texts = null, CodePointsPool? lines = null)
    {
        _texts = texts ?? new TextPool();
        _trees = new InlineTrees(lines);
        _statements = lines is null ? null : new StatementMaps(lines);
        _last = new NumberIndex(number => _timeline.Range(number).Start);
        _codeOfMethods = new NumberIndex(number => (ulong)_codes[number].MethodId);
    }

    /// <summary>Pieces of code known.</summary>
    public int Count => _codes.Count;

    /// <summary>All pieces of code.</summary>
    internal IEnumerable<MethodCode> Codes => Enumerable.Range(0, _codes.Count).Select(CodeOf);

    /// <summary>Whether it keeps statements for source lines.</summary>
    internal bool KeepsLines => _statements is not null;

    /// <summary>Number of inline trees; 0 when the program was not started with DOTNET_RichDebugInfo=1.</summary>
    public int InlineTrees => _trees.Count;

    /// <summary>Number of inline trees that are incomplete or damaged; their methods have plain frames.</summary>
    public int RefusedInlineTrees => _trees.Refused;

    /// <summary>Number of inline trees whose code was not recorded.</summary>
    public int InlineTreesWithoutCode => _trees.WithoutCode;

    /// <summary>All events were read: gives inline trees to code that only the rundown lists, and frees what only reading needs.</summary>
    public void Complete()
    {
        _last.Clear();
        _trees.Complete();
    }

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Texts = _texts;
        hub.Subscribe<MethodCode>(OnMethodCode);
        hub.Subscribe<InlineTreeChunk>(OnInlineTreeChunk);
        hub.Subscribe<MethodDetails>(OnMethodDetails);
        hub.Subscribe<TypeDetails>(OnTypeDetails);
        hub.Subscribe<ModulePdb>(OnModulePdb);
        hub.Subscribe<CodeName>(OnCodeName);
        hub.Subscribe<MethodCodeFreed>(OnMethodCodeFreed);
        hub.Subscribe<ModuleLoaded>(OnModuleLoaded);
        if (_statements is not null)
            hub.Subscribe<CodeStatements>(OnCodeStatements);
    }

    private void OnMethodCode(in MethodCode code)
    {
        var known = _codes.Count;
        var number = Place(code);
        if (number >= 0)
            _codeOfMethods.Set((ulong)code.MethodId, number);
        if (!code.IsRundown)
            _trees.OnCodeLoaded(code, number);
        else if (number == known)
            _trees.OnCodeListed(code, number);
        _statements?.OnCode(code, number, _trees);
    }

    private void OnCodeStatements(in CodeStatements statements) => _statements!.OnStatements(statements, _trees);

    private void OnInlineTreeChunk(in InlineTreeChunk chunk) => _trees.OnChunk(chunk);

    private void OnMethodDetails(in MethodDetails details) => _inlinees.Add(details);

    private void OnTypeDetails(in TypeDetails details) => _inlinees.Add(details);

    private void OnModulePdb(in ModulePdb module) => _inlinees.AddPdb(module.ModuleId, module.Pdb);

    private void OnCodeName(in CodeName code)
    {
        if (_named.Add(code.Start, code.Size, long.MinValue) >= 0)
            _names.Add(code);
    }

    /// <summary>The name that the trace itself gives to code outside of methods.</summary>
    internal bool TryFindName(ulong address, out CodeName code, out string module)
    {
        code = default;
        module = "";
        if (_names.Count == 0)
            return false;
        if (_named.Find(address, 0, out _, out _) is not (>= 0 and var number))
            return false;
        code = _names[number];
        module = _modules.GetValueOrDefault(code.ModuleId, "");
        return true;
    }

    /// <summary>Adds code to the timeline.</summary>
    /// <returns>Its number, or that of the same code if it is known already; -1 for rejected code.</returns>
    private int Place(in MethodCode code)
    {
        if (code.Size is 0 or > MaxCodeBytes)
            return -1;
        if (_last.Find(code.Start) is >= 0 and var living && _timeline.IsOpen(living))
        {
            // The rundown repeats load events, and a precompiled method is loaded again for each of its entry points.
            if (_codes[living].MethodId == code.MethodId)
                return living;
            if (code.IsRundown)
                return -1;
            _timeline.End(living, code.At.Time);
        }

        var wasThere = code.IsRundown || code.Tier == CodeTier.ReadyToRun;
        var number = _timeline.Add(code.Start, code.Size, wasThere ? long.MinValue : code.At.Time);
        if (number < 0)
            return -1;
        _codes.Add(
            new Code(
                code.At.Time,
                code.MethodId,
                code.ModuleId,
                code.Token,
                code.Tier,
                code.IsRundown,
                _texts.Of(code.Namespace, code.Name, code.Signature)
            )
        );
        _last.Set(code.Start, number);
        return number;
    }

    private void OnMethodCodeFreed(in MethodCodeFreed freed)
    {
        if (_last.Find(freed.Start) is >= 0 and var living)
            _timeline.End(living, freed.At.Time);
    }

    private void OnModuleLoaded(in ModuleLoaded module)
    {
        _modules[module.ModuleId] = module.Path;
        if (module.IsDynamic)
            _dynamicModules.Add(module.ModuleId);
        else
            _dynamicModules.Remove(module.ModuleId); // the id of an unloaded module is reused
        _moduleFiles.Add(module.Path[(module.Path.LastIndexOfAny(['/', '\\']) + 1)..]);
    }

    /// <summary>Whether the runtime loaded a module from a file of this name.</summary>
    public bool HasModuleFile(string fileName) => _moduleFiles.Contains(fileName);

    /// <summary>The module of a piece of code: its file or name, empty when no event names it.</summary>
    public string Module(in MethodCode code) => _modules.GetValueOrDefault(code.ModuleId, "");

    /// <summary>Whether the program emitted the module of a piece of code in memory.</summary>
    public bool IsDynamic(in MethodCode code) => _dynamicModules.Contains(code.ModuleId);

    /// <summary>Whether any code ever began in a range.</summary>
    public bool HasCodeIn(ulong start, ulong length) => _timeline.AnyIn(start, start + length);

    /// <summary>Looks an address up.</summary>
    /// <param name="address">The address.</param>
    /// <param name="time">Time in ticks of the trace's clock.</param>
    /// <param name="code">The code at the address.</param>
    /// <param name="validFrom">Start of the interval in which the answer holds.</param>
    /// <param name="validTo">End, exclusive.</param>
    public bool TryFind(ulong address, long time, out MethodCode code, out long validFrom, out long validTo) =>
        TryFind(address, time, out code, out _, out validFrom, out validTo);

    /// <summary>Looks an address up, with the inlined methods there.</summary>
    /// <param name="address">The address.</param>
    /// <param name="time">Time in ticks of the trace's clock.</param>
    /// <param name="code">The code at the address.</param>
    /// <param name="tree">Its inline tree, null when nothing is known to be inlined into it.</param>
    /// <param name="validFrom">Start of the interval in which the answer holds.</param>
    /// <param name="validTo">End, exclusive.</param>
    internal bool TryFind(ulong address, long time, out MethodCode code, out InlineTree? tree, out long validFrom, out long validTo)
    {
        var number = _timeline.Find(address, time, out validFrom, out validTo);
        code = number >= 0 ? CodeOf(number) : default;
        tree = number >= 0 ? _trees.Of(number) ?? _statements?.Of(number) : null;
        return number >= 0;
    }

    /// <summary>A method with code of its own.</summary>
    internal bool TryFindMethod(long methodId, out MethodCode code)
    {
        var number = _codeOfMethods.Find((ulong)methodId);
        code = number >= 0 ? CodeOf(number) : default;
        return number >= 0;
    }

    /// <summary>
    /// Finds the metadata of a method: by the trace's events on the method, by the token of its code, else by the names in its callers' IL.
    /// </summary>
    internal bool TryFindMetadata(long methodId, SymbolFiles files, [NotNullWhen(true)] out ModuleMetadata? module, out int token)
    {
        if (TryFindKnownMetadata(methodId, files, out module, out token))
            return true;
        if (!Untyped(files).TryFind(methodId, out var found))
            return false;
        (module, token) = (found.Module, found.Token);
        return true;
    }

    private bool TryFindKnownMetadata(long methodId, SymbolFiles files, [NotNullWhen(true)] out ModuleMetadata? module, out int token)
    {
        if (_inlinees.TryFindMetadata(methodId, _modules, files, out module, out token))
            return true;
        if (!TryFindMethod(methodId, out var code) || Module(code) is not { } path || !path.AsSpan().ContainsAny('/', '\\'))
            return false;
        (module, token) = (files.Metadata(path, _inlinees.Pdb(code.ModuleId), isNeeded: false), code.Token);

        // Code of a generic instance may name the module that has the type argument; the token is the definition's.
        return module?.Method(token)?.Name == code.Name;
    }

    /// <summary>Names of an inlined method without code of its own.</summary>
    internal bool TryNameInlinee(long methodId, SymbolFiles files, out string module, out string type, out string name)
    {
        if (_inlinees.TryFind(methodId, _modules, files, out module, out type, out name))
            return true;
        if (!Untyped(files).TryFind(methodId, out var found))
            return false;
        (module, type, name) = (found.Path, Untyped(files).TypeName(methodId, found), found.Identity.Name);
        return true;
    }

    private MethodCode CodeOf(int number)
    {
        var (time, method, module, token, tier, isRundown, names) = _codes[number];
        var (start, length) = _timeline.Range(number);
        return new MethodCode(
            new EventAt(time, 0, 0),
            method,
            module,
            start,
            (uint)length,
            tier,
            isRundown,
            names.Type,
            names.Name,
            names.Signature
        )
        {
            Token = token,
        };
    }

    /// <summary>
    /// What the timeline does not know of a piece of code. An analysis of many processes has hundreds of thousands, so the thread that
    /// loaded it is not kept.
    /// </summary>
    private readonly record struct Code(
        long Time,
        long MethodId,
        long ModuleId,
        int Token,
        CodeTier Tier,
        bool IsRundown,
        MethodNames Names
    );

    private UntypedInlinees Untyped(SymbolFiles files) =>
        _untyped ??= new UntypedInlinees(
            _inlinees,
            _trees,
            _modules,
            files,
            method => TryFindKnownMetadata(method, files, out var module, out var token) ? (module, token) : null,
            method => TryFindMethod(method, out var code) ? code.Namespace : null
        );
}
