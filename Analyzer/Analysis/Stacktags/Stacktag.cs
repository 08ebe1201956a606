namespace EtwSerializerProfiler.Analysis.Stacktags;

/// <summary>A tag of a .stacktags file: a name for frames, and tags below it. Format of the Windows Performance Analyzer (WPA).</summary>
/// <param name="Name">Name; empty for the root of a file. With the names above it, joined by a backslash, it is the tag's path.</param>
/// <param name="Priority">Of several tags on a stack, those of the highest priority are compared; 0 unless given, not inherited.</param>
/// <param name="Entrypoints">Patterns of the frames that have the tag; may be empty.</param>
/// <param name="Children">Tags below it, in the order of the file.</param>
public sealed record Stacktag(string Name, int Priority, IReadOnlyList<StacktagEntrypoint> Entrypoints, IReadOnlyList<Stacktag> Children)
{
    /// <summary>What is added to the name for each stack.</summary>
    public StacktagHint Hint { get; init; }

    /// <summary>Whether <see cref="Hint"/> adds the module of a frame, not its method.</summary>
    public bool ShowsModuleOnly { get; init; }

    /// <summary>A tag with patterns and nothing below it.</summary>
    public static Stacktag Leaf(string name, params IReadOnlyList<StacktagEntrypoint> entrypoints) => new(name, 0, entrypoints, []);

    /// <summary>A tag without patterns of its own.</summary>
    public static Stacktag Group(string name, params IReadOnlyList<Stacktag> children) => new(name, 0, [], children);
}

/// <summary>A tag in a list of all tags.</summary>
/// <param name="Tag">The tag.</param>
/// <param name="Path">Its name with those above it, joined by a backslash, as WPA shows it.</param>
public sealed record FlatStacktag(Stacktag Tag, string Path);

/// <summary>Frames that have a tag. In both patterns * stands for any characters, also none.</summary>
/// <param name="Module">File name of the module; upper and lower case are the same.</param>
/// <param name="Method">
/// Method: <c>Namespace.Type::Method</c> as WPA shows jitted methods, or <c>Namespace.Type.Method</c> as it shows those of native images; functions of
/// libraries as their symbols name them. Upper and lower case differ.
/// </param>
public sealed record StacktagEntrypoint(string Module, string Method);

/// <summary>The frame whose name a HintTag adds to its own.</summary>
public enum StacktagHint
{
    /// <summary>None: an ordinary Tag.</summary>
    None = 0,

    /// <summary>The frame that the tagged one called.</summary>
    Callee = 1,

    /// <summary>The frame that called the tagged one.</summary>
    Caller = 2,
}
