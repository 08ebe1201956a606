using System.Text.Json.Serialization;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>JSON contract of the data for the page's script, generated at build time. Every character that means something in HTML is escaped; what is null is left out.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(FlameData))]
[JsonSerializable(typeof(IEnumerable<TimelineData>))]
[JsonSerializable(typeof(int))] // of arrays with texts and numbers
[JsonSerializable(typeof(double))]
internal sealed partial class PageJson : JsonSerializerContext;
