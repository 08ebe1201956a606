namespace EtwSerializerProfiler.Analysis.Stacktags;

/// <summary>A tag of a .stacktags file: a name for frames, with child tags. Format of the Windows Performance Analyzer (WPA).</summary>
/// <param name="Name">Name; empty for the root of a file. Joined with its parents' names by backslashes, it forms the tag's path.</param>
/// <param name="Priority">Priority among several tags on a stack, highest first; 0 by default, not inherited.</param>
/// <param name="Entrypoints">Patterns of its frames; may be empty.</param>
/// <param name="Children">Child tags, in file order.</param>
public sealed record Stacktag(string Name, int Priority, IReadOnlyList<StacktagEntrypoint> Entrypoints, IReadOnlyList<Stacktag> Children)
{
    /// <summary>Addition to the name for each stack.</summary>
    public StacktagHint Hint { get; init; }

    /// <summary>Whether <see cref="Hint"/> adds a frame's module instead of its method.</summary>
    public bool ShowsModuleOnly { get; init; }

    /// <summary>Creates a tag with patterns and without children.</summary>
    public static Stacktag Leaf(string name, params IReadOnlyList<StacktagEntrypoint> entrypoints) => new(name, 0, entrypoints, []);

    /// <summary>Creates a tag without patterns.</summary>
    public static Stacktag Group(string name, params IReadOnlyList<Stacktag> children) => new(name, 0, [], children);
}

/// <summary>A tag in a list of all tags.</summary>
/// <param name="Tag">The tag.</param>
/// <param name="Path">Its name joined with its parents' by backslashes, as WPA shows it.</param>
public sealed record FlatStacktag(Stacktag Tag, string Path);

/// <summary>Frames of a tag. In both patterns, * matches any characters, including none.</summary>
/// <param name="Module">File name of the module, case-insensitive.</param>
/// <param name="Method">
/// Method: <c>Namespace.Type::Method</c>, WPA's form for jitted methods, or <c>Namespace.Type.Method</c>, its form for native images;
/// functions of libraries as their symbols name them. Case-sensitive.
/// </param>
public sealed record StacktagEntrypoint(string Module, string Method);

/// <summary>The frame whose name a HintTag adds.</summary>
public enum StacktagHint
{
    /// <summary>None: an ordinary Tag.</summary>
    None = 0,

    /// <summary>The callee of the tagged frame.</summary>
    Callee = 1,

    /// <summary>The caller of the tagged frame.</summary>
    Caller = 2,
}
