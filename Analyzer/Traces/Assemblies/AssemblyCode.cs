namespace EtwSerializerProfiler.Traces.Assemblies;

/// <summary>How the code of an assembly reaches the processor.</summary>
public enum AssemblyCode
{
    /// <summary>It has no method with a body: a facade, a reference assembly, resources.</summary>
    None,

    /// <summary>All of it is compiled when it is first called.</summary>
    Il,

    /// <summary>Precompiled, for .NET (ECMA-335 ManagedNativeHeader with signature RTR).</summary>
    ReadyToRun,

    /// <summary>Precompiled by NGEN, for .NET Framework.</summary>
    Ngen,

    /// <summary>Has native code beside IL (C++/CLI).</summary>
    Mixed,
}
