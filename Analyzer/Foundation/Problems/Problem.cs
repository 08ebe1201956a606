using System.Globalization;

namespace EtwSerializerProfiler.Foundation.Problems;

/// <summary>Why something could not be done, in three parts that are written as three lines.</summary>
/// <param name="What">What is wrong.</param>
/// <param name="Where">Where: a file and the offset in it, a process, an option.</param>
/// <param name="Fix">How to fix it.</param>
public sealed record Problem(string What, string Where, string Fix)
{
    /// <summary>A place in a file.</summary>
    /// <param name="file">Path of the file.</param>
    /// <param name="offset">Byte offset, null for the file as a whole.</param>
    public static string In(string file, long? offset) => offset is { } at ? string.Create(CultureInfo.InvariantCulture, $"{file}, offset {at}") : file;

    /// <summary>All of it in one line, for lists of losses.</summary>
    public override string ToString() => $"{Where}: {What}; {Fix}";
}
