namespace EtwSerializerProfiler.Traces.Recordings;

/// <summary>A step of carrying out ETW's sessions.</summary>
/// <param name="Title">What it did; <c>undo: …</c> for what was taken back.</param>
/// <param name="Command">The command, or what the recorder did itself.</param>
/// <param name="Milliseconds">How long it took.</param>
/// <param name="Error">Why it failed, empty when it did not.</param>
public sealed record RecordedEtwStep(string Title, string Command, double Milliseconds, string Error);
