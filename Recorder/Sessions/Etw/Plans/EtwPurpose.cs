namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>What ETW sessions are for: each purpose is a preset of providers, keywords and stacks (<see cref="EtwPresets"/>).</summary>
public enum EtwPurpose
{
    /// <summary>Runs of serializers: processor time, waits, collections, JIT, exceptions, locks.</summary>
    Runs = 0,

    /// <summary>Where memory is allocated: allocation events with stacks, in a session of their own.</summary>
    Allocation = 1,

    /// <summary>First calls: also registry accesses, how assemblies are looked for, type loads.</summary>
    FirstCall = 2,

    /// <summary>Thrown exceptions with their stacks and nothing else; cheap enough for hours.</summary>
    Exceptions = 3,
}
