using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>
/// Tells whole stacks from broken ones by their outermost user frame (<see cref="ThreadStart"/>). It is enough to know which files are mapped where: a frame
/// of managed code begins no thread, whatever its name. A stack that has left managed code for the runtime lacks at most the host that started the runtime: no managed method is missing from it.
/// Allocates for new symbols, not for samples.
/// </summary>
/// <param name="resolver">Symbols of the process.</param>
internal sealed class StackEnds(SymbolResolver resolver)
{
    /// <summary>By number of the symbol, what it says of a stack that ends in it.</summary>
    private readonly List<End> _ends = [];

    /// <summary>What a frame says of a stack that ends in it.</summary>
    private enum End
    {
        /// <summary>Its callers are missing.</summary>
        Broken,

        /// <summary>Threads begin here.</summary>
        Whole,

        /// <summary>Code of the runtime, or of the host that started it.</summary>
        Runtime,

        /// <summary>Managed code: its callers are missing.</summary>
        Managed,
    }

    /// <summary>Whether the chain of frame pointers ended on its way. A stack of the kernel alone (a thread that ends) has nothing that could break.</summary>
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

    private End EndAt(in CpuSample sample, int frame) => EndOf(resolver.Resolve(sample.CodeAddress(frame), sample.At.Time, isKernel: false));

    /// <summary>Whether a stack that does not reach the begin of its thread has left managed code for what started it: nothing of the program is missing.</summary>
    /// <param name="symbols">Numbers of its symbols, leaf first.</param>
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
            _ends.Add(ThreadStart.IsIn(found) ? End.Whole : found.Kind == CodeKind.Managed ? End.Managed : ThreadStart.IsRuntime(found) ? End.Runtime : End.Broken);
        }

        return _ends[symbol];
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

    /// <summary>Whether it is code of .NET's runtime, or of the host that started it: its libraries, or the executable (dotnet, or the program's apphost).</summary>
    public static bool IsRuntime(CodeSymbol symbol)
    {
        ArgumentNullException.ThrowIfNull(symbol);
        return symbol.Kind == CodeKind.Native && (symbol.Module is "libcoreclr.so" or "libhostpolicy.so" or "libhostfxr.so" or "coreclr.dll" or "hostpolicy.dll" or "hostfxr.dll" || IsExecutable(symbol.Module));
    }

    private static bool IsExecutable(string module) => module.Length > 0 && module[0] != '[' && !module.Contains(".so", StringComparison.Ordinal) && !module.EndsWith(".dll", StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether threads begin in this code.</summary>
    public static bool IsIn(CodeSymbol symbol)
    {
        ArgumentNullException.ThrowIfNull(symbol);
        return symbol.Kind == CodeKind.Native && (symbol.Name == "_start" || Array.Exists(s_libraries, library => symbol.Module.StartsWith(library, StringComparison.OrdinalIgnoreCase)));
    }
}
