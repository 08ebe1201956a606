using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Inlining;
using EtwSerializerProfiler.Traces.Symbols.Kept;

namespace EtwSerializerProfiler.Traces.Symbols.Precompiled;

/// <summary>
/// The precompiled assemblies that a recording mapped. Mappings have no build id of an assembly: the file must lie on this machine where it
/// was mapped, have a section of the mapping's place and size, and be older than the recording. Elsewhere the recording has the names of
/// the methods that were found at its end; the tables of one file would be megabytes.
/// </summary>
/// <param name="program">What the recording keeps.</param>
/// <param name="isUnchanged">Whether a file is the one that was recorded.</param>
internal sealed class PrecompiledFiles(ProgramFiles program, Func<string, bool> isUnchanged)
{
    /// <summary>Images that were asked for; null for a file without precompiled code, or another than was recorded.</summary>
    private readonly Dictionary<string, ReadyToRunImage?> _images = [];

    /// <summary>Metadata of assemblies without an image of their own.</summary>
    private readonly Dictionary<string, ModuleMetadata?> _neighbours = [];

    /// <summary>
    /// Methods by file and offset of their code: those found so far, or what the recording keeps; null for a method without a name.
    /// </summary>
    private readonly Dictionary<string, Dictionary<ulong, PrecompiledPlace?>> _places = [];

    private readonly List<string> _problems = [];

    /// <summary>Why names are missing, a sentence each.</summary>
    public IReadOnlyList<string> Problems => _problems;

    /// <summary>The image of a mapped file; null when it has no precompiled code or is not the recorded one.</summary>
    public ReadyToRunImage? Image(in FileMapping mapping) =>
        mapping.Path.StartsWith('/')
        && !mapping.IsExported
        && Image(mapping.Path) is { } image
        && image.Fits(mapping.FileOffset, mapping.Length)
            ? image
            : null;

    /// <summary>The image of an assembly that a trace without mappings names.</summary>
    public ReadyToRunImage? Image(string path)
    {
        if (!IsAssembly(path))
            return null;
        if (!_images.TryGetValue(path, out var image))
            _images.Add(path, image = Read(path));
        return image;
    }

    /// <summary>Finds the named method at an offset of a mapped file.</summary>
    public PrecompiledPlace? Find(in FileMapping mapping, ulong fileOffset)
    {
        if (Image(mapping) is not { } image)
            return mapping.Path.StartsWith('/') && !mapping.IsExported && IsAssembly(mapping.Path)
                ? FindKept(mapping.Path, fileOffset)
                : null;
        if (!image.TryFind(fileOffset, out var method, out var start, out var size))
            return null;
        if (!_places.TryGetValue(image.Path, out var places))
            _places.Add(image.Path, places = []);
        if (!places.TryGetValue(start, out var place))
            places.Add(
                start,
                place = image.Name(method) is { } name
                    ? new PrecompiledPlace(image.Path, image.Metadata.Pdbs is [var pdb, ..] ? pdb : Guid.Empty, start, size, name)
                    {
                        Image = image,
                        Method = method,
                    }
                    : null
            );
        return place;
    }

    /// <summary>Writes the found methods into the recording.</summary>
    /// <exception cref="IOException">They cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">Access is denied.</exception>
    public void Keep()
    {
        foreach (var (path, places) in _places)
        {
            if (places.Values.OfType<PrecompiledPlace>().Where(place => place.Image is not null).ToList() is [var first, ..] found)
                program.Keep(
                    path,
                    new KeptMethods(
                        first.Pdb,
                        [
                            .. found
                                .OrderBy(place => place.Start)
                                .Select(place => new KeptMethod(
                                    place.Start,
                                    place.Size,
                                    place.Name.Token,
                                    place.Name.Type,
                                    place.Name.Name
                                )),
                        ]
                    )
                );
        }
    }

    private PrecompiledPlace? FindKept(string path, ulong fileOffset)
    {
        if (!_places.TryGetValue(path, out var places))
        {
            _places.Add(path, places = []);
            try
            {
                if (program.Methods(path) is { } kept)
                    places = _places[path] = kept.Methods.ToDictionary(
                        method => method.Start,
                        PrecompiledPlace? (method) =>
                            new PrecompiledPlace(
                                path,
                                kept.Pdb,
                                method.Start,
                                method.Size,
                                new PrecompiledMethodName(method.Token, method.Type, method.Name)
                            )
                    );
            }
            catch (Exception exception) when (ImageErrors.Is(exception))
            {
                _problems.Add(
                    $"no names of precompiled code in {path}: what the recording keeps of it cannot be read: {exception.Message.TrimEnd('.')}"
                );
            }
        }

        foreach (var place in places.Values)
        {
            if (fileOffset - place!.Start < place.Size)
                return place;
        }

        return null;
    }

    private static bool IsAssembly(string path) =>
        (path.EndsWith(".dll", StringComparison.OrdinalIgnoreCase) || path.EndsWith(".exe", StringComparison.OrdinalIgnoreCase))
        && path.AsSpan().ContainsAny('/', '\\');

    private ReadyToRunImage? Read(string path)
    {
        try
        {
            var folder = Path.GetDirectoryName(path) ?? "";
            return isUnchanged(path) ? ReadyToRunImage.Read(path, name => Neighbour(Path.Combine(folder, name + ".dll"))) : null;
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            _problems.Add($"no names of precompiled code in {path}: {exception.Message.TrimEnd('.')}");
            return null;
        }
    }

    /// <summary>
    /// The metadata of an assembly beside a precompiled one; null when it cannot be read, or changed since the recording.
    /// </summary>
    private ModuleMetadata? Neighbour(string path)
    {
        if (_images.GetValueOrDefault(path) is { } image)
            return image.Metadata;
        if (_neighbours.TryGetValue(path, out var metadata))
            return metadata;
        try
        {
            metadata = isUnchanged(path) ? ModuleMetadata.Read(path) : null;
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            metadata = null;
        }

        _neighbours.Add(path, metadata);
        return metadata;
    }
}

/// <summary>A named method of a precompiled assembly.</summary>
/// <param name="Path">The assembly.</param>
/// <param name="Pdb">GUID of its PDB; empty when it has none.</param>
/// <param name="Start">Offset of its code in the file.</param>
/// <param name="Size">Bytes of its code with its funclets.</param>
/// <param name="Name">Its names.</param>
internal sealed record PrecompiledPlace(string Path, Guid Pdb, ulong Start, uint Size, PrecompiledMethodName Name)
{
    /// <summary>Its image; null where the recording keeps only its name.</summary>
    public ReadyToRunImage? Image { get; init; }

    /// <summary>Its number in the image.</summary>
    public int Method { get; init; }
}
