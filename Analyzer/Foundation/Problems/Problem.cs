using System.Globalization;

namespace EtwSerializerProfiler.Foundation.Problems;

/// <summary>A problem in three parts, which are printed as three lines.</summary>
/// <param name="What">What is wrong.</param>
/// <param name="Where">Where: a file with an offset, a process, an option.</param>
/// <param name="Fix">How to fix it.</param>
public sealed record Problem(string What, string Where, string Fix)
{
    /// <summary>Formats a location in a file.</summary>
    /// <param name="file">Path of the file.</param>
    /// <param name="offset">Byte offset; null for the whole file.</param>
    public static string In(string file, long? offset) =>
        offset is { } at ? string.Create(CultureInfo.InvariantCulture, $"{file}, offset {at}") : file;

    /// <summary>Formats the problem in one line, for lists of losses.</summary>
    public override string ToString() => $"{Where}: {What}; {Fix}";
}
