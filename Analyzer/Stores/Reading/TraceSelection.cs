using System.Globalization;
using System.Text.RegularExpressions;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Stores.Rows;
using EtwSerializerProfiler.Stores.Tables;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Stores.Reading;

/// <summary>A selection of a store's traces: the text after the # of its address, <c>branch=main,class=this,last=20</c>.</summary>
public sealed partial class TraceSelection
{
    private readonly string _address;
    private readonly List<(SelectionKey Key, string Value)> _conditions = [];
    private readonly int? _last;

    private TraceSelection(string address, string selection)
    {
        _address = address;
        foreach (var part in selection.Length == 0 ? [] : Separators().Split(selection))
        {
            var at = part.IndexOf('=', StringComparison.Ordinal);
            var (name, value) = at > 0 ? (part[..at].Trim(), part[(at + 1)..].Trim()) : (part, "");
            if (name.Equals(SelectionKey.Last, StringComparison.OrdinalIgnoreCase))
            {
                _last =
                    int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out var count) && count > 0
                        ? count
                        : throw Wrong(
                            $"'{value}' is not a number of traces",
                            "write, for example, last=20 for the 20 newest matching traces"
                        );
                continue;
            }

            var key =
                SelectionKey.All.FirstOrDefault(key => key.Name.Equals(name, StringComparison.OrdinalIgnoreCase))
                ?? throw Wrong(
                    $"unknown selection key '{name}'",
                    NameChoice.Advice(name, [.. SelectionKey.All.Select(key => key.Name), SelectionKey.Last])
                );
            if (value.Length == 0)
                throw Wrong($"'{name}' has no value", $"write {name}=VALUE: {key.Meaning}");
            _conditions.Add(
                (
                    key,
                    key.IsTime ? Time(value)
                    : key.Name == "class" && value == SelectionKey.This ? MachineClass.Of(HostDescription.Read())
                    : value
                )
            );
        }
    }

    /// <summary>Parses the text after the # of an address.</summary>
    /// <exception cref="StoreException">A key or value is invalid.</exception>
    public static TraceSelection Parse(StoreAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        return new TraceSelection($"{address.Shown}#{address.Selection}", address.Selection);
    }

    /// <summary>The selected traces, oldest first; those without a time come first, by name.</summary>
    /// <param name="traces">All traces of the store.</param>
    /// <exception cref="StoreException">No trace matches.</exception>
    public IReadOnlyList<StoredTrace> Of(IReadOnlyList<StoredTrace> traces)
    {
        ArgumentNullException.ThrowIfNull(traces);
        var matching = traces
            .Where(trace => _conditions.TrueForAll(condition => condition.Key.Matches(trace, condition.Value)))
            .OrderBy(trace => trace.RecordedUtc, StringComparer.Ordinal)
            .ThenBy(trace => trace.Name, StringComparer.Ordinal)
            .ToList();
        var extracted = matching.FindAll(trace => trace.Status == StoredTrace.Extracted);
        if (extracted.Count > 0)
            return _last is { } last && last < extracted.Count ? extracted[^last..] : extracted;
        throw matching.Count > 0
            ? Wrong(
                $"the trace could not be read when it was extracted: {matching[0].Error}",
                $"see all such traces with: esp-analyze query {_address.Split('#')[0]} --named failed"
            )
            : Wrong(traces.Count == 0 ? "the store has no traces" : "no trace in the store matches", Advice(traces));
    }

    /// <summary>Suggests what to do instead.</summary>
    private string Advice(IReadOnlyList<StoredTrace> traces)
    {
        if (traces.Count == 0)
            return $"add traces with: esp-analyze extract PATH --store {_address.Split('#')[0]}";
        var alone = _conditions.Find(condition => !traces.Any(trace => condition.Key.Matches(trace, condition.Value)));
        return alone.Key is null
            ? $"each condition matches traces, but not all together: remove one ({string.Create(CultureInfo.InvariantCulture, $"{traces.Count}")} traces are in the store)"
            : $"no trace has {alone.Key.Name}={alone.Value}; {Present(alone, traces)}";
    }

    private static string Present((SelectionKey Key, string Value) condition, IReadOnlyList<StoredTrace> traces)
    {
        const int max = 10;
        var values = traces
            .Select(trace =>
                condition.Key.Name switch
                {
                    "branch" => trace.Branch,
                    "commit" => trace.Commit,
                    "class" => trace.MachineClass,
                    "machine" => trace.Machine,
                    "program" => trace.Program,
                    "runtime" => trace.Runtime,
                    "trace" => trace.Trace,
                    "name" => trace.Name,
                    _ => trace.RecordedUtc,
                }
            )
            .Where(value => !string.IsNullOrEmpty(value))
            .Distinct()
            .Order(StringComparer.Ordinal)
            .ToList();
        if (
            !condition.Key.IsTime
            && NearestName.All(condition.Value.TrimStart(NamePattern.ExactPrefix), [.. values.OfType<string>()]) is { Count: > 0 } near
        )
            return $"did you mean {string.Join(" or ", near)}?";
        return values.Count == 0
            ? "no trace has this value: set it at the extraction with --set"
            : $"existing values: {string.Join("; ", values.Take(max))}{(values.Count > max ? string.Create(CultureInfo.InvariantCulture, $"; and {values.Count - max} more") : "")}";
    }

    /// <summary>Formats a point in time like the store.</summary>
    private string Time(string value) =>
        DateTime.TryParseExact(
            value,
            ["yyyy-MM-dd", "yyyy-MM-dd HH:mm", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-ddTHH:mm", "yyyy-MM-ddTHH:mm:ss", "yyyy-MM-ddTHH:mm:ssZ"],
            CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal,
            out var time
        )
            ? time.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture)
            : throw Wrong($"'{value}' is not a date", "write since=2026-11-21, or since=2026-11-21 03:00");

    private StoreException Wrong(string what, string fix) => new(new Problem(what, _address, fix)) { IsUsage = true };

    /// <summary>Matches a comma before a key, because values may contain commas, too.</summary>
    [GeneratedRegex(@",(?=\s*\w+\s*=)")]
    private static partial Regex Separators();
}
