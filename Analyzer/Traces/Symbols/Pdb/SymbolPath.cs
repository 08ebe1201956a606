namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>Windows' symbol path, as in the variable _NT_SYMBOL_PATH. Only its local folders are used: nothing is downloaded.</summary>
public static class SymbolPath
{
    /// <summary>The variable.</summary>
    public const string Variable = "_NT_SYMBOL_PATH";

    /// <summary>The local folders in it, in its order, whether they exist or not.</summary>
    /// <param name="value">
    /// Its elements, separated by semicolons: folders, <c>srv*cache*server</c>, <c>symsrv*symsrv.dll*cache*server</c>, <c>cache*folder</c>.
    /// </param>
    public static IReadOnlyList<string> LocalFolders(string? value)
    {
        var folders = new List<string>();
        foreach (var element in (value ?? "").Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            var parts = element.Split('*', StringSplitOptions.TrimEntries);
            var first =
                parts.Length == 1 ? 0
                : parts[0].Equals("symsrv", StringComparison.OrdinalIgnoreCase) ? 2
                : 1;
            foreach (var part in parts.Skip(first).Select(Environment.ExpandEnvironmentVariables))
            {
                if (IsLocal(part) && !folders.Contains(part))
                    folders.Add(part);
            }
        }

        return folders;
    }

    /// <summary>Whether it is a local folder; an empty element between two asterisks means the debugger's default folder.</summary>
    private static bool IsLocal(string place) =>
        place.Length > 0
        && !place.Contains("://", StringComparison.Ordinal)
        && !place.StartsWith(@"\\", StringComparison.Ordinal)
        && !place.StartsWith("//", StringComparison.Ordinal);
}
