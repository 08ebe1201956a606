namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>An environment variable of the recorded command that affects what its runtime records.</summary>
/// <param name="Name">Name of the variable.</param>
/// <param name="Value">Its value for the command.</param>
/// <param name="SetByUser">Whether the user's environment had it; then its value was kept.</param>
/// <param name="Purpose">What it is for.</param>
public sealed record RuntimeVariable(string Name, string Value, bool SetByUser, string Purpose);

/// <summary>A setting of a runtime that changes what is measured.</summary>
/// <param name="Name">Its name: <c>TieredCompilation</c>, <c>GCServer</c>.</param>
/// <param name="Value">Its value, or the runtime's default.</param>
/// <param name="Source">Its origin: <c>default</c>, <c>runtimeconfig.json</c>, or the variable of the environment.</param>
public sealed record RuntimeKnob(string Name, string Value, string Source);
