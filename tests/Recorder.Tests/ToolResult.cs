namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>How a command ended.</summary>
internal sealed record ToolResult(int ExitCode, string Output, string Error);
