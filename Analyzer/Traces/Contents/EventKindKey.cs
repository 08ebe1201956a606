namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>What tells kinds of events apart.</summary>
/// <param name="Provider">Provider, of classic events their class.</param>
/// <param name="IsClassic">Whether <paramref name="Number"/> is an opcode.</param>
/// <param name="Number">Id, of classic events the opcode.</param>
/// <param name="Version">Version of the layout.</param>
/// <param name="Schema">For events that describe themselves the number of their description, else 0.</param>
/// <param name="ProcessId">Process, where kinds are counted by process; else <see cref="AnyProcess"/>.</param>
internal readonly record struct EventKindKey(Guid Provider, bool IsClassic, ushort Number, byte Version, ushort Schema, int ProcessId)
{
    /// <summary>Stands for all processes.</summary>
    public const int AnyProcess = int.MinValue;
}
