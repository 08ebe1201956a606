namespace EtwSerializerProfiler.Etl;

/// <summary>How far several readers are together.</summary>
/// <param name="Name">What they do.</param>
/// <param name="Done">How much was read, in bytes.</param>
/// <param name="Bytes">How much there is to read.</param>
public sealed record ReadStep(string Name, long Done, long Bytes);
