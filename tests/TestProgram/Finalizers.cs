using System.Runtime.CompilerServices;

/// <summary>Creates objects with finalizers and induces GCs, without marks. Prints how many of both there were.</summary>
internal sealed class Finalizers
{
    private static int s_finalized;

    ~Finalizers() => Interlocked.Increment(ref s_finalized);

    /// <summary>Creates the objects in batches, and prints the numbers of finalized objects and of GCs.</summary>
    /// <param name="batches">Number of batches; a GC is induced after each.</param>
    /// <param name="objects">Objects of a batch.</param>
    public static void Run(int batches, int objects)
    {
        var before = GC.CollectionCount(0);
        for (var batch = 0; batch < batches; batch++)
        {
            Make(objects);
            TidyUp();
        }

        Console.WriteLine($"gcs {GC.CollectionCount(0) - before}");
        Console.WriteLine($"finalized {s_finalized}");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Make(int objects)
    {
        for (var i = 0; i < objects; i++)
            _ = new Finalizers();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void TidyUp()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }
}
