using System.Text;
using System.Text.Json;

namespace EtwSerializerProfiler.Configuration;

/// <summary>A configuration file after reading.</summary>
public sealed class ConfigurationFile
{
    /// <summary>Default file name.</summary>
    public const string FileName = "esp.json";

    /// <summary>Maximum size; larger than any handwritten file.</summary>
    private const int MaxBytes = 1 << 20;

    private ConfigurationFile(string path, ConfigurationNode root)
    {
        Path = path;
        Root = root;
    }

    /// <summary>Absolute path.</summary>
    public string Path { get; }

    /// <summary>Folder to which its paths are relative.</summary>
    public string Folder => System.IO.Path.GetDirectoryName(Path)!;

    /// <summary>The top-level object.</summary>
    public ConfigurationNode Root { get; }

    /// <summary>
    /// Searches for a file in a folder, then in its parents up to the root of a git repository or of the file system. A parent that every
    /// user may write to, such as /tmp, ends the search, because other users may have put files there.
    /// </summary>
    /// <param name="folder">The folder where the search begins.</param>
    /// <returns>The file's path; null when there is none.</returns>
    public static string? Find(string folder)
    {
        for (var current = new DirectoryInfo(System.IO.Path.GetFullPath(folder)); current is not null; current = current.Parent)
        {
            var path = System.IO.Path.Combine(current.FullName, FileName);
            if (File.Exists(path))
                return path;
            if (
                System.IO.Path.Exists(System.IO.Path.Combine(current.FullName, ".git"))
                || (current.Parent is { } parent && IsWritableByAll(parent))
            )
                return null;
        }

        return null;
    }

    /// <summary>Reads a file.</summary>
    /// <param name="path">Its path.</param>
    /// <exception cref="ConfigurationException">The file is unreadable, not JSON, or not an object.</exception>
    public static ConfigurationFile Read(string path)
    {
        path = System.IO.Path.GetFullPath(path);
        byte[] bytes;
        try
        {
            if (new FileInfo(path) is { Exists: true, Length: > MaxBytes })
                throw new ConfigurationException(
                    path,
                    null,
                    $"the file is larger than {MaxBytes >> 20} MB and cannot be a configuration",
                    "name another file with --config"
                );
            bytes = File.ReadAllBytes(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new ConfigurationException(
                path,
                null,
                $"the configuration cannot be read: {exception.Message.TrimEnd('.')}",
                "name another file with --config, or none with --no-config"
            );
        }

        return Parse(path, bytes);
    }

    /// <summary>Parses the content of a file.</summary>
    /// <param name="path">Absolute path, for errors and for paths in it.</param>
    /// <param name="bytes">The contents.</param>
    /// <exception cref="ConfigurationException">The content is not JSON, or not an object.</exception>
    public static ConfigurationFile Parse(string path, ReadOnlySpan<byte> bytes)
    {
        if (bytes.StartsWith(Encoding.UTF8.Preamble))
            bytes = bytes[Encoding.UTF8.Preamble.Length..];
        try
        {
            _ = new UTF8Encoding(false, throwOnInvalidBytes: true).GetCharCount(bytes);
        }
        catch (DecoderFallbackException exception)
        {
            throw new ConfigurationException(path, null, $"not valid UTF-8: byte {exception.Index}", "save it as UTF-8");
        }

        var root = ConfigurationText.Read(path, bytes);
        return root.Kind == JsonValueKind.Object
            ? new ConfigurationFile(path, root)
            : throw new ConfigurationException(
                path,
                root.At,
                $"{root.KindText}; expected: an object with {string.Join(", ", ConfigurationSchema.Shipped.SectionNames.Select(name => $"\"{name}\""))}"
            );
    }

    /// <summary>Creates an error in the file.</summary>
    /// <param name="at">Position.</param>
    /// <param name="problem">What is wrong and what was expected.</param>
    internal ConfigurationException Error(TextPosition at, string problem) => new(Path, at, problem);

    private static bool IsWritableByAll(DirectoryInfo folder) =>
        !OperatingSystem.IsWindows() && (folder.UnixFileMode & UnixFileMode.OtherWrite) != 0;
}
