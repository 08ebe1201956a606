using EtwSerializerProfiler.Analysis.Catalog;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>
/// Recognizes own code, which ends a cause: that of serializers and programs. So a method that reflection calls (a property setter, a
/// constructor) has no cause, while platform code that reflection calls is still reflection.
/// </summary>
public static class OwnCode
{
    /// <summary>
    /// Name prefixes of assemblies in the shared frameworks Microsoft.NETCore.App and Microsoft.AspNetCore.App, in .NET Framework, and of
    /// XmlSerializer's generated assembly. Other assemblies named Microsoft (CodeAnalysis, EntityFrameworkCore, Data.SqlClient) are
    /// libraries.
    /// </summary>
    private static readonly string[] s_platform =
    [
        "System.",
        "mscorlib.",
        "netstandard.",
        "Microsoft.AspNetCore.",
        "Microsoft.CSharp.",
        "Microsoft.Extensions.",
        "Microsoft.GeneratedCode",
        "Microsoft.JScript.",
        "Microsoft.JSInterop.",
        "Microsoft.Net.",
        "Microsoft.Transactions.",
        "Microsoft.VisualBasic.",
        "Microsoft.VisualC.",
        "Microsoft.Win32.",
        "Microsoft.Xml.",
    ];

    /// <summary>Whether a frame is code of a serializer or program, not of the platform or operating system.</summary>
    public static bool IsIn(CodeSymbol symbol)
    {
        ArgumentNullException.ThrowIfNull(symbol);
        if (symbol.Kind != CodeKind.Managed || symbol.Module.StartsWith('['))
            return false;
        return IsOfProgram(symbol.Kind, symbol.Module) || IsSerializer(symbol.Module) || IsInSerializer(symbol.Namespace);
    }

    /// <summary>Whether code belongs to the program or its libraries: managed code of an assembly without a platform name.</summary>
    public static bool IsOfProgram(CodeKind? kind, string module)
    {
        ArgumentNullException.ThrowIfNull(module);
        return kind == CodeKind.Managed && !module.StartsWith('[') && !IsPlatform(module);
    }

    /// <summary>
    /// Whether code is the user's own, which summaries and <c>--just-my-code</c> show: managed code of the assemblies and namespaces that
    /// the recording or the command line names (<see cref="SymbolResolver.MyCode"/>); where none is named, the program and its libraries.
    /// </summary>
    public static bool IsMine(CodeSymbol symbol, IReadOnlyList<NamePattern> mine)
    {
        ArgumentNullException.ThrowIfNull(symbol);
        ArgumentNullException.ThrowIfNull(mine);
        return mine.Count == 0 ? IsOfProgram(symbol.Kind, symbol.Module) : symbol.Kind == CodeKind.Managed && Matches(symbol, mine);
    }

    /// <summary>
    /// Whether a frame may be the method that leads to a wait: own code by <see cref="IsMine"/> where the user says what that is, else by
    /// <see cref="IsIn"/>, which includes serializers of the platform.
    /// </summary>
    public static bool Leads(CodeSymbol symbol, IReadOnlyList<NamePattern> mine)
    {
        ArgumentNullException.ThrowIfNull(mine);
        return mine.Count == 0 ? IsIn(symbol) : IsMine(symbol, mine);
    }

    // Loops, because a lambda would be an allocation for each frame of a sample.

    private static bool Matches(CodeSymbol symbol, IReadOnlyList<NamePattern> mine)
    {
        var assembly = Path.GetFileNameWithoutExtension(symbol.Module);
        for (var i = 0; i < mine.Count; i++)
        {
            if (mine[i].Matches(assembly) || (symbol.Namespace.Length > 0 && mine[i].Matches(symbol.Namespace)))
                return true;
        }

        return false;
    }

    private static bool IsPlatform(string module)
    {
        foreach (var prefix in s_platform)
        {
            if (module.StartsWith(prefix, StringComparison.OrdinalIgnoreCase))
                return true;
        }

        return false;
    }

    private static bool IsSerializer(string module)
    {
        var names = LibraryCatalog.Modules;
        for (var i = 0; i < names.Count; i++)
        {
            var name = names[i];
            if (module.StartsWith(name, StringComparison.OrdinalIgnoreCase) && module.AsSpan(name.Length) is ".dll" or ".ni.dll")
                return true;
        }

        return false;
    }

    private static bool IsInSerializer(string space)
    {
        var names = LibraryCatalog.Namespaces;
        for (var i = 0; i < names.Count; i++)
        {
            if (IsBelow(space, names[i]))
                return true;
        }

        return false;
    }

    private static bool IsBelow(string name, string other) =>
        name.StartsWith(other, StringComparison.Ordinal) && (name.Length == other.Length || name[other.Length] == '.');
}
