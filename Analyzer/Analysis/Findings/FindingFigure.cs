namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>A number that a finding rests on.</summary>
/// <param name="Name">What it is, for people: <c>exponent of BinaryFormatter Deserialize</c>.</param>
/// <param name="Value">The number.</param>
/// <param name="Unit">Its unit; empty for a count or a ratio.</param>
public readonly record struct FindingFigure(string Name, double Value, string Unit)
{
    /// <summary>Bounds of its 95 % interval; null when it has none.</summary>
    public (double Low, double High)? Interval { get; init; }
}
