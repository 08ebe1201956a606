using System.Text;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Stacktags;

namespace EtwSerializerProfiler.Reports;

/// <summary>The .stacktags files that are made from the catalogs; the folder stacktags/ holds them as this program writes them.</summary>
public static class StacktagFiles
{
    /// <summary>Name of the file of serializers.</summary>
    public const string Serializers = "Serializers.stacktags";

    /// <summary>Name of the file of causes.</summary>
    public const string Causes = "Causes.stacktags";

    private const string Origin = "Written by 'esp-analyze stacktags'. Change the catalogs in the sources, not this file.";

    /// <summary>Writes both files.</summary>
    /// <param name="folder">Where to; made when it is not there.</param>
    /// <returns>Their paths.</returns>
    /// <exception cref="IOException">They cannot be written.</exception>
    public static IReadOnlyList<string> Write(string folder)
    {
        Directory.CreateDirectory(folder);
        return [Write(Path.Combine(folder, Serializers), SerializerTags.Root), Write(Path.Combine(folder, Causes), CauseCatalog.FileRoot)];
    }

    /// <summary>Reads files of tags.</summary>
    /// <param name="paths">Their paths; none for the tags of serializers and causes.</param>
    /// <exception cref="StacktagFormatException">One is no .stacktags file.</exception>
    /// <exception cref="IOException">One cannot be read.</exception>
    public static StacktagMatcher Read(IReadOnlyList<string> paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        return paths.Count == 0 ? new StacktagMatcher(SerializerTags.Root, CauseCatalog.FileRoot) : new StacktagMatcher([.. paths.Select(Read)]);
    }

    private static Stacktag Read(string path)
    {
        using var reader = new StreamReader(path);
        return StacktagFile.Read(reader, path);
    }

    private static string Write(string path, Stacktag root)
    {
        using var writer = new StreamWriter(path, append: false, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { NewLine = "\n" };
        StacktagFile.Write(root, writer, Origin);
        return path;
    }
}
