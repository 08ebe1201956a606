namespace EtwSerializerProfiler.Dumps.Roots;

/// <summary>What keeps objects of the biggest types alive, by samples of them.</summary>
/// <param name="Rows">A row a type and path.</param>
/// <param name="IsComplete">Whether all that is alive was followed, or all samples found; else the time ended it.</param>
/// <param name="ObjectsFollowed">Objects whose references were followed.</param>
public sealed record RootResult(IReadOnlyList<RootRow> Rows, bool IsComplete, long ObjectsFollowed);
