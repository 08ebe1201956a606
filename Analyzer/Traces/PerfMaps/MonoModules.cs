namespace EtwSerializerProfiler.Traces.PerfMaps;

/// <summary>
/// Finds the assembly of a type by its namespace, because Mono's JIT map lacks it. Platform libraries that define causes and own code, and
/// this suite's and its adapters' libraries, have the names of their files; types of other programs have their namespace instead.
/// </summary>
public static class MonoModules
{
    /// <summary>Internal code of Mono: wrappers and trampolines.</summary>
    public const string Runtime = "[mono]";

    /// <summary>Platform types whose library the namespace does not identify.</summary>
    public const string Platform = "[platform]";

    /// <summary>Namespace prefix of the suite's adapters, which is also the name of their assembly.</summary>
    private const string Adapters = "EtwSerializerProfiler.Adapters.";
    private const string Core = "mscorlib.dll";
    private const string Contracts = "System.Runtime.Serialization.dll";

    /// <summary>Modules by namespace, or by prefix of a type's name, with or without a dot; the longest match counts.</summary>
    private static readonly (string Start, string Module)[] s_modules =
    [
        ("EtwSerializerProfiler.Contract.", "EtwSerializerProfiler.Contract.dll"),
        ("EtwSerializerProfiler.Marks.", "EtwSerializerProfiler.Marks.dll"),
        ("EtwSerializerProfiler.Options.", "EtwSerializerProfiler.Options.dll"),
        ("EtwSerializerProfiler.Parsing.", "EtwSerializerProfiler.Parsing.dll"),
        ("EtwSerializerProfiler.Workload.", "esp-workload.exe"),
        ("EtwSerializerProfiler.Workload.Data.", "EtwSerializerProfiler.Data.dll"),
        ("SerializerTests.", "SerializerTests.exe"),
        ("Microsoft.Win32.", Core),
        ("Microsoft.Xml.Serialization.GeneratedAssembly.", "Microsoft.GeneratedCode"),
        ("System.Buffers.", Core),
        ("System.Collections.", Core),
        ("System.Diagnostics.", Core),
        ("System.Globalization.", Core),
        ("System.IO.", Core),
        ("System.IO.Compression.", "System.IO.Compression.dll"),
        ("System.IO.Pipelines.", "System.IO.Pipelines.dll"),
        ("System.Linq.", "System.Core.dll"),
        ("System.Reflection.", Core),
        ("System.Runtime.", Core),
        ("System.Runtime.Serialization.", Contracts),
        ("System.Runtime.Serialization.Formatter", Core), // Formatters.*, FormatterServices, FormatterConverter
        ("System.Runtime.Serialization.Object", Core),
        ("System.Runtime.Serialization.Serialization", Core),
        ("System.Runtime.Serialization.Surrogate", Core),
        ("System.Runtime.Serialization.ValueTypeFixupInfo", Core),
        ("System.Security.", Core),
        ("System.Text.", Core),
        ("System.Text.Encodings.Web.", "System.Text.Encodings.Web.dll"),
        ("System.Text.Json.", "System.Text.Json.dll"),
        ("System.Text.RegularExpressions.", "System.dll"),
        ("System.Threading.", Core),
        ("System.Xml.", "System.Xml.dll"),
        ("System.Xml.Linq.", "System.Xml.Linq.dll"),
        ("System.Xml.XmlBaseReader", Contracts),
        ("System.Xml.XmlBaseWriter", Contracts),
        ("System.Xml.XmlBinary", Contracts),
        ("System.Xml.XmlDictionary", Contracts),
        ("System.Xml.XmlUTF8", Contracts),
        ("Newtonsoft.Json.", "Newtonsoft.Json.dll"),
        ("ServiceStack.", "ServiceStack.Text.dll"),
        ("Google.Protobuf.", "Google.Protobuf.dll"),
    ];

    /// <summary>The module of a type; an empty type means runtime code.</summary>
    /// <param name="type">Full name of the type.</param>
    public static string Of(string type)
    {
        ArgumentNullException.ThrowIfNull(type);
        if (type.Length == 0)
            return Runtime;
        var (start, module) = ("", "");
        foreach (var known in s_modules)
        {
            if (known.Start.Length > start.Length && type.StartsWith(known.Start, StringComparison.Ordinal))
                (start, module) = known;
        }

        if (module.Length > 0)
            return module;
        var name = type.AsSpan(0, type.AsSpan().IndexOfAny('[', '+') is var end and >= 0 ? end : type.Length);
        var dot = name.LastIndexOf('.');
        if (dot <= 0)
            return "[no namespace]";
        var space = name[..dot];
        if (space is "System")
            return Core;
        if (space.StartsWith(Adapters, StringComparison.Ordinal))
            return $"{space}.dll";
        return IsPlatform(space) ? Platform : space.ToString();
    }

    private static bool IsPlatform(ReadOnlySpan<char> space) =>
        space.StartsWith("System.", StringComparison.Ordinal)
        || space.StartsWith("Mono.", StringComparison.Ordinal)
        || space.StartsWith("Microsoft.", StringComparison.Ordinal)
        || space is "Mono" or "Microsoft";
}
