namespace EtwSerializerProfiler.Traces.Symbols.Pdb;

/// <summary>A file is no PDB file of native code, or is damaged.</summary>
/// <param name="expected">What should stand there.</param>
/// <param name="offset">Where: offset in the file, or in the stream that <paramref name="expected"/> names.</param>
internal sealed class PdbFormatException(string expected, long offset) : Exception(FormattableString.Invariant($"expected {expected} at offset 0x{offset:x}"));
