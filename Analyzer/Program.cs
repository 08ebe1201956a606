using System.Text;
using EtwSerializerProfiler.Analyzer.Commands;

Console.OutputEncoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false);
return RootCommandFactory.Run(args);
