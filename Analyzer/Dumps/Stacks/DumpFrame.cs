namespace EtwSerializerProfiler.Dumps.Stacks;

/// <summary>A frame of a managed stack.</summary>
/// <param name="Method">Full name of the method with its parameters; for the runtime's own frames, their name in brackets.</param>
/// <param name="Module">File name of its assembly; empty for code without one.</param>
/// <param name="Serializer">
/// The serializer if the code is a serializer's: <c>Serialize NAME</c>, <c>Deserialize NAME</c> or <c>Construct NAME</c> for the method in
/// which a serializer's work begins, the library's name for code below it; null for other code.
/// </param>
/// <param name="StackPointer">Address of the frame on its thread's stack; 0 for frames from an exception.</param>
public sealed record DumpFrame(string Method, string Module, string? Serializer, ulong StackPointer)
{
    /// <summary>Whether the serializer's work begins in it, according to the catalogs of the suites.</summary>
    public bool IsEntry { get; init; }

    /// <summary>Whether the suite calls any serializer in it.</summary>
    public bool IsContract { get; init; }

    /// <summary>Placeholder for code without a name: a dynamic method, which the debugging library does not name, or a stub.</summary>
    public const string Unnamed = "[unnamed code]";

    /// <summary>The frame as a line of a stack.</summary>
    public string Text => Method + (Module.Length > 0 ? $" [{Module}]" : "") + (Serializer is not null ? $" <{Serializer}>" : "");
}
