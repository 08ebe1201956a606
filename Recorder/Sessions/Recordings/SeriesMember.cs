namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>One recording of a <see cref="RecordingSeries"/>.</summary>
/// <param name="Label">What its rows are told apart by.</param>
/// <param name="Options">What is recorded; its folder lies in that of the series.</param>
public sealed record SeriesMember(string Label, RecordOptions Options);
