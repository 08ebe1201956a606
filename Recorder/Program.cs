using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Recorder.Commands;
using EtwSerializerProfiler.Reports.Terminals;

ClosableTerminalWriter.Use();
return await EspRecord.RunAsync(args, Console.Out, Console.Error, static () => Terminal.ColumnsOr(HelpWriterAction.WidthOfFiles)).ConfigureAwait(false);
