namespace EtwSerializerProfiler.Analysis.FirstCalls;

/// <summary>First calls and what they are made of.</summary>
/// <param name="Rows">One row a serializer, start-up kind and object count; the kinds of a serializer stand together.</param>
/// <param name="Assemblies">Assemblies of the rows, in their order.</param>
/// <param name="Problems">What is missing, a sentence each.</param>
public sealed record FirstCallResult(IReadOnlyList<FirstCallRow> Rows, IReadOnlyList<AssemblyRow> Assemblies, IReadOnlyList<string> Problems);
