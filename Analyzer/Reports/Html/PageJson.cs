using System.Text.Json.Serialization;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>
/// JSON contract of the data for the page's script, generated at build time. All special characters of HTML are escaped; null values are
/// omitted.
/// </summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull
)]
[JsonSerializable(typeof(FlameData))]
[JsonSerializable(typeof(IEnumerable<TimelineData>))]
[JsonSerializable(typeof(int))] // for arrays of texts and numbers
[JsonSerializable(typeof(double))]
internal sealed partial class PageJson : JsonSerializerContext;
