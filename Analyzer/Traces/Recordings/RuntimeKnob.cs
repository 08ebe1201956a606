namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>A setting of a runtime that changes what is measured.</summary>
/// <param name="Name">Its name: <c>TieredCompilation</c>, <c>GCServer</c>.</param>
/// <param name="Value">Its value as it was set, or the runtime's default.</param>
/// <param name="Source">Where it comes from: <c>default</c>, <c>runtimeconfig.json</c>, or the variable of the environment.</param>
public sealed record RuntimeKnob(string Name, string Value, string Source);
