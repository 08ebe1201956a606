namespace EtwSerializerProfiler.Reports.Html;

/// <summary>What a recording says in a few sentences: about one test, or about all.</summary>
/// <param name="Title">What the sentences are about.</param>
/// <param name="Sentences">The sentences; every number is one that tables have.</param>
public sealed record Headline(string Title, IReadOnlyList<string> Sentences);
