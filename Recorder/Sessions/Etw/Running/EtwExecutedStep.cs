using EtwSerializerProfiler.Sessions.Etw.Steps;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>A step that was executed or undone.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Title">Its title; <c>undo: …</c> for a step that was undone.</param>
/// <param name="Command">The command as one line, or what the recorder did itself.</param>
/// <param name="Milliseconds">Duration in ms.</param>
/// <param name="Error">Why it failed; empty when it succeeded.</param>
public sealed record EtwExecutedStep(EtwStepKind Kind, string Title, string Command, double Milliseconds, string Error);
