using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Traces.Symbols.NativeAot;

/// <summary>
/// Demangles NativeAOT's method symbols. Mangling loses dots, pluses and more, so a symbol is compared with the mangled forms of the types
/// and methods in the metadata. If none or more than one matches, the symbol stays without a name.
/// </summary>
/// <remarks>
/// Rule (NativeAotNameMangler.cs of dotnet/runtime): ASSEMBLY_TYPE__METHOD, with System.Private as S.P, an underscore for every character
/// that C does not allow, and _N where two names would become equal. Type arguments follow as &lt;A__B&gt;, as do &lt;Array&gt;,
/// &lt;Pointer&gt; and &lt;ByRef&gt;. Primitive types, Object and String have short names.
/// </remarks>
internal sealed partial class MangledNames
{
    private const string CoreLib = "System.Private.CoreLib";

    /// <summary>Maximum lookups for one symbol, more than a valid one needs: text of underscores can be divided in many ways.</summary>
    private const int MaxAttempts = 10_000;

    /// <summary>Maximum characters of a symbol, more than compilers generate.</summary>
    private const int MaxSymbolLength = 1 << 13;

    private static readonly Dictionary<string, string> s_short = new()
    {
        ["System.Boolean"] = "Bool",
        ["System.Byte"] = "UInt8",
        ["System.SByte"] = "Int8",
        ["System.Char"] = "Char",
        ["System.Int16"] = "Int16",
        ["System.UInt16"] = "UInt16",
        ["System.Int32"] = "Int32",
        ["System.UInt32"] = "UInt32",
        ["System.Int64"] = "Int64",
        ["System.UInt64"] = "UInt64",
        ["System.IntPtr"] = "IntPtr",
        ["System.UIntPtr"] = "UIntPtr",
        ["System.Single"] = "Single",
        ["System.Double"] = "Double",
        ["System.Object"] = "Object",
        ["System.String"] = "String",
    };

    private static readonly Dictionary<string, string> s_suffixes = new()
    {
        ["Array"] = "[]",
        ["Pointer"] = "*",
        ["ByRef"] = "&",
    };

    /// <summary>Type by mangled form; null where two types share one.</summary>
    private readonly Dictionary<string, NativeAotType?> _types = [];

    /// <summary>Method name by type and mangled form; null where two methods share one.</summary>
    private readonly Dictionary<(NativeAotType Type, string Mangled), string?> _methods = [];
    private readonly Dictionary<string, NativeAotType?> _read = [];
    private int _attempts;

    /// <summary>Creates the index of all names in a program's metadata.</summary>
    /// <param name="known">Types.</param>
    /// <param name="definitions">Types with their methods.</param>
    public MangledNames(IEnumerable<NativeAotType> known, IEnumerable<(NativeAotType Type, IReadOnlyList<string> Methods)> definitions)
    {
        foreach (var type in known)
            Add(type);
        foreach (var (type, methods) in definitions)
        {
            Add(type);
            foreach (var name in methods.Distinct())
            {
                var key = (type, Sanitized(name));
                _methods[key] = _methods.ContainsKey(key) ? null : name;
            }
        }

        foreach (var (name, mangled) in s_short)
            _types[mangled] = new NativeAotType(CoreLib, "System", name);
        _types["System___Canon"] = new NativeAotType(CoreLib, "System", "System.__Canon");
    }

    /// <summary>
    /// The generic instance of the method's type that a symbol names; the definition when the symbol names none or an unknown one.
    /// </summary>
    public NativeAotType Instance(NativeAotType definition, string symbol)
    {
        var mangled = Mangled(definition);
        if (
            symbol.Length > MaxSymbolLength
            || !symbol.StartsWith(mangled, StringComparison.Ordinal)
            || symbol.Length <= mangled.Length
            || symbol[mangled.Length] != '<'
        )
            return definition;
        _attempts = 0;
        var end = End(symbol, mangled.Length);
        return end > 0 && Arguments(symbol[(mangled.Length + 1)..end]) is { } arguments ? definition.Of(arguments) : definition;
    }

    /// <summary>The method of a symbol; null when uncertain.</summary>
    public NativeAotMethod? Method(string symbol)
    {
        if (NativeAotStubs.Find(symbol) is { } stub)
            return stub;
        if (symbol.Length > MaxSymbolLength)
            return null;
        _attempts = 0;
        NativeAotMethod? found = null;
        foreach (var at in Separators(symbol))
        {
            if (Type(symbol[..at]) is not { } type || Name(type, symbol[(at + 2)..]) is not { } name)
                continue;
            if (found is not null)
                return null;
            found = name;
        }

        return _attempts <= MaxAttempts ? found : null;
    }

    /// <summary>A method that is not in the metadata is certain only if its symbol has no underscores, which are ambiguous.</summary>
    private NativeAotMethod? Name(NativeAotType type, string mangled)
    {
        var generic = mangled.IndexOf('<', StringComparison.Ordinal);
        if (generic == 0)
            return null;
        var name = generic > 0 ? mangled[..generic] : mangled;
        var definition = type.Definition;
        foreach (var form in (string[])[name, Number().Replace(name, "")])
        {
            if (_methods.TryGetValue((definition, form), out var known))
                return known is null ? null : new NativeAotMethod(type, known);
        }

        return name.All(char.IsAsciiLetterOrDigit) ? new NativeAotMethod(type, name) : null;
    }

    [GeneratedRegex("_[0-9]+$")]
    private static partial Regex Number();

    private void Add(NativeAotType type)
    {
        if (type.Name.AsSpan().ContainsAny('[', '*', '&'))
            return; // an instance: its parts are known
        var mangled = Mangled(type);
        _types[mangled] = _types.TryGetValue(mangled, out var other) && other != type ? null : type;
    }

    private static string Mangled(NativeAotType type)
    {
        if (type.Assembly == CoreLib && s_short.TryGetValue(type.Name, out var shortName))
            return shortName;
        const string Private = "System.Private.";
        var assembly = type.Assembly.StartsWith(Private, StringComparison.Ordinal)
            ? "S.P." + type.Assembly[Private.Length..]
            : type.Assembly;
        return $"{Sanitized(assembly)}_{Sanitized(type.Name)}";
    }

    private static string Sanitized(string name)
    {
        var sanitized = string.Create(
            name.Length,
            name,
            (target, source) =>
            {
                for (var i = 0; i < source.Length; i++)
                    target[i] = char.IsAsciiLetterOrDigit(source[i]) ? source[i] : '_';
            }
        );
        return char.IsAsciiDigit(sanitized.FirstOrDefault()) ? "_" + sanitized : sanitized;
    }

    private NativeAotType? Type(string mangled)
    {
        if (++_attempts > MaxAttempts)
            return null;
        if (_types.TryGetValue(mangled, out var type) || _read.TryGetValue(mangled, out type))
            return type;
        if (mangled.Length == 0 || mangled[^1] != '>')
            return null;
        var open = Begin(mangled);
        if (open > 0 && Type(mangled[..open]) is { } of)
        {
            var inner = mangled[(open + 1)..^1];
            type =
                s_suffixes.TryGetValue(inner, out var suffix) ? of with { Name = of.Name + suffix }
                : Arguments(inner) is { } arguments ? of.Of(arguments)
                : null;
        }

        if (_attempts <= MaxAttempts)
            _read[mangled] = type;
        return type;
    }

    /// <summary>The types of a list of type arguments; null unless there is exactly one way to divide it.</summary>
    private List<NativeAotType>? Arguments(string mangled)
    {
        var found = Type(mangled) is { } only ? [only] : (List<NativeAotType>?)null;
        foreach (var at in Separators(mangled))
        {
            if (Type(mangled[..at]) is not { } first || Arguments(mangled[(at + 2)..]) is not { } rest)
                continue;
            if (found is not null)
                return null;
            found = [first, .. rest];
        }

        return _attempts <= MaxAttempts ? found : null;
    }

    /// <summary>Positions of two underscores outside of brackets.</summary>
    private IEnumerable<int> Separators(string mangled)
    {
        var depth = 0;
        for (var at = 0; at + 1 < mangled.Length && _attempts <= MaxAttempts; at++)
        {
            depth += mangled[at] switch
            {
                '<' => 1,
                '>' => -1,
                _ => 0,
            };
            if (depth == 0 && at > 0 && mangled[at] == '_' && mangled[at + 1] == '_')
                yield return at;
        }
    }

    /// <summary>Position of the matching closing bracket; 0 when there is none.</summary>
    private static int End(string mangled, int open)
    {
        var depth = 0;
        for (var at = open; at < mangled.Length; at++)
        {
            depth += mangled[at] switch
            {
                '<' => 1,
                '>' => -1,
                _ => 0,
            };
            if (depth == 0)
                return at;
        }

        return 0;
    }

    /// <summary>Position of the bracket that opens the last pair; 0 when there is none.</summary>
    private static int Begin(string mangled)
    {
        var depth = 0;
        for (var at = mangled.Length - 1; at > 0; at--)
        {
            depth += mangled[at] switch
            {
                '>' => 1,
                '<' => -1,
                _ => 0,
            };
            if (depth == 0)
                return at;
        }

        return 0;
    }
}
