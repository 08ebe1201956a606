namespace EtwSerializerProfiler.Traces.Events;

/// <summary>An assembly was loaded (AssemblyLoad).</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="AssemblyId">The runtime's id of the assembly.</param>
/// <param name="IsDynamic">Whether the program created it in memory.</param>
/// <param name="FullName">Its name with version, culture and key.</param>
public readonly record struct AssemblyLoaded(EventAt At, long AssemblyId, bool IsDynamic, string FullName) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.AssemblyLoads;

    static bool ITraceEvent.ShowsKind => true;

    /// <summary>Its simple name.</summary>
    public string Name => SimpleName(FullName);

    /// <summary>The simple name in a full name.</summary>
    internal static string SimpleName(string fullName) =>
        fullName.IndexOf(',', StringComparison.Ordinal) is var comma and >= 0 ? fullName[..comma] : fullName;
}

/// <summary>A module of an assembly was loaded (ModuleLoad).</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="ModuleId">The runtime's id of the module.</param>
/// <param name="AssemblyId">The runtime's id of its assembly.</param>
/// <param name="IsDynamic">Whether the program created it in memory.</param>
/// <param name="IsReadyToRun">Whether it has precompiled code.</param>
public readonly record struct AssemblyModuleLoaded(EventAt At, long ModuleId, long AssemblyId, bool IsDynamic, bool IsReadyToRun)
    : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.AssemblyLoads;
}

/// <summary>The runtime bound an assembly, or failed to (AssemblyLoadStop).</summary>
/// <param name="At">Time, process and thread at the end of the bind.</param>
/// <param name="FullName">Requested name; empty if a path was requested.</param>
/// <param name="Path">Requested path; empty if a name was requested.</param>
/// <param name="Found">Whether the assembly was found.</param>
/// <param name="ResultPath">The file that was found; empty for none.</param>
public readonly record struct AssemblyBind(EventAt At, string FullName, string Path, bool Found, string ResultPath) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.AssemblyBinds;

    static bool ITraceEvent.ShowsKind => true;

    /// <summary>Simple name of the assembly; if a path was requested, the file's name without extension.</summary>
    public string Name => FullName.Length > 0 ? AssemblyLoaded.SimpleName(FullName) : System.IO.Path.GetFileNameWithoutExtension(Path);
}

/// <summary>The load of a type began.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="LoadId">Number of the load.</param>
public readonly record struct TypeLoadStarted(EventAt At, int LoadId) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.TypeLoads;

    static bool ITraceEvent.ShowsKind => true;
}

/// <summary>The load of a type ended.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="LoadId">Number of the load.</param>
/// <param name="TypeId">The runtime's id of the type; 0 when the load failed.</param>
public readonly record struct TypeLoadStopped(EventAt At, int LoadId, long TypeId) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.TypeLoads;
}

/// <summary>The runtime looked for precompiled code of a method before the method's first call.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="Found">Whether the code exists.</param>
public readonly record struct PrecompiledCodeLookup(EventAt At, bool Found) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.PrecompiledMethods;

    static bool ITraceEvent.ShowsKind => true;
}
