using System.Text;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Stacktags;

namespace EtwSerializerProfiler.Reports;

/// <summary>Writes the .stacktags files of the catalogs; the folder stacktags/ contains this program's output.</summary>
public static class StacktagFiles
{
    /// <summary>File name of the serializers' tags.</summary>
    public const string Serializers = "Serializers.stacktags";

    /// <summary>File name of the causes' tags.</summary>
    public const string Causes = "Causes.stacktags";

    private const string Origin = "Written by 'esp-analyze stacktags'. To change it, edit the catalogs in the source code.";

    /// <summary>Writes both files.</summary>
    /// <param name="folder">The folder; created if missing.</param>
    /// <returns>Paths of the files.</returns>
    /// <exception cref="IOException">The files cannot be written.</exception>
    public static IReadOnlyList<string> Write(string folder)
    {
        Directory.CreateDirectory(folder);
        return [Write(Path.Combine(folder, Serializers), SerializerTags.Root), Write(Path.Combine(folder, Causes), CauseCatalog.FileRoot)];
    }

    /// <summary>Reads tag files.</summary>
    /// <param name="paths">Their paths; if empty, the tags of serializers and causes are used.</param>
    /// <exception cref="StacktagFormatException">A file is not a .stacktags file.</exception>
    /// <exception cref="IOException">A file is unreadable.</exception>
    public static StacktagMatcher Read(IReadOnlyList<string> paths)
    {
        ArgumentNullException.ThrowIfNull(paths);
        return paths.Count == 0
            ? new StacktagMatcher(SerializerTags.Root, CauseCatalog.FileRoot)
            : new StacktagMatcher([.. paths.Select(Read)]);
    }

    private static Stacktag Read(string path)
    {
        using var reader = new StreamReader(path);
        return StacktagFile.Read(reader, path);
    }

    private static string Write(string path, Stacktag root)
    {
        using var writer = new StreamWriter(path, append: false, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false))
        {
            NewLine = "\n",
        };
        StacktagFile.Write(root, writer, Origin);
        return path;
    }
}
