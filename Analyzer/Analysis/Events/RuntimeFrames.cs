using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>
/// Frames that are not the program's: those of the runtime, and of the class library's part of an event. Reports name the method above
/// them.
/// </summary>
internal static class RuntimeFrames
{
    /// <summary>Type of System.Private.CoreLib that dispatches exceptions (.NET 9 and later).</summary>
    public const string Dispatch = "System.Runtime.EH";

    /// <summary>The type that dispatches exceptions, and types whose only purpose is throwing.</summary>
    private static readonly string[] s_throwing = [$"{Dispatch}.", "System.Runtime.CompilerServices.ThrowHelpers."];

    /// <summary>
    /// Passes references to the runtime's native functions. The JIT inlines it into callers and gives the call itself no mapping, so it can
    /// appear above them: half of a lock's waits, those after Monitor.Enter_Slowpath was recompiled, appeared in its constructor.
    /// </summary>
    private const string HandleOnStack = "System.Runtime.CompilerServices.ObjectHandleOnStack.";

    /// <summary>Helpers through which compiled code allocates.</summary>
    private static readonly string[] s_allocating =
    [
        "System.GC.",
        "System.Object.MemberwiseClone",
        "System.String.FastAllocateString",
        "System.String.Ctor",
        "System.RuntimeTypeHandle.",
        "System.StubHelpers.",
        "System.Array.InternalCreate",
        "System.Runtime.CompilerServices.RuntimeHelpers.",
        "System.Runtime.CompilerServices.CastHelpers.",
        "System.Runtime.CompilerServices.BoxingHelpers.",
    ];

    /// <summary>Threads, locks, waits and handles.</summary>
    private static readonly string[] s_waiting =
    [
        "System.Threading.",
        "System.Runtime.CompilerServices.TaskAwaiter",
        "Interop.",
        "Interop+",
        "Microsoft.Win32.SafeHandles.",
    ];

    /// <summary>
    /// Whether a processor fault, not a throw, causes exceptions of a type. The event does not say, but code rarely throws these types
    /// itself.
    /// </summary>
    public static bool IsFault(ReadOnlySpan<char> exceptionType) =>
        exceptionType is "System.NullReferenceException" or "System.DivideByZeroException" or "System.AccessViolationException";

    /// <summary>Whether a frame belongs to throwing an exception.</summary>
    public static bool IsThrowing(CodeSymbol symbol) =>
        IsOne(symbol, s_throwing) || symbol.Name.Contains("ThrowHelper.", StringComparison.Ordinal) || IsThrowHelper(symbol);

    /// <summary>Whether a frame belongs to allocating an object.</summary>
    public static bool IsAllocating(CodeSymbol symbol) => IsOne(symbol, s_allocating);

    /// <summary>Whether a frame belongs to waiting.</summary>
    public static bool IsWaiting(CodeSymbol symbol) => IsOne(symbol, s_waiting);

    /// <summary>Class library methods named after what they throw: System.Number.ThrowFormatException.</summary>
    private static bool IsThrowHelper(CodeSymbol symbol) =>
        symbol.TypeName.StartsWith("System.", StringComparison.Ordinal)
        && symbol.Name.AsSpan(Math.Min(symbol.TypeName.Length + 1, symbol.Name.Length)) is var method
        && method.StartsWith("Throw", StringComparison.Ordinal)
        && (method.Contains("Exception", StringComparison.Ordinal) || method.Length == "Throw".Length);

    private static bool IsOne(CodeSymbol symbol, string[] names)
    {
        if (symbol.IsStub || symbol.Name == SymbolResolver.MissingFrame || symbol.Name.StartsWith(HandleOnStack, StringComparison.Ordinal))
            return true;

        // A loop, because a lambda would be an allocation for each frame of a stack.
        foreach (var name in names)
        {
            if (symbol.Name.StartsWith(name, StringComparison.Ordinal))
                return true;
        }

        return false;
    }
}
