namespace EtwSerializerProfiler.Workload.Data;

/// <summary>One book of a graph of any type, for comparison.</summary>
/// <param name="Id">Number of the book.</param>
/// <param name="Title">Title; null when the serializer lost it.</param>
/// <param name="Payload">Extra bytes; empty for none.</param>
public readonly record struct BookView(int Id, string? Title, ArraySegment<byte> Payload);
