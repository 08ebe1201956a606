namespace EtwSerializerProfiler.Etl.Reading;

/// <summary>A record of a decoded buffer that was found to lie inside it.</summary>
internal readonly record struct RecordEntry(long Time, int Offset, ushort Size, ushort PayloadAt);
