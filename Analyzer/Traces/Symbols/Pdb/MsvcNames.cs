namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>
/// Turns the names that Microsoft's C++ compiler gives its functions (they begin with <c>?</c>) into qualified ones without parameters, and takes the decorations of x86 from those of C. What it does not
/// understand stays as it is.
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

/// <summary>A type of C++ as text: what stands before the name of a variable of it, and what behind.</summary>
/// <param name="Before">For example <c>int (</c> and a pointer's star.</param>
/// <param name="Behind">Sizes of arrays, parameters.</param>
/// <param name="IsPointer">Whether it is a pointer or a reference.</param>
/// <param name="Convention">Of a function: its calling convention, which a pointer writes into its brackets; else null.</param>
internal readonly record struct MsvcType(string Before, string Behind = "", bool IsPointer = false, string? Convention = null)
{
    /// <summary>The type without a name.</summary>
    public string Text => Convention is null ? Before + Behind : $"{Before} {Convention}{Behind}";
}
