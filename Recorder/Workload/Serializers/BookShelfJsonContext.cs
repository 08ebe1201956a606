using System.Text.Json.Serialization;
using EtwSerializerProfiler.Workload.Data;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>What the compiler generates for <see cref="SystemTextJsonSourceGen"/>.</summary>
[JsonSerializable(typeof(BookShelf))]
internal sealed partial class BookShelfJsonContext : JsonSerializerContext;
