namespace EtwSerializerProfiler.CommandLine.Help;

/// <summary>One example of a command.</summary>
/// <param name="Line">The whole command line, as it is typed.</param>
/// <param name="Answers">What it answers or does, one line.</param>
public sealed record CommandExample(string Line, string Answers);
