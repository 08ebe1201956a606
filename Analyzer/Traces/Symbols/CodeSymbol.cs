using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>What an address means.</summary>
/// <param name="Kind">Kind of code.</param>
/// <param name="Module">File name of the assembly or library; a name in brackets for code without a file.</param>
/// <param name="Namespace">Namespace of the method's type; empty for other code and the global namespace.</param>
/// <param name="Name">
/// Full name of the method without its parameters, the function's symbol, or module+0xoffset when nothing names it.
/// </param>
/// <param name="IsNamed">Whether <paramref name="Name"/> is a real name rather than an offset.</param>
/// <param name="MethodId">The runtime's id of the method, 0 for other code.</param>
/// <param name="Tier">How the method's code was compiled.</param>
public sealed record CodeSymbol(CodeKind Kind, string Module, string Namespace, string Name, bool IsNamed, long MethodId, CodeTier Tier)
{
    /// <summary>Full name of the method's type, the prefix of <see cref="Name"/>; empty for code without a type.</summary>
    public string TypeName { get; init; } = "";

    /// <summary>The frame's source line; null when it is unknown or was not requested.</summary>
    public SourceLine? Line { get; init; }

    /// <summary>
    /// Whether it is code that the runtime generated without an event but whose kind is known; <see cref="Name"/> is that kind.
    /// </summary>
    public bool IsStub { get; init; }

    /// <summary>Whether it is a precompiled method that has its name from the assembly's file rather than from an event.</summary>
    public bool IsOfFile { get; init; }

    /// <summary>Whether it is a method of a module that the program emitted in memory (Reflection.Emit).</summary>
    public bool IsEmitted { get; init; }

    /// <summary>Whether it is a method that was inlined into its caller; <see cref="Tier"/> is then that of the caller's code.</summary>
    public bool IsInlined { get; init; }
}

/// <summary>Kind of code at an address.</summary>
public enum CodeKind
{
    /// <summary>Compiled by a runtime while the program ran or before: methods and the runtime's generated stubs.</summary>
    Managed = 0,

    /// <summary>A native library or program.</summary>
    Native = 1,

    /// <summary>The kernel.</summary>
    Kernel = 2,

    /// <summary>Unknown.</summary>
    Unknown = 3,
}
