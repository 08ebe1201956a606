using System.Buffers.Binary;
using System.Globalization;
using System.Text;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// The separate debug files of ELF images. A linker or strip leaves their names in the image: its build id, and <c>.gnu_debuglink</c> with
/// a file name and a checksum. A file is used only if it belongs to the image: its build id must match if it was found by that, else its
/// checksum.
/// </summary>
/// <remarks>
/// Searches the user's folders, then the folders that GDB searches ("Debugging Information in Separate Files"). Section: zero-terminated
/// text, padded to 4, then u32 checksum.
/// </remarks>
/// <param name="folders">Folders or files that are searched first.</param>
/// <param name="systemFolder">Where packages of the system put debug files.</param>
internal sealed class DebugFiles(IReadOnlyList<string> folders, string systemFolder = "/usr/lib/debug")
{
    private const int MaxLinkBytes = 1 << 12;

    /// <summary>A build id has at least one byte for the folder and one for the file.</summary>
    private const int MinBuildIdDigits = 4;

    private readonly List<string> _problems = [];

    /// <summary>Why files were not used, a sentence each.</summary>
    public IReadOnlyList<string> Problems => _problems;

    /// <summary>Name of an image's debug file; empty when the image has none.</summary>
    public static string LinkOf(ElfFile image) => Link(image)?.Name ?? "";

    /// <summary>Opens the debug file of an image; null when there is none.</summary>
    public ElfFile? Find(ElfFile image)
    {
        foreach (var file in ByBuildId(image.BuildId))
        {
            if (
                Open(
                    file,
                    opened => opened.BuildId == image.BuildId ? "" : $"it has build id {opened.BuildId}, {image.Path} has {image.BuildId}"
                ) is
                { } found
            )
                return found;
        }

        if (Link(image) is not var (name, checksum))
            return null;
        foreach (var file in ByName(image.Path, name))
        {
            if (
                Open(
                    file,
                    opened =>
                        Crc32.OfFile(opened.Path) is var own && own == checksum
                            ? ""
                            : string.Create(CultureInfo.InvariantCulture, $"its checksum is {own:x8}, {image.Path} asks for {checksum:x8}")
                ) is
                { } found
            )
                return found;
        }

        return null;
    }

    private IEnumerable<string> ByBuildId(string buildId)
    {
        if (buildId.Length < MinBuildIdDigits)
            yield break;
        var file = Path.Combine(".build-id", buildId[..2], buildId[2..] + ".debug");
        foreach (var folder in folders.Append(systemFolder))
            yield return Path.Combine(folder, file);
    }

    private IEnumerable<string> ByName(string image, string name)
    {
        foreach (var folder in folders)
            yield return Path.GetFileName(folder) == name && File.Exists(folder) ? folder : Path.Combine(folder, name);
        var own = Path.GetDirectoryName(image) ?? "";
        yield return Path.Combine(own, name);
        yield return Path.Combine(own, ".debug", name);
        yield return Path.Combine(systemFolder, own.TrimStart('/'), name);
    }

    private ElfFile? Open(string path, Func<ElfFile, string> refusal)
    {
        try
        {
            if (!File.Exists(path))
                return null;
            var file = ElfFile.Open(path);
            var reason = file is null ? "it is not a 64-bit ELF file, or is damaged" : refusal(file);
            if (reason.Length == 0)
                return file;
            Refuse($"{path} was not used: {reason}");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            Refuse($"{path} was not used: {exception.Message.TrimEnd('.')}");
        }

        return null;
    }

    private void Refuse(string problem)
    {
        if (!_problems.Contains(problem))
            _problems.Add(problem);
    }

    private static (string Name, uint Checksum)? Link(ElfFile image)
    {
        if (image.Section(".gnu_debuglink"u8) is not { Size: <= MaxLinkBytes } section || image.Content(section) is not { } content)
            return null;
        var end = content.AsSpan().IndexOf((byte)0);
        var checksumAt = (end + 4) & ~3;
        if (end <= 0 || checksumAt + 4 > content.Length)
            return null;
        var name = Encoding.UTF8.GetString(content, 0, end);

        // The name comes from the image; a name with a folder could point outside of the searched folders.
        return name.AsSpan().ContainsAny('/', '\\') || name is "." or ".."
            ? null
            : (name, BinaryPrimitives.ReadUInt32LittleEndian(content.AsSpan(checksumAt)));
    }
}
