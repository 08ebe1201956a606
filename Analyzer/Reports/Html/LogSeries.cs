namespace EtwSerializerProfiler.Reports.Html;

/// <summary>A line of a chart.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Colour">Number of its colour, the same in all charts of a test.</param>
/// <param name="Exponent">With which power it grows; null when that is not known.</param>
/// <param name="Points">Its points, by object count; all greater than 0.</param>
internal sealed record LogSeries(string Name, int Colour, double? Exponent, IReadOnlyList<(int N, double Value)> Points);
