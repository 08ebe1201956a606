namespace EtwSerializerProfiler.Marks;

/// <summary>Purpose of a run. Tables show <see cref="Measured"/> runs; the other kinds have separate rows.</summary>
public enum RunKind
{
    /// <summary>A run whose cost is reported.</summary>
    Measured = 0,

    /// <summary>A run before the measured ones; includes JIT compilation and type loading.</summary>
    WarmUp = 1,

    /// <summary>The first use of a serializer in a fresh process.</summary>
    FirstCall = 2,
}
