namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>A dump that was asked for and does not exist.</summary>
/// <param name="Trigger">What it was to be taken on, as the user wrote it.</param>
/// <param name="Reason">Why there is none, a sentence: it never happened, the limit was reached, the disk had no room.</param>
public sealed record DumpNotTaken(string Trigger, string Reason);
