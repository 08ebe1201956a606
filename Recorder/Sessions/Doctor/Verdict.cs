namespace EtwSerializerProfiler.Sessions.Doctor;

/// <summary>Outcome of a <see cref="MachineCheck"/>.</summary>
public enum Verdict
{
    /// <summary>Everything there is can be recorded.</summary>
    Yes,

    /// <summary>Some of it.</summary>
    Partly,

    /// <summary>Nothing.</summary>
    No,
}
