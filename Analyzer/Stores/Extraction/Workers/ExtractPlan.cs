using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Extraction.Workers;

/// <summary>
/// Decides which traces to extract while their contents become known. The decisions do not depend on the order in which that happens. Not
/// thread-safe.
/// </summary>
internal sealed class ExtractPlan
{
    private readonly List<UnitState> _units;
    private readonly Dictionary<string, UnitState> _byName;
    private readonly ILookup<long, UnitState> _bySize;
    private readonly StoredContents _stored;
    private readonly ExtractOptions _options;
    private readonly bool _retryFailed;

    /// <summary>For each content, the trace of this call that the store gets or has.</summary>
    private readonly Dictionary<string, UnitState> _chosen = [];

    /// <summary>Creates the plan of a call.</summary>
    /// <param name="units">The traces.</param>
    /// <param name="stored">The content of the store.</param>
    /// <param name="options">What to extract.</param>
    /// <param name="retryFailed">Whether to retry traces that failed.</param>
    public ExtractPlan(IReadOnlyList<UnitState> units, StoredContents stored, ExtractOptions options, bool retryFailed)
    {
        // Largest first, so that no large trace remains when the other workers have nothing left to do; equal ones by name.
        _units = [.. units.OrderByDescending(unit => unit.Bytes).ThenBy(unit => unit.Unit.Name, StringComparer.Ordinal)];
        _byName = units.ToDictionary(unit => unit.Unit.Name, StringComparer.Ordinal);
        _bySize = _units.ToLookup(unit => unit.Bytes);
        (_stored, _options, _retryFailed) = (stored, options, retryFailed);
        foreach (var unit in units)
            unit.Before = stored.Named(unit.Unit.Name);
    }

    /// <summary>All traces.</summary>
    public IReadOnlyList<UnitState> Units => _units;

    /// <summary>The next trace for a worker, preferring extraction over hashing; null when there is nothing to do now.</summary>
    public UnitState? Next() => _units.Find(unit => unit.Step == UnitStep.Ready) ?? _units.Find(unit => unit.Step == UnitStep.Waiting);

    /// <summary>Whether all traces are done.</summary>
    public bool IsDone => _units.TrueForAll(unit => unit.Step >= UnitStep.Stored);

    /// <summary>Makes all decisions for which enough is known.</summary>
    public void Decide()
    {
        for (var again = true; again;)
        {
            again = false;
            foreach (var unit in _units.Where(unit => unit.Step == UnitStep.Hashed))
            {
                if (Decision(unit) is not { } step)
                    continue;
                unit.Step = step;
                if (step != UnitStep.Duplicate)
                    _chosen[unit.Digest] = unit;
                again = true;
            }
        }
    }

    /// <summary>The decision about a trace; null when it depends on an unknown content.</summary>
    private UnitStep? Decision(UnitState unit)
    {
        // Only files of equal size can have equal content.
        if (_bySize[unit.Bytes].Any(other => !other.IsHashed && Precedes(other, unit)))
            return null;
        if (_chosen.TryGetValue(unit.Digest, out var chosen) && Precedes(chosen, unit))
            return UnitStep.Duplicate;
        foreach (
            var known in _stored.With(unit.Digest).Where(known => ExtractOptions.Covers(known.Tables, _options.Tables) && IsAsAsked(known))
        )
        {
            if (known.Name == unit.Unit.Name)
                return UnitStep.Known;
            if (string.CompareOrdinal(known.Name, unit.Unit.Name) > 0)
                continue; // this name is kept
            if (!_byName.TryGetValue(known.Name, out var other))
                return UnitStep.Known;
            if (!other.IsHashed)
                return null;

            // Otherwise the store's trace with that name is replaced.
            if (other.Digest == unit.Digest)
                return UnitStep.Duplicate;
        }

        return UnitStep.Ready;
    }

    private bool IsAsAsked(StoredTrace known) =>
        !(_retryFailed && known.Status == StoredTrace.Failed)
        && (_options.Branch is null || _options.Branch == known.Branch)
        && (_options.Commit is null || _options.Commit == known.Commit);

    private static bool Precedes(UnitState first, UnitState second) => string.CompareOrdinal(first.Unit.Name, second.Unit.Name) < 0;
}
