namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Tests that open perf events in this process run after the others and one after another: they look at the descriptors and threads of the whole process.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class PerfEventsAlone
{
    public const string Name = "perf events";
}
