using System.Globalization;

namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>A filter by event ids, for events or for their stacks.</summary>
/// <param name="Include">True: only these ids; false: all but these.</param>
/// <param name="Ids">Event ids, 1 to <see cref="MaxIds"/>.</param>
public sealed record EtwEventFilter(bool Include, IReadOnlyList<int> Ids)
{
    /// <summary>
    /// Maximum number of ids in a filter (MAX_EVENT_FILTER_EVENT_ID_COUNT in evntprov.h; "maximum 64 event ids allowed" in tracelog's
    /// usage).
    /// </summary>
    public const int MaxIds = 64;

    private const string IncludePrefix = "in:";
    private const string ExcludePrefix = "out:";

    /// <summary>A filter for only these ids.</summary>
    public static EtwEventFilter Only(params int[] ids) => new(true, ids);

    /// <summary>A filter for all but these ids.</summary>
    public static EtwEventFilter Without(params int[] ids) => new(false, ids);

    /// <summary>Parses <c>in:80,81</c> or <c>out:10</c>; ids without a prefix mean <c>in</c>.</summary>
    /// <param name="text">The text.</param>
    /// <param name="filter">The filter.</param>
    /// <param name="error">What is wrong and what is accepted; empty when the text is valid.</param>
    public static bool TryParse(string text, out EtwEventFilter? filter, out string error)
    {
        ArgumentNullException.ThrowIfNull(text);
        filter = null;
        var exclude = text.StartsWith(ExcludePrefix, StringComparison.Ordinal);
        var list =
            exclude ? text[ExcludePrefix.Length..]
            : text.StartsWith(IncludePrefix, StringComparison.Ordinal) ? text[IncludePrefix.Length..]
            : text;
        var ids = new List<int>();
        foreach (var part in list.Split(',', StringSplitOptions.TrimEntries))
        {
            if (!ushort.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out var id))
            {
                error =
                    $"'{text}' is not a filter: write event ids from 0 to 65535 separated by commas, after 'in:' or 'out:', for example in:80 or out:10,9";
                return false;
            }

            if (!ids.Contains(id))
                ids.Add(id);
        }

        if (ids.Count > MaxIds)
        {
            error = $"'{text}': a filter may have at most {MaxIds} event ids; this one has {ids.Count}";
            return false;
        }

        filter = new EtwEventFilter(!exclude, ids);
        error = "";
        return true;
    }

    /// <summary>The text that <see cref="TryParse"/> accepts.</summary>
    public override string ToString() => (Include ? IncludePrefix : ExcludePrefix) + string.Join(',', Ids);

    /// <summary>The same direction and ids.</summary>
    public bool Equals(EtwEventFilter? other) => other is not null && other.Include == Include && other.Ids.SequenceEqual(Ids);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Include, Ids.Count, Ids.Count > 0 ? Ids[0] : 0);
}
