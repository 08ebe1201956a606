using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>
/// Distinguishes complete from broken stacks by their outermost user frame (<see cref="ThreadStart"/>). The mapped files suffice: a frame
/// of managed code never begins a thread, whatever its name. A stack that has left managed code for the runtime lacks at most the host that
/// started the runtime, but no managed method. Allocates for new symbols, not for samples.
/// </summary>
/// <param name="resolver">Symbols of the process.</param>
internal sealed class StackEnds(SymbolResolver resolver)
{
    /// <summary>Meaning of a stack's end in a symbol, by symbol index.</summary>
    private readonly List<End> _ends = [];

    /// <summary>Meaning of a frame at the end of a stack.</summary>
    private enum End
    {
        /// <summary>Callers are missing.</summary>
        Broken,

        /// <summary>Threads begin in this code.</summary>
        Whole,

        /// <summary>Code of the runtime, or of the host that started it.</summary>
        Runtime,

        /// <summary>Managed code: callers are missing.</summary>
        Managed,
    }

    /// <summary>Whether the frame pointer chain ended too early. A kernel-only stack (of an ending thread) cannot break.</summary>
    public bool IsBroken(in CpuSample sample)
    {
        if (sample.IsCut is { } isCut)
            return isCut && !HasLeftManagedCode(sample);
        var user = sample.Frames.Length - sample.KernelFrames;
        if (user < 2)
            return user == 1;
        return EndAt(sample, sample.Frames.Length - 1) != End.Whole && !HasLeftManagedCode(sample);
    }

    private bool HasLeftManagedCode(in CpuSample sample)
    {
        var frames = sample.Frames.Length;
        if (frames == sample.KernelFrames || EndAt(sample, frames - 1) != End.Runtime)
            return false;
        for (var i = sample.KernelFrames; i < frames; i++)
        {
            if (EndAt(sample, i) == End.Managed)
                return true;
        }

        return false;
    }

    private End EndAt(in CpuSample sample, int frame) =>
        EndOf(resolver.Resolve(sample.CodeAddress(frame), sample.At.Time, isKernel: false));

    /// <summary>
    /// Whether a stack that does not reach the start of its thread has left managed code: no method of the program is missing.
    /// </summary>
    /// <param name="symbols">Symbol indexes, leaf first.</param>
    public bool HasLeftManagedCode(ReadOnlySpan<int> symbols)
    {
        if (symbols.IsEmpty || EndOf(symbols[^1]) != End.Runtime)
            return false;
        foreach (var symbol in symbols)
        {
            if (EndOf(symbol) == End.Managed)
                return true;
        }

        return false;
    }

    private End EndOf(int symbol)
    {
        while (_ends.Count <= symbol)
        {
            var found = resolver.Symbols[_ends.Count];
            _ends.Add(
                ThreadStart.IsIn(found) ? End.Whole
                : found.Kind == CodeKind.Managed ? End.Managed
                : ThreadStart.IsRuntime(found) ? End.Runtime
                : End.Broken
            );
        }

        return _ends[symbol];
    }
}

/// <summary>
/// Recognizes the end of a complete stack. Threads begin in the C library (clone, start_thread; __libc_start_main and the program's _start
/// for the first one), so a stack is complete if its outermost user frame is not its leaf and is in the C library or _start. A frame
/// pointer chain that breaks ends elsewhere, mostly in native code without frame pointers. Threads of Windows begin in ntdll.
/// </summary>
public static class ThreadStart
{
    private static readonly string[] s_libraries =
    [
        "libc.so",
        "libc-",
        "libpthread.so",
        "libpthread-",
        "ld-linux",
        "ld-musl",
        "libc.musl",
        "ntdll.dll",
    ];

    /// <summary>
    /// Whether it is code of .NET's runtime or its host: the libraries, or the executable (dotnet, or the program's apphost).
    /// </summary>
    public static bool IsRuntime(CodeSymbol symbol)
    {
        ArgumentNullException.ThrowIfNull(symbol);
        return symbol.Kind == CodeKind.Native
            && (
                symbol.Module
                    is "libcoreclr.so"
                        or "libhostpolicy.so"
                        or "libhostfxr.so"
                        or "coreclr.dll"
                        or "hostpolicy.dll"
                        or "hostfxr.dll"
                || IsExecutable(symbol.Module)
            );
    }

    private static bool IsExecutable(string module) =>
        module.Length > 0
        && module[0] != '['
        && !module.Contains(".so", StringComparison.Ordinal)
        && !module.EndsWith(".dll", StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether threads begin in this code.</summary>
    public static bool IsIn(CodeSymbol symbol)
    {
        ArgumentNullException.ThrowIfNull(symbol);
        return symbol.Kind == CodeKind.Native
            && (
                symbol.Name == "_start"
                || Array.Exists(s_libraries, library => symbol.Module.StartsWith(library, StringComparison.OrdinalIgnoreCase))
            );
    }
}
