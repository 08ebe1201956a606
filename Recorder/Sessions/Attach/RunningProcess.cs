namespace EtwSerializerProfiler.Sessions.Attach;

/// <summary>A .NET process that runs and can be attached to.</summary>
/// <param name="ProcessId">Process id.</param>
/// <param name="Name">Its name.</param>
/// <param name="Runtime">Version of its runtime, empty when it did not say it.</param>
/// <param name="Command">Program and arguments, empty when they cannot be read.</param>
public sealed record RunningProcess(int ProcessId, string Name, string Runtime, IReadOnlyList<string> Command);
