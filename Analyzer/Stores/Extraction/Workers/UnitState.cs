using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Extraction.Workers;

/// <summary>State of a trace during the extraction.</summary>
/// <param name="number">Its number, which identifies it for workers.</param>
/// <param name="unit">The trace.</param>
/// <param name="bytes">Size of its files when it was found.</param>
internal sealed class UnitState(int number, TraceUnit unit, long bytes)
{
    public int Number { get; } = number;

    public TraceUnit Unit { get; } = unit;

    public long Bytes { get; } = bytes;

    public UnitStep Step { get; set; }

    /// <summary>Its content; null while unknown, and when unreadable.</summary>
    public TraceContent? Content { get; set; }

    /// <summary>Why its content is unreadable; empty when it is readable.</summary>
    public string HashError { get; set; } = "";

    /// <summary>Number of workers that ended while they processed it.</summary>
    public int Deaths { get; set; }

    /// <summary>Share of the current step that is done, from 0 to 1.</summary>
    public double Done { get; set; }

    /// <summary>The trace that the store had under its name; null for none.</summary>
    public StoredTrace? Before { get; set; }

    /// <summary>Whether its content is known, or known to be unreadable.</summary>
    public bool IsHashed => Step > UnitStep.Hashing;

    /// <summary>Identifies its content: its digest, or its name when unreadable.</summary>
    public string Digest => Content?.Digest ?? Unit.Name;
}
