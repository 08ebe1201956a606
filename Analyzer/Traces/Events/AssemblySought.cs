namespace EtwSerializerProfiler.Traces.Events;

/// <summary>The runtime has looked for an assembly that was to be loaded (AssemblyLoadStop).</summary>
/// <param name="At">When and on which thread the search ended.</param>
/// <param name="FullName">Name that was asked for; empty when a path was.</param>
/// <param name="Path">Path that was asked for; empty when a name was.</param>
/// <param name="Found">Whether there was one.</param>
/// <param name="ResultPath">File that was found; empty for none.</param>
public readonly record struct AssemblySought(EventAt At, string FullName, string Path, bool Found, string ResultPath)
{
    /// <summary>The name alone, or the file's.</summary>
    public string Name => FullName.Length > 0 ? AssemblyLoaded.SimpleName(FullName) : System.IO.Path.GetFileNameWithoutExtension(Path);
}
