namespace EtwSerializerProfiler.Workload.Plugins;

/// <summary>A serializer whose adapter could not be built with the suite.</summary>
/// <param name="Name">Name of the serializer.</param>
/// <param name="Reason">Why, in one line.</param>
public sealed record LeftOutAdapter(string Name, string Reason);
