using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.FirstCalls;

/// <summary>What a pass adds up for one first call, or for what lies before it. Times in ticks.</summary>
internal sealed class FirstCallTally
{
    /// <summary>Compilation on the measuring thread.</summary>
    public long JitTicks { get; set; }

    /// <summary>Compilation on other threads.</summary>
    public long BackgroundJitTicks { get; set; }

    /// <summary>Methods compiled, by tier.</summary>
    public Dictionary<CodeTier, int> Methods { get; } = [];

    public int BackgroundMethods { get; set; }

    /// <summary>Of the methods compiled, those of dynamic methods and dynamic assemblies.</summary>
    public int Emitted { get; set; }

    /// <summary>Of the methods compiled, stubs that the runtime made.</summary>
    public int Stubs { get; set; }

    public int TypeLoads { get; set; }

    /// <summary>Ids of the types that were loaded.</summary>
    public HashSet<long> Types { get; } = [];

    /// <summary>Time in type loads on the measuring thread, outside of compilations.</summary>
    public long TypeTicks { get; set; }

    public int Precompiled { get; set; }

    public List<AssemblyLoaded> Assemblies { get; } = [];

    /// <summary>Names of the assemblies that were looked for and not found, one an attempt.</summary>
    public List<string> NotFound { get; } = [];

    public int MethodCount => Methods.Values.Sum();

    /// <summary>Methods compiled into one of some tiers.</summary>
    public int MethodsOf(params ReadOnlySpan<CodeTier> tiers)
    {
        var sum = 0;
        foreach (var tier in tiers)
            sum += Methods.GetValueOrDefault(tier);
        return sum;
    }
}
