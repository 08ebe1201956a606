namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>Windows' list of places with symbols, as the variable _NT_SYMBOL_PATH has it. Only folders of this machine are taken from it: nothing is downloaded.</summary>
public static class SymbolPath
{
    /// <summary>The variable.</summary>
    public const string Variable = "_NT_SYMBOL_PATH";

    /// <summary>The local folders in it, in its order, whether they exist or not.</summary>
    /// <param name="value">Its elements, parted by semicolons: folders, <c>srv*cache*server</c>, <c>symsrv*symsrv.dll*cache*server</c>, <c>cache*folder</c>.</param>
    public static IReadOnlyList<string> LocalFolders(string? value)
    {
        var folders = new List<string>();
        foreach (var element in (value ?? "").Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            var parts = element.Split('*', StringSplitOptions.TrimEntries);
            var first = parts.Length == 1 ? 0 : parts[0].Equals("symsrv", StringComparison.OrdinalIgnoreCase) ? 2 : 1;
            foreach (var part in parts.Skip(first).Select(Environment.ExpandEnvironmentVariables))
            {
                if (IsLocal(part) && !folders.Contains(part))
                    folders.Add(part);
            }
        }

        return folders;
    }

    /// <summary>Whether it is a folder of this machine; an empty place between two asterisks stands for the debugger's own.</summary>
    private static bool IsLocal(string place) =>
        place.Length > 0 && !place.Contains("://", StringComparison.Ordinal) && !place.StartsWith(@"\\", StringComparison.Ordinal) && !place.StartsWith("//", StringComparison.Ordinal);
}
