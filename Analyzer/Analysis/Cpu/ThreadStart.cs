using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Cpu;

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
