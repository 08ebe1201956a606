namespace EtwSerializerProfiler.Workload.Plugins;

/// <summary>A serializer that does not take part.</summary>
/// <param name="Name">Name of the serializer.</param>
/// <param name="Reason">Why, in one line: its adapter could not be built with the suite, or it cannot do what is asked for.</param>
public sealed record LeftOutSerializer(string Name, string Reason);
