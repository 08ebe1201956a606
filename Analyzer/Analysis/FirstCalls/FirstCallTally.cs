using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.FirstCalls;

/// <summary>Sums of a pass for one first call, or for the time before it. Times in ticks.</summary>
internal sealed class FirstCallTally
{
    /// <summary>Compilation on the measuring thread.</summary>
    public long JitTicks { get; set; }

    /// <summary>Compilation on other threads.</summary>
    public long BackgroundJitTicks { get; set; }

    /// <summary>Number of compiled methods by tier.</summary>
    public Dictionary<CodeTier, int> Methods { get; } = [];

    public int BackgroundMethods { get; set; }

    /// <summary>Number of compiled methods in dynamic methods and dynamic assemblies.</summary>
    public int Emitted { get; set; }

    /// <summary>Number of compiled stubs of the runtime.</summary>
    public int Stubs { get; set; }

    public int TypeLoads { get; set; }

    /// <summary>Ids of the loaded types.</summary>
    public HashSet<long> Types { get; } = [];

    /// <summary>Time in type loads on the measuring thread, outside of compilations.</summary>
    public long TypeTicks { get; set; }

    public int Precompiled { get; set; }

    public List<AssemblyLoaded> Assemblies { get; } = [];

    /// <summary>Names of the missing assemblies, one per attempt.</summary>
    public List<string> NotFound { get; } = [];

    public int MethodCount => Methods.Values.Sum();

    /// <summary>Number of methods compiled into some tiers.</summary>
    public int MethodsOf(params ReadOnlySpan<CodeTier> tiers)
    {
        var sum = 0;
        foreach (var tier in tiers)
            sum += Methods.GetValueOrDefault(tier);
        return sum;
    }
}
