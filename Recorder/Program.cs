using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation.Terminals;
using EtwSerializerProfiler.Recorder.Commands;

ClosableTerminalWriter.Use();
return await EspRecord.RunAsync(args, Console.Out, Console.Error, static () => Terminal.ColumnsOr(HelpWriterAction.WidthOfFiles)).ConfigureAwait(false);
