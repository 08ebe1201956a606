namespace EtwSerializerProfiler.Sessions.Publishing;

/// <summary>Debian's packages of Mono's class library, one per assembly.</summary>
public static class MonoPackages
{
    /// <summary>Packages with irregular names.</summary>
    private static readonly Dictionary<string, string> s_exceptions = new(StringComparer.OrdinalIgnoreCase)
    {
        ["mscorlib"] = "libmono-corlib4.5-cil",
        ["Mono.CSharp"] = "libmono-csharp4.0c-cil",
        ["SMDiagnostics"] = "libmono-smdiagnostics0.0-cil",
        ["System.ServiceModel"] = "libmono-system-servicemodel4.0a-cil",
        ["System.ServiceModel.Internals"] = "libmono-system-servicemodel-internals0.0-cil",
        ["System.Windows.Forms.DataVisualization"] = "libmono-system-windows-forms-datavisualization4.0a-cil",
    };

    /// <summary>The package of an assembly: <c>libmono-system-xml-linq4.0-cil</c> for System.Xml.Linq.</summary>
    /// <param name="assembly">Simple name of the assembly.</param>
    /// <returns>Null when Mono does not have the assembly.</returns>
    public static string? PackageOf(string assembly)
    {
        ArgumentNullException.ThrowIfNull(assembly);
        if (s_exceptions.TryGetValue(assembly, out var package))
            return package;
        string[] prefixes = ["System.", "Mono.", "Microsoft.CSharp", "WindowsBase", "Accessibility"];
        if (assembly != "System" && !prefixes.Any(prefix => assembly.StartsWith(prefix, StringComparison.Ordinal)))
            return null;
        var name = assembly.StartsWith("Mono.", StringComparison.Ordinal) ? assembly["Mono.".Length..] : assembly;
        return $"libmono-{name.ToLowerInvariant().Replace('.', '-')}4.0-cil";
    }
}
