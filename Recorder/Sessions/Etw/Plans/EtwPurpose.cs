namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>Purposes of ETW sessions; each is a preset of providers, keywords and stacks (<see cref="EtwPresets"/>).</summary>
public enum EtwPurpose
{
    /// <summary>Runs of serializers: CPU time, waits, GCs, JIT, exceptions, locks.</summary>
    Runs = 0,

    /// <summary>Where memory is allocated: allocation events with stacks, in a session of their own.</summary>
    Allocation = 1,

    /// <summary>First calls: also registry accesses, assembly binds, type loads.</summary>
    FirstCall = 2,

    /// <summary>Only thrown exceptions with their stacks; cheap enough for hours.</summary>
    Exceptions = 3,
}
