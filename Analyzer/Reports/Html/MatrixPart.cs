namespace EtwSerializerProfiler.Reports.Html;

/// <summary>A part of a bar.</summary>
/// <param name="Cause">Group of causes, or the serializer's own code.</param>
/// <param name="Percent">Its share of the bar in %.</param>
/// <param name="Text">The same as tables have it.</param>
public sealed record MatrixPart(string Cause, double Percent, string Text);
