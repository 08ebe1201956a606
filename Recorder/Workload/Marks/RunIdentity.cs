namespace EtwSerializerProfiler.Marks;

/// <summary>Identity of one run, stored in the RunStart and RunStop events and in a row of the run CSV.</summary>
/// <param name="Serializer">Name of the serializer, for example <c>Newtonsoft.Json</c>.</param>
/// <param name="Library">Assembly that implements it.</param>
/// <param name="LibraryVersion">Version of its package, or of that assembly.</param>
/// <param name="Operation">One of <see cref="RunOperation"/>, or the program's own name.</param>
/// <param name="Kind">Kind of the run.</param>
/// <param name="ObjectCount">Objects in the graph (books on the shelf); 0 when it does not apply.</param>
/// <param name="PayloadBytes">Extra bytes in each object; 0 for none.</param>
/// <param name="RunNumber">Number of this run among its repetitions, from 1.</param>
/// <param name="ThreadCount">Number of threads that run the operation at the same time.</param>
public sealed record RunIdentity(
    string Serializer,
    string Library,
    string LibraryVersion,
    string Operation,
    RunKind Kind,
    int ObjectCount,
    int PayloadBytes,
    int RunNumber,
    int ThreadCount
);
