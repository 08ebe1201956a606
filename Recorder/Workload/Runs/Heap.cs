namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>Collects garbage before a run, so that every run starts with a clean heap.</summary>
public static class Heap
{
    /// <summary>Runs a blocking full GC, the finalizers, and a GC of what they released.</summary>
    public static void CollectAll()
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true);
        GC.WaitForPendingFinalizers();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true);
    }
}
