using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation.Terminals;
using EtwSerializerProfiler.Recorder.Commands;
using EtwSerializerProfiler.Sessions.Ptrace;

// Must come first: the sampler must not have a thread that handles signals, and the console starts one.
if (PtraceRole.TryRun(args) is { } exitCode)
    return exitCode;
ClosableTerminalWriter.Use();
return await EspRecord
    .RunAsync(args, Console.Out, Console.Error, static () => Terminal.ColumnsOr(HelpWriterAction.WidthOfFiles))
    .ConfigureAwait(false);
