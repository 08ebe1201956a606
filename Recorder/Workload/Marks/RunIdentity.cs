namespace EtwSerializerProfiler.Marks;

/// <summary>Names one run. Carried by the RunStart and RunStop events and by a row of the run CSV.</summary>
/// <param name="Serializer">Name of the serializer, for example <c>Newtonsoft.Json</c>.</param>
/// <param name="Library">Assembly that implements it.</param>
/// <param name="LibraryVersion">Version of its package, or of that assembly.</param>
/// <param name="Operation">One of <see cref="RunOperation"/>, or a name of the program's own.</param>
/// <param name="Kind">Measured, warm-up or first call.</param>
/// <param name="ObjectCount">Objects in the graph (N of the book shelf), 0 when it does not apply.</param>
/// <param name="PayloadBytes">Extra bytes in each object, 0 for none.</param>
/// <param name="RunNumber">1-based number of this run among its repetitions.</param>
/// <param name="ThreadCount">Threads that run the operation at the same time.</param>
public sealed record RunIdentity(
    string Serializer,
    string Library,
    string LibraryVersion,
    string Operation,
    RunKind Kind,
    int ObjectCount,
    int PayloadBytes,
    int RunNumber,
    int ThreadCount);
