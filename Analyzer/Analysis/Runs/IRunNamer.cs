namespace EtwSerializerProfiler.Analysis.Runs;

/// <summary>
/// Names the serializers of runs whose marks do not say them (traces of the original SerializerTests suite), by what it heard in their windows. It has a pass of its own, before
/// everything that depends on the names.
/// </summary>
public interface IRunNamer : IRunReader
{
    /// <summary>The serializer of a run that has none; empty when it cannot be told.</summary>
    string SerializerOf(Run run);
}
