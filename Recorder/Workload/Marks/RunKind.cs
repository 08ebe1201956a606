namespace EtwSerializerProfiler.Marks;

/// <summary>What a run is for. Tables show <see cref="Measured"/> runs; the other kinds are rows of their own.</summary>
public enum RunKind
{
    /// <summary>A run whose cost is reported.</summary>
    Measured = 0,

    /// <summary>A run before the measured ones: it pays for JIT compilation and type loading.</summary>
    WarmUp = 1,

    /// <summary>The first use of a serializer in a fresh process.</summary>
    FirstCall = 2,
}
