using System.Text.Json.Serialization;

namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>
/// JSON contract of <see cref="Recording"/> and <see cref="RecordingIndex"/>, generated at build time: reading a recording needs no
/// reflection.
/// </summary>
[JsonSourceGenerationOptions(
    WriteIndented = true,
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UseStringEnumConverter = true,
    RespectRequiredConstructorParameters = true,
    RespectNullableAnnotations = true
)]
[JsonSerializable(typeof(Recording))]
[JsonSerializable(typeof(RecordingIndex))]
internal sealed partial class RecordingJson : JsonSerializerContext;
