namespace EtwSerializerProfiler.Traces.Symbols.Lines;

/// <summary>The lines of a managed PDB of any format.</summary>
internal interface IPdbLines
{
    /// <summary>Its source files.</summary>
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
/// <param name="Embedded">
/// Reads the text embedded in the PDB (i32 size: 0 for uncompressed bytes, else the size after inflating what follows); null when none is
/// embedded.
/// </param>
internal sealed record SourceDocument(string Path, Guid Algorithm, byte[] Checksum, Func<byte[]?> Embedded);
