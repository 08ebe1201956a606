namespace EtwSerializerProfiler.Traces.Symbols.Lines;

/// <summary>The lines of a PDB of managed code, whichever format it has.</summary>
internal interface IPdbLines
{
    /// <summary>The source files that it names.</summary>
    IEnumerable<SourceDocument> Documents { get; }

    /// <summary>The statements of a method, ascending; empty when it has none, or they are damaged.</summary>
    /// <param name="method">Token of the method.</param>
    IReadOnlyList<Statement> Statements(int method);
}

/// <summary>A statement: where it begins in the method's IL, and its line, 0 for code without one.</summary>
internal readonly record struct Statement(int Start, SourceLine Line);

/// <summary>A source file that a PDB names.</summary>
/// <param name="Path">Its path as the compiler had it.</param>
/// <param name="Algorithm">Kind of the checksum, as compilers number them; empty for none.</param>
/// <param name="Checksum">Checksum of its bytes; empty for none.</param>
/// <param name="Embedded">Reads what the PDB has of its text (i32 size, 0 for bytes as they are, else the size of what follows once it is inflated); null for nothing.</param>
internal sealed record SourceDocument(string Path, Guid Algorithm, byte[] Checksum, Func<byte[]?> Embedded);
