namespace EtwSerializerProfiler.CommandLine.Help;

/// <summary>One example of a command.</summary>
/// <param name="Line">The whole command line as users type it.</param>
/// <param name="Answers">What it does or answers, one line.</param>
public sealed record CommandExample(string Line, string Answers);
