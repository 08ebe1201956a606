using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Etw.Conduct;

/// <summary>What a recorder leaves behind while its sessions run: by it they are found after a crash.</summary>
/// <param name="ProcessId">The recorder.</param>
/// <param name="ProcessStartedUtc">When it started: process ids are used again.</param>
/// <param name="Tool">What started the sessions.</param>
/// <param name="Folder">Folder of the recording.</param>
/// <param name="Sessions">Names of its sessions.</param>
/// <param name="SampleIntervalChanged">Whether the machine's sample interval was changed.</param>
public sealed record EtwNote(int ProcessId, DateTime ProcessStartedUtc, EtwTool Tool, string Folder, IReadOnlyList<string> Sessions, bool SampleIntervalChanged);
