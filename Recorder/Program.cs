using System.Text;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Terminals;
using EtwSerializerProfiler.Recorder.Commands;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Ptrace;

// Must come first: the sampler must not have a thread that handles signals, and the console starts one.
if (PtraceRole.TryRun(args) is { } exitCode)
    return exitCode;

// Before assemblies are loaded that could not be opened.
if (OperatingSystem.IsLinux() && OpenFiles.Read().Problem is { } problem)
{
    new ToolMessages(EspRecord.ToolName, Console.Error).Error(problem);
    return ExitCode.NotPossible;
}

// The default of Windows is the console's code page, which lacks characters of tables (│ µ ×).
Console.OutputEncoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
ClosableTerminalWriter.Use();
return await EspRecord
    .RunAsync(args, Console.Out, Console.Error, static () => Terminal.ColumnsOr(HelpWriterAction.WidthOfFiles))
    .ConfigureAwait(false);
