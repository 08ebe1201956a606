namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>The sides have nothing that could be compared, or more than one way to do it. The message says what to name instead.</summary>
public sealed class NotComparableException(string message) : Exception(message);
