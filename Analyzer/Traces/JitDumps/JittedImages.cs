using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.JitDumps;

/// <summary>
/// Reads the images that <c>perf inject --jit</c> makes of a jitdump: one ELF file with one symbol per piece of code,
/// <c>jitted-PID-N.so</c>, mapped at the code's time and address.
/// </summary>
internal static class JittedImages
{
    private const string Prefix = "jitted-",
        Extension = ".so";

    /// <summary>Reads the code of images at their mapped paths, or beside the recording.</summary>
    /// <param name="mappings">The process's mappings in time order.</param>
    /// <param name="folder">Folder of the recording.</param>
    /// <param name="missing">Number of missing or unreadable images.</param>
    public static IReadOnlyList<JitCode> Read(IEnumerable<FileMapping> mappings, string folder, out int missing)
    {
        missing = 0;
        var codes = new List<JitCode>();
        foreach (var mapping in mappings.Where(IsImage))
        {
            var image = TryRead(mapping.Path) ?? TryRead(Path.Combine(folder, Path.GetFileName(mapping.Path)));
            if (image is not null && image.TryFind(mapping.FileOffset, out var name) && mapping.Length <= uint.MaxValue)
                codes.Add(new JitCode(mapping.At.Time, mapping.Start, (uint)mapping.Length, name));
            else
                missing++;
        }

        return codes;
    }

    private static ElfImage? TryRead(string path)
    {
        try
        {
            return ElfImage.Read(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static bool IsImage(FileMapping mapping) =>
        Path.GetFileName(mapping.Path) is var name
        && name.StartsWith(Prefix, StringComparison.Ordinal)
        && name.EndsWith(Extension, StringComparison.Ordinal);
}
