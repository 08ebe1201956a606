namespace EtwSerializerProfiler.Dumps.Stacks;

/// <summary>A frame of a managed stack.</summary>
/// <param name="Method">Full name of the method with its parameters; of the runtime's own frames their name in brackets.</param>
/// <param name="Module">File name of its assembly; empty for code without one.</param>
/// <param name="Serializer">
/// Whose code it is, when it is a serializer's: <c>Serialize NAME</c>, <c>Deserialize NAME</c> or <c>Construct NAME</c> of the method in which a serializer's work begins, the library's name of the code below; null for other code.
/// </param>
/// <param name="StackPointer">Address of the frame on its thread's stack; 0 of frames that an exception keeps.</param>
public sealed record DumpFrame(string Method, string Module, string? Serializer, ulong StackPointer)
{
    /// <summary>Whether the serializer's work begins in it, by the catalogs of the suites.</summary>
    public bool IsEntry { get; init; }

    /// <summary>Whether the suite calls in it a serializer of whatever kind.</summary>
    public bool IsContract { get; init; }

    /// <summary>What stands for code without a name: a method that the program made while it ran, which the debugging library does not name, or a stub.</summary>
    public const string Unnamed = "[unnamed code]";

    /// <summary>The frame as a line of a stack.</summary>
    public string Text => Method + (Module.Length > 0 ? $" [{Module}]" : "") + (Serializer is not null ? $" <{Serializer}>" : "");
}
