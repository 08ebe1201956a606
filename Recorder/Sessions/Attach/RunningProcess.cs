namespace EtwSerializerProfiler.Sessions.Attach;

/// <summary>A running .NET process that can be attached to.</summary>
/// <param name="ProcessId">Process id.</param>
/// <param name="Name">Its name.</param>
/// <param name="Runtime">Version of its runtime; empty when the runtime did not answer.</param>
/// <param name="Command">Program and arguments; empty when unreadable.</param>
public sealed record RunningProcess(int ProcessId, string Name, string Runtime, IReadOnlyList<string> Command);
