namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

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
