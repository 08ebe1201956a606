using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

/// <summary>
/// Methods whose time passes in leaves: one of a few instructions, one with a loop, the kernel, and native code with and without frame
/// pointers (tests/arm64/signed.c).
/// </summary>
internal static class Leaves
{
    private const int Rounds = 3;

    private static readonly byte[] s_buffer = GC.AllocateUninitializedArray<byte>(64 << 10);
    private static uint s_sum;

    /// <summary>Takes CPU time, the same in each part.</summary>
    /// <param name="nanoseconds">CPU time.</param>
    /// <param name="library">The native code; null for none.</param>
    /// <exception cref="DllNotFoundException">There is no such library.</exception>
    /// <exception cref="EntryPointNotFoundException">The library was not built from signed.c.</exception>
    public static void Take(long nanoseconds, string? library)
    {
        var native = library is null ? 0 : NativeLibrary.Load(library);
        var (framed, bare) =
            native == 0 ? default : (NativeLibrary.GetExport(native, "framed_caller"), NativeLibrary.GetExport(native, "bare_caller"));
        using var zeros = File.OpenHandle("/dev/zero");
        var part = nanoseconds / Rounds / (native == 0 ? 3 : 5);
        for (var round = 0; round < Rounds; round++)
        {
            CallTiny(ThreadClock.Now() + part);
            CallFramed(ThreadClock.Now() + part);
            EnterKernel(zeros, ThreadClock.Now() + part);
            if (native == 0)
                continue;
            CallNativeFramed(framed, ThreadClock.Now() + part);
            CallNativeBare(bare, ThreadClock.Now() + part);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void CallTiny(long end)
    {
        do
        {
            for (var step = 0; step < 50_000; step++)
                s_sum = Tiny(s_sum);
        } while (ThreadClock.Now() < end);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static uint Tiny(uint seed) => seed * 1664525 + 1013904223;

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void CallFramed(long end)
    {
        do
        {
            for (var step = 0; step < 5_000; step++)
                s_sum = Framed(s_sum);
        } while (ThreadClock.Now() < end);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static uint Framed(uint seed)
    {
        for (var link = 0; link < 20; link++)
            seed = seed * 1664525 + 1013904223;
        return seed;
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static void EnterKernel(SafeFileHandle zeros, long end)
    {
        do
        {
            for (var step = 0; step < 20; step++)
                s_sum += (uint)RandomAccess.Read(zeros, s_buffer, 0);
        } while (ThreadClock.Now() < end);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static unsafe void CallNativeFramed(nint function, long end)
    {
        do
        {
            s_sum = ((delegate* unmanaged<uint, uint, uint>)function)(s_sum, 1000);
        } while (ThreadClock.Now() < end);
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    private static unsafe void CallNativeBare(nint function, long end)
    {
        do
        {
            s_sum = ((delegate* unmanaged<uint, uint, uint>)function)(s_sum, 1000);
        } while (ThreadClock.Now() < end);
    }
}
