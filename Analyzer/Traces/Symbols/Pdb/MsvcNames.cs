namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>
/// Demangles names of Microsoft's C++ compiler (they begin with <c>?</c>) to qualified names without parameters, and removes x86
/// decorations from C names. Names that it does not understand stay as they are.
/// </summary>
internal static class MsvcNames
{
    /// <summary>The readable name.</summary>
    /// <param name="name">The linker's name.</param>
    /// <param name="isX86">Whether it comes from 32-bit x86 code: <c>_name</c>, <c>_name@8</c>, <c>@name@8</c> there.</param>
    public static string Undecorate(string name, bool isX86)
    {
        if (name.StartsWith('?'))
            return new MsvcNameParser(name).QualifiedName() ?? name;
        return isX86 ? WithoutDecorations(name) : name;
    }

    private static string WithoutDecorations(string name)
    {
        if (name.Length < 2 || name[0] is not ('_' or '@'))
            return name;
        var at = name.LastIndexOf('@');
        var hasSize = at > 1 && at + 1 < name.Length && !name.AsSpan(at + 1).ContainsAnyExceptInRange('0', '9');
        if (name[0] == '@')
            return hasSize ? name[1..at] : name;
        return hasSize ? name[1..at] : name[1..];
    }
}

/// <summary>A C++ type as text: the parts before and after the name of a variable.</summary>
/// <param name="Before">For example <c>int (</c> and a pointer's star.</param>
/// <param name="Behind">Sizes of arrays, parameters.</param>
/// <param name="IsPointer">Whether it is a pointer or a reference.</param>
/// <param name="Convention">Calling convention of a function, which a pointer writes into its brackets; else null.</param>
internal readonly record struct MsvcType(string Before, string Behind = "", bool IsPointer = false, string? Convention = null)
{
    /// <summary>The type without a name.</summary>
    public string Text => Convention is null ? Before + Behind : $"{Before} {Convention}{Behind}";
}
