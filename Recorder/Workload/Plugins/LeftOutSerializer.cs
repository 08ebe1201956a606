namespace EtwSerializerProfiler.Workload.Plugins;

/// <summary>A serializer that does not take part.</summary>
/// <param name="Name">Name of the serializer.</param>
/// <param name="Reason">Reason in one line: its adapter could not be built, or it cannot do what the options request.</param>
public sealed record LeftOutSerializer(string Name, string Reason);
