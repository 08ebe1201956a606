namespace EtwSerializerProfiler.Sessions.Doctor;

/// <summary>Outcome of a <see cref="MachineCheck"/>.</summary>
public enum Verdict
{
    /// <summary>Everything can be recorded.</summary>
    Yes,

    /// <summary>Something can be recorded.</summary>
    Partly,

    /// <summary>Nothing can be recorded.</summary>
    No,
}
