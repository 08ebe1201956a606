using EtwSerializerProfiler.Sessions.Etw.Steps;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>A step that was carried out, or taken back.</summary>
/// <param name="Kind">What it does.</param>
/// <param name="Title">The same in words; <c>undo: …</c> for what was taken back.</param>
/// <param name="Command">The command as one line, or what the recorder did itself.</param>
/// <param name="Milliseconds">How long it took.</param>
/// <param name="Error">Why it failed, empty when it did not.</param>
public sealed record EtwExecutedStep(EtwStepKind Kind, string Title, string Command, double Milliseconds, string Error);
