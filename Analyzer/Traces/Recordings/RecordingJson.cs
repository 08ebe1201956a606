using System.Text.Json.Serialization;

namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>JSON contract of <see cref="Recording"/>, generated at build time: reading a recording needs no reflection.</summary>
[JsonSourceGenerationOptions(WriteIndented = true, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UseStringEnumConverter = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(Recording))]
internal sealed partial class RecordingJson : JsonSerializerContext;
