using System.Runtime.CompilerServices;

/// <summary>Methods whose time passes in leaves: one of a few instructions, one with a loop, and the kernel.</summary>
internal static class Leaves
{
    private static readonly byte[] s_buffer = GC.AllocateUninitializedArray<byte>(64 << 10);
    private static uint s_sum;

    /// <summary>Takes CPU time, a third in each part.</summary>
    public static void Take(long nanoseconds)
    {
        using var zeros = File.OpenHandle("/dev/zero");
        for (var part = 0; part < 9; part++)
        {
            var end = ThreadClock.Now() + nanoseconds / 9;
            switch (part % 3)
            {
                case 0:
                    CallTiny(end);
                    break;
                case 1:
                    CallFramed(end);
                    break;
                default:
                    EnterKernel(zeros, end);
                    break;
            }
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
    private static void EnterKernel(Microsoft.Win32.SafeHandles.SafeFileHandle zeros, long end)
    {
        do
        {
            for (var step = 0; step < 20; step++)
                s_sum += (uint)RandomAccess.Read(zeros, s_buffer, 0);
        } while (ThreadClock.Now() < end);
    }
}
