using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>What an address means.</summary>
/// <param name="Kind">Kind of code.</param>
/// <param name="Module">File name of the assembly or library; a name in brackets for what has no file.</param>
/// <param name="Namespace">Namespace of the method's type; empty for other code and the global namespace.</param>
/// <param name="Name">Full name of the method without its parameters, the function's symbol, or module+0xoffset when nothing names it.</param>
/// <param name="IsNamed">Whether <paramref name="Name"/> is one.</param>
/// <param name="MethodId">The runtime's id of the method, 0 for other code.</param>
/// <param name="Tier">How the method's code was made.</param>
public sealed record CodeSymbol(CodeKind Kind, string Module, string Namespace, string Name, bool IsNamed, long MethodId, CodeTier Tier)
{
    /// <summary>Full name of the method's type, with which <see cref="Name"/> begins; empty for code without a type.</summary>
    public string TypeName { get; init; } = "";

    /// <summary>The source line at which the frame stands; null when it is not known, or was not asked for.</summary>
    public SourceLine? Line { get; init; }

    /// <summary>Whether it is code the runtime made without announcing it, of which the kind is known: <see cref="Name"/> says which.</summary>
    public bool IsStub { get; init; }

    /// <summary>Whether it is a precompiled method that its assembly's file names, and no event of the trace.</summary>
    public bool IsOfFile { get; init; }

    /// <summary>Whether it is a method of a module that the program made in memory (Reflection.Emit).</summary>
    public bool IsEmitted { get; init; }

    /// <summary>Whether it is a method whose code was inlined into its caller's: <see cref="Tier"/> is that of the code it became part of.</summary>
    public bool IsInlined { get; init; }
}

/// <summary>What kind of code an address belongs to.</summary>
public enum CodeKind
{
    /// <summary>Compiled by a runtime while the program ran or before: methods and the runtime's generated stubs.</summary>
    Managed = 0,

    /// <summary>A library or program of the operating system's format.</summary>
    Native = 1,

    /// <summary>The kernel.</summary>
    Kernel = 2,

    /// <summary>Nothing is known to lie there.</summary>
    Unknown = 3,
}
