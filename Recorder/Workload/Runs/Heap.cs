namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Gives every run the same start: a heap without garbage.</summary>
public static class Heap
{
    /// <summary>A blocking collection of everything, the finalizers, and a collection of what they released.</summary>
    public static void CollectAll()
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true);
        GC.WaitForPendingFinalizers();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true);
    }
}
