namespace EtwSerializerProfiler.Parsing;

/// <summary>What is wrong with a command line, and what to do; where is the option that it was said of.</summary>
/// <param name="What">What is wrong.</param>
/// <param name="ToDo">What to write instead.</param>
public sealed record OptionAdvice(string What, string ToDo);
