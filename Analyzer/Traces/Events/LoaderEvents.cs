namespace EtwSerializerProfiler.Traces.Events;

/// <summary>An assembly was loaded (AssemblyLoad).</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="AssemblyId">The runtime's id of the assembly.</param>
/// <param name="IsDynamic">It was made in memory by the program.</param>
/// <param name="FullName">Its name with version, culture and key.</param>
public readonly record struct AssemblyLoaded(EventAt At, long AssemblyId, bool IsDynamic, string FullName) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.AssemblyLoads;

    static bool ITraceEvent.ShowsKind => true;

    /// <summary>Its name alone.</summary>
    public string Name => SimpleName(FullName);

    /// <summary>The name alone of a full one.</summary>
    internal static string SimpleName(string fullName) => fullName.IndexOf(',', StringComparison.Ordinal) is var comma and >= 0 ? fullName[..comma] : fullName;
}

/// <summary>A module of an assembly was loaded (ModuleLoad).</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="ModuleId">The runtime's id of the module.</param>
/// <param name="AssemblyId">The runtime's id of its assembly.</param>
/// <param name="IsDynamic">It was made in memory by the program.</param>
/// <param name="IsReadyToRun">It holds precompiled code.</param>
public readonly record struct AssemblyModule(EventAt At, long ModuleId, long AssemblyId, bool IsDynamic, bool IsReadyToRun) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.AssemblyLoads;
}

/// <summary>The runtime has looked for an assembly that was to be loaded (AssemblyLoadStop).</summary>
/// <param name="At">When and on which thread the search ended.</param>
/// <param name="FullName">Name that was asked for; empty when a path was.</param>
/// <param name="Path">Path that was asked for; empty when a name was.</param>
/// <param name="Found">Whether there was one.</param>
/// <param name="ResultPath">File that was found; empty for none.</param>
public readonly record struct AssemblyBind(EventAt At, string FullName, string Path, bool Found, string ResultPath) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.AssemblyBinds;

    static bool ITraceEvent.ShowsKind => true;

    /// <summary>The name alone, or the file's.</summary>
    public string Name => FullName.Length > 0 ? AssemblyLoaded.SimpleName(FullName) : System.IO.Path.GetFileNameWithoutExtension(Path);
}

/// <summary>The load of a type began.</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="LoadId">Number of the load.</param>
public readonly record struct TypeLoadStarted(EventAt At, int LoadId) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.TypeLoads;

    static bool ITraceEvent.ShowsKind => true;
}

/// <summary>The load of a type ended.</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="LoadId">Number of the load.</param>
/// <param name="TypeId">The runtime's id of the type; 0 when it could not be loaded.</param>
public readonly record struct TypeLoadStopped(EventAt At, int LoadId, long TypeId) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.TypeLoads;
}

/// <summary>The runtime looked for precompiled code of a method before the method's first call.</summary>
/// <param name="At">When and on which thread.</param>
/// <param name="Found">Whether there is such code.</param>
public readonly record struct PrecompiledMethod(EventAt At, bool Found) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.PrecompiledMethods;

    static bool ITraceEvent.ShowsKind => true;
}
