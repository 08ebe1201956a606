using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Kept;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// The ELF files of a recording's mappings: this machine's file if it is the recorded one, else the parts that the recording keeps. Each is
/// read once.
/// </summary>
/// <param name="program">What the recording keeps.</param>
/// <param name="debugFiles">Finds debug files.</param>
/// <param name="isUnchanged">Whether a file without a recorded build id is the one that was recorded.</param>
internal sealed class ImageFiles(ProgramFiles program, DebugFiles debugFiles, Func<string, bool> isUnchanged)
{
    private readonly Dictionary<(string Path, string BuildId), ElfImage?> _images = [];
    private readonly List<string> _problems = [];

    /// <summary>Why functions that could have names have none; one sentence per file.</summary>
    public IReadOnlyList<string> Problems =>
        [.. _problems, .. debugFiles.Problems, .. _images.Select(pair => NativeAotProblem(pair.Key.Path, pair.Value)).OfType<string>()];

    /// <summary>
    /// Files of this machine that were read, including debug files, with the id by which <see cref="ProgramFiles"/> keeps their parts.
    /// </summary>
    public IEnumerable<(ImageFile File, string Id)> Used
    {
        get
        {
            foreach (var ((path, buildId), image) in _images)
            {
                if (image is not { ImageFile.IsKept: false })
                    continue;
                yield return (image.ImageFile, PartsId(path, buildId));
                if (image.DebugFile is { } debugFile)
                    yield return (debugFile, PartsId(path, buildId));
            }
        }
    }

    /// <summary>The functions of a mapped file; null when it cannot be read, is not an ELF file, or changed since the recording.</summary>
    public ElfImage? Find(in FileMapping mapping)
    {
        var key = (mapping.Path, mapping.BuildId);
        if (!_images.TryGetValue(key, out var image))
            _images.Add(key, image = mapping.Path.StartsWith('/') ? Read(mapping) : null);
        return image;
    }

    private ElfImage? Read(FileMapping mapping)
    {
        var problem = "";
        if ((ReadFile(mapping, ref problem) ?? ReadKept(mapping, ref problem)) is { } image)
            return image;
        if (problem.Length > 0)
            _problems.Add($"no symbols of {mapping.Path}: {problem}");
        return null;
    }

    private ElfImage? ReadFile(FileMapping mapping, ref string problem)
    {
        try
        {
            if (mapping.BuildId.Length == 0)
                return isUnchanged(mapping.Path) ? ElfImage.Read(mapping.Path, debugFiles) : null;
            var image = ElfImage.Read(mapping.Path, debugFiles);
            if (image is null || image.BuildId == mapping.BuildId)
                return image;
            problem = $"the file changed since the recording (build id {image.BuildId}, recorded {mapping.BuildId})";
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            problem = exception.Message.TrimEnd('.');
        }

        return null;
    }

    private ElfImage? ReadKept(FileMapping mapping, ref string problem)
    {
        var id = PartsId(mapping.Path, mapping.BuildId);
        try
        {
            if (
                program.Parts(mapping.Path, id) is { } kept
                && ElfImage.ReadKept(kept, name => program.Parts(name, id)) is { } image
                && (mapping.BuildId.Length == 0 || image.BuildId == mapping.BuildId)
            )
                return image;
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            problem = $"what the recording keeps of it cannot be read: {exception.Message.TrimEnd('.')}";
        }

        return null;
    }

    /// <summary>
    /// Identifies a library's parts: by its build id, or by its path where the recording has none (ptrace, and mappings from before an
    /// attach).
    /// </summary>
    private static string PartsId(string path, string buildId) => buildId.Length > 0 ? buildId : ProgramFiles.IdOf(path);

    /// <summary>Which names a NativeAOT program lacks, and how to get them; null when none are missing.</summary>
    private static string? NativeAotProblem(string path, ElfImage? image) =>
        image switch
        {
            { NativeAot.Problem: { Length: > 0 } problem } => $"methods of {path} have the compiler's names, if any: {problem}",
            { NativeAot: not null, HasSymbols: false } =>
                $"no names of the runtime's functions (GC, allocator), of generic instances and of stubs in {path}: {(image.DebugFileName.Length > 0 ? $"its debug file {image.DebugFileName} is not beside it; keep it there, name its folder by --symbols" : "it has no symbols; publish it without strip")}, or publish with -p:StripSymbols=false",
            _ => null,
        };
}
