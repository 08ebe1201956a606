namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>Runs of one serializer.</summary>
/// <param name="Serializer">Name of the serializer, empty when a run's name was lost.</param>
/// <param name="Expected">Runs the process began.</param>
/// <param name="Found">Runs of them that are in the trace.</param>
public readonly record struct RunCount(string Serializer, int Expected, int Found);
