namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A method has code (MethodLoad, MethodLoadVerbose); a view, valid during the call.</summary>
public readonly ref struct MethodLoaded
{
    /// <summary>When and on which thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>The runtime's id of the method.</summary>
    public required long MethodId { get; init; }

    /// <summary>The runtime's id of its module.</summary>
    public long ModuleId { get; init; }

    /// <summary>The method belongs to no assembly: it was emitted while the program ran, by the program or as a stub by the runtime.</summary>
    public bool IsDynamic { get; init; }

    /// <summary>False for precompiled (ReadyToRun) code, whose load costs no compilation.</summary>
    public required bool IsJitted { get; init; }

    /// <summary>How the code was made.</summary>
    public CodeTier Tier { get; init; }

    /// <summary>Bytes of code.</summary>
    public uint CodeBytes { get; init; }

    /// <summary>Full name of its type; empty when it is not told.</summary>
    public ReadOnlySpan<char> Namespace { get; init; }

    /// <summary>Its name; empty when it is not told.</summary>
    public ReadOnlySpan<char> Name { get; init; }
}
