namespace EtwSerializerProfiler.Analysis.Causes;

/// <summary>What a CPU sample was spent on.</summary>
/// <param name="Part">Part of the process's time.</param>
/// <param name="Cause">Number of the cause in <see cref="CauseCatalog.All"/>; -1 for none, and outside of the serializer.</param>
/// <param name="Symbol">Number of the symbol with which the cause begins; without a cause that of the leaf.</param>
/// <param name="IsLazyRead">Whether the serializer did it when a graph that it reads lazily was touched.</param>
internal readonly record struct SampleClass(SamplePart Part, int Cause, int Symbol, bool IsLazyRead = false);
