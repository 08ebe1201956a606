using System.Text;
using EtwSerializerProfiler.Analyzer.Commands;
using EtwSerializerProfiler.CommandLine.Help;

Console.OutputEncoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
return RootCommandFactory.Run(args, width: static () => Console.IsOutputRedirected ? HelpWriterAction.WidthOfFiles : Math.Max(Console.WindowWidth, 1));
