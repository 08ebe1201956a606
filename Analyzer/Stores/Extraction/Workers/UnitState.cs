using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Extraction.Workers;

/// <summary>How far a trace is.</summary>
/// <param name="number">Its number, by which workers name it.</param>
/// <param name="unit">The trace.</param>
/// <param name="bytes">Size of its files when they were found.</param>
internal sealed class UnitState(int number, TraceUnit unit, long bytes)
{
    public int Number { get; } = number;

    public TraceUnit Unit { get; } = unit;

    public long Bytes { get; } = bytes;

    public UnitStep Step { get; set; }

    /// <summary>Its content; null until it is known, and when it cannot be read.</summary>
    public TraceContent? Content { get; set; }

    /// <summary>Why its content cannot be read; empty when it can.</summary>
    public string HashError { get; set; } = "";

    /// <summary>Workers that ended while they were at it.</summary>
    public int Deaths { get; set; }

    /// <summary>How much of the step under way is done, from 0 to 1.</summary>
    public double Done { get; set; }

    /// <summary>What the store knew under its name before; null for nothing.</summary>
    public StoredTrace? Before { get; set; }

    /// <summary>Whether its content is known, or known to be unreadable.</summary>
    public bool IsHashed => Step > UnitStep.Hashing;

    /// <summary>What its content is known by: its digest, or its name where it cannot be read.</summary>
    public string Digest => Content?.Digest ?? Unit.Name;
}
