using System.Text;
using EtwSerializerProfiler.Analyzer.Commands;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation.Terminals;

Console.OutputEncoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
return RootCommandFactory.Run(args, width: static () => Terminal.ColumnsOr(HelpWriterAction.WidthOfFiles));
