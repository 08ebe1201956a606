namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>One recording of a <see cref="RecordingSeries"/>.</summary>
/// <param name="Label">Label that distinguishes its rows.</param>
/// <param name="Options">What to record; its folder is in that of the series.</param>
public sealed record SeriesMember(string Label, RecordOptions Options);
