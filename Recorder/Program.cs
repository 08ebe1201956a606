using System.Text;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation.Terminals;
using EtwSerializerProfiler.Recorder.Commands;
using EtwSerializerProfiler.Sessions.Ptrace;

// Must come first: the sampler must not have a thread that handles signals, and the console starts one.
if (PtraceRole.TryRun(args) is { } exitCode)
    return exitCode;

// The default of Windows is the console's code page, which lacks characters of tables (│ µ ×).
Console.OutputEncoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
ClosableTerminalWriter.Use();
return await EspRecord
    .RunAsync(args, Console.Out, Console.Error, static () => Terminal.ColumnsOr(HelpWriterAction.WidthOfFiles))
    .ConfigureAwait(false);
