namespace EtwSerializerProfiler.Traces.Assemblies;

/// <summary>A row of the AssemblyRef table: what an assembly wants to be loaded.</summary>
/// <param name="Identity">The assembly it names.</param>
/// <param name="Flags">Its flags as they are in the file (<see cref="AssemblyReferenceFlags"/>).</param>
public sealed record AssemblyReferenceEntry(AssemblyIdentity Identity, uint Flags);
