namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>A variable of the recorded command's environment that decides what its runtime tells.</summary>
/// <param name="Name">Name of the variable.</param>
/// <param name="Value">Its value for the command.</param>
/// <param name="SetByUser">Whether the user's own environment held it: then it was left as it was.</param>
/// <param name="Purpose">What it is for.</param>
public sealed record RuntimeVariable(string Name, string Value, bool SetByUser, string Purpose);

/// <summary>A setting of a runtime that changes what is measured.</summary>
/// <param name="Name">Its name: <c>TieredCompilation</c>, <c>GCServer</c>.</param>
/// <param name="Value">Its value as it was set, or the runtime's default.</param>
/// <param name="Source">Where it comes from: <c>default</c>, <c>runtimeconfig.json</c>, or the variable of the environment.</param>
public sealed record RuntimeKnob(string Name, string Value, string Source);
