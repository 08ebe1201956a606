namespace EtwSerializerProfiler.Analysis.Stacktags;

/// <summary>A tag in a list of all tags.</summary>
/// <param name="Tag">The tag.</param>
/// <param name="Path">Its name with those above it, joined by a backslash, as WPA shows it.</param>
public sealed record FlatStacktag(Stacktag Tag, string Path);
