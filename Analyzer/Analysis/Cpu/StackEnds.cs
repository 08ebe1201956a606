using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>
/// Tells whole stacks from broken ones by their outermost user frame (<see cref="ThreadStart"/>). It is enough to know which files are mapped where: a frame
/// of managed code begins no thread, whatever its name. Allocates for new symbols, not for samples.
/// </summary>
/// <param name="resolver">Symbols of the process.</param>
internal sealed class StackEnds(SymbolResolver resolver)
{
    /// <summary>By number of the symbol, whether threads begin in it.</summary>
    private readonly List<bool> _beginsThreads = [];

    /// <summary>Whether the chain of frame pointers ended on its way. A stack of the kernel alone (a thread that ends) has nothing that could break.</summary>
    public bool IsBroken(in CpuSample sample)
    {
        if (sample.IsCut is { } isCut)
            return isCut;
        var frames = sample.Frames.Length;
        var user = frames - sample.KernelFrames;
        if (user < 2)
            return user == 1;
        var symbol = resolver.Resolve(sample.CodeAddress(frames - 1), sample.At.Time, isKernel: false);
        while (_beginsThreads.Count <= symbol)
            _beginsThreads.Add(ThreadStart.IsIn(resolver.Symbols[_beginsThreads.Count]));
        return !_beginsThreads[symbol];
    }
}

/// <summary>
/// Where a complete stack ends. Threads begin in the C library (clone, start_thread; for the first one __libc_start_main and the program's _start), so a
/// stack is complete when its outermost user frame is not its leaf and lies in the C library or is _start. A chain of frame pointers that breaks on its
/// way ends elsewhere, mostly in native code that keeps none. Threads of Windows begin in ntdll.
/// </summary>
public static class ThreadStart
{
    private static readonly string[] s_libraries = ["libc.so", "libc-", "libpthread.so", "libpthread-", "ld-linux", "ld-musl", "libc.musl", "ntdll.dll"];

    /// <summary>Whether threads begin in this code.</summary>
    public static bool IsIn(CodeSymbol symbol)
    {
        ArgumentNullException.ThrowIfNull(symbol);
        return symbol.Kind == CodeKind.Native && (symbol.Name == "_start" || Array.Exists(s_libraries, library => symbol.Module.StartsWith(library, StringComparison.OrdinalIgnoreCase)));
    }
}
