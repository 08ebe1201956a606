using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace EtwSerializerProfiler.Dumps.Files;

/// <summary>Finds debugging libraries and images on this machine only: nothing is downloaded.</summary>
internal sealed class LocalLibraries : IFileLocator
{
    /// <inheritdoc />
    public string? FindPEImage(string fileName, int buildTimeStamp, int imageSize, bool checkProperties) => Existing(fileName);

    /// <inheritdoc />
    public string? FindPEImage(string fileName, SymbolProperties archivedUnder, ImmutableArray<byte> buildIdOrUUID, OSPlatform originalPlatform, bool checkProperties) => Existing(fileName);

    private static string? Existing(string fileName) => Path.IsPathRooted(fileName) && File.Exists(fileName) ? fileName : null;
}
