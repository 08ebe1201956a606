namespace EtwSerializerProfiler.Traces.Assemblies;

/// <summary>A bindingRedirect of a program's configuration file (.NET Framework): who asks for one of these versions gets another.</summary>
/// <param name="Name">Simple name of the assembly.</param>
/// <param name="Oldest">Lowest version that is redirected.</param>
/// <param name="Newest">Highest version that is redirected.</param>
/// <param name="Version">Version that is loaded instead.</param>
public sealed record BindingRedirect(string Name, Version Oldest, Version Newest, Version Version);
