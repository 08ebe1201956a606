namespace EtwSerializerProfiler.Options;

/// <summary>One scenario as the command line knows it.</summary>
/// <param name="Name">Value of <c>-scenario</c>.</param>
/// <param name="Sentence">What it is, for lists.</param>
/// <param name="Options">Canonical names of the other options that it reads; the rest cannot be combined with it.</param>
public sealed record ScenarioEntry(string Name, string Sentence, IReadOnlyList<string> Options);
