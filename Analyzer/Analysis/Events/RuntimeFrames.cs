using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>
/// Which frames of a stack say nothing of the program: those of the runtime and of the class library's part of what an event is about. The method above
/// them is the one that a report names.
/// </summary>
internal static class RuntimeFrames
{
    /// <summary>Type of System.Private.CoreLib that dispatches exceptions (.NET 9 and later).</summary>
    public const string Dispatch = "System.Runtime.EH";

    /// <summary>The type that dispatches exceptions, and those whose only purpose is to throw.</summary>
    private static readonly string[] s_throwing = [$"{Dispatch}.", "System.Runtime.CompilerServices.ThrowHelpers."];

    /// <summary>
    /// Passes references to the runtime's native functions. The JIT inlines it into their callers and gives the call itself no mapping of its own, so that it can stand above them: half of a lock's
    /// waits, those since Monitor.Enter_Slowpath was compiled again, stood in its constructor.
    /// </summary>
    private const string HandleOnStack = "System.Runtime.CompilerServices.ObjectHandleOnStack.";

    /// <summary>Helpers through which compiled code allocates.</summary>
    private static readonly string[] s_allocating =
    [
        "System.GC.", "System.Object.MemberwiseClone", "System.String.FastAllocateString", "System.String.Ctor", "System.RuntimeTypeHandle.", "System.StubHelpers.", "System.Array.InternalCreate",
        "System.Runtime.CompilerServices.RuntimeHelpers.", "System.Runtime.CompilerServices.CastHelpers.", "System.Runtime.CompilerServices.BoxingHelpers.",
    ];

    /// <summary>Of threads and their locks, waits and handles.</summary>
    private static readonly string[] s_waiting = ["System.Threading.", "System.Runtime.CompilerServices.TaskAwaiter", "Interop.", "Interop+", "Microsoft.Win32.SafeHandles."];

    /// <summary>
    /// Whether exceptions of a type come from an instruction that the processor refused, not from a throw: the event does not tell, and what throws one of these itself is rare.
    /// </summary>
    public static bool IsFault(ReadOnlySpan<char> exceptionType) => exceptionType is "System.NullReferenceException" or "System.DivideByZeroException" or "System.AccessViolationException";

    /// <summary>Whether a frame belongs to the throwing of an exception.</summary>
    public static bool IsThrowing(CodeSymbol symbol) => IsOne(symbol, s_throwing) || symbol.Name.Contains("ThrowHelper.", StringComparison.Ordinal) || IsThrowHelper(symbol);

    /// <summary>Whether a frame belongs to the allocation of an object.</summary>
    public static bool IsAllocating(CodeSymbol symbol) => IsOne(symbol, s_allocating);

    /// <summary>Whether a frame belongs to waiting.</summary>
    public static bool IsWaiting(CodeSymbol symbol) => IsOne(symbol, s_waiting);

    /// <summary>Methods of the class library that are named for what they throw: System.Number.ThrowFormatException.</summary>
    private static bool IsThrowHelper(CodeSymbol symbol) =>
        symbol.TypeName.StartsWith("System.", StringComparison.Ordinal) && symbol.Name.AsSpan(Math.Min(symbol.TypeName.Length + 1, symbol.Name.Length)) is var method
        && method.StartsWith("Throw", StringComparison.Ordinal) && (method.Contains("Exception", StringComparison.Ordinal) || method.Length == "Throw".Length);

    private static bool IsOne(CodeSymbol symbol, string[] names) =>
        symbol.IsStub || symbol.Name == SymbolResolver.MissingFrame || symbol.Name.StartsWith(HandleOnStack, StringComparison.Ordinal) || Array.Exists(names, name => symbol.Name.StartsWith(name, StringComparison.Ordinal));
}
