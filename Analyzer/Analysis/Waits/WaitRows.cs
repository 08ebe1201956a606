using System.Globalization;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Analysis.Waits;

/// <summary>Creates the rows of waits and of threads from the sums of a pass.</summary>
/// <param name="tables">The sums of the pass.</param>
/// <param name="clock">Clock of the times in the sums.</param>
internal sealed class WaitRows(WaitTables tables, TraceClock clock)
{
    private readonly List<(SummaryKey Runs, WaitKey Key, WaitTally Tally)> _all = [.. tables.Waits.All];

    /// <summary>The waits by a grouping; grouped by thread, a row is a thread and a reason.</summary>
    public IReadOnlyList<WaitRow> By(WaitGrouping grouping) =>
        grouping switch
        {
            WaitGrouping.Reason => Rows(key => (0, 0, key.Place.Reason)),
            WaitGrouping.Stack => Rows(key => (key.Place.Stack, key.Place.Method, key.Place.Reason), sameStack: true),
            WaitGrouping.Thread => Rows(key => (key.Process, (int)key.Thread, key.Place.Reason)),
            WaitGrouping.Line => Rows(key => (0, key.Place.Own, key.Place.Reason)),
            _ => Rows(key => (0, key.Place.Method, key.Place.Reason)),
        };

    /// <summary>The waits by reason and the program's own method.</summary>
    public IReadOnlyList<WaitRow> Sites() => Rows(key => (key.Place.IsPool ? 1 : 0, key.Place.Own, key.Place.Reason));

    /// <summary>Times of each thread, longest waits first.</summary>
    public IReadOnlyList<ThreadTimeRow> Threads()
    {
        var waits = _all.Where(row => row.Key.Source == WaitSource.Switches)
            .ToLookup(row => (row.Runs, new ThreadKey(row.Key.Process, row.Key.Thread)));
        var times = tables.Threads.All.ToDictionary(row => (row.Runs, row.Key), row => row.Tally);
        return
        [
            .. times
                .Keys.Union(waits.Select(group => group.Key))
                .Select(key => Thread(key.Runs, key.Item2, times.GetValueOrDefault(key) ?? new ThreadTally(), [.. waits[key]]))
                .OrderByDescending(row => row.WaitMs)
                .ThenByDescending(row => row.OnCpuMs)
                .ThenBy(row => row.ThreadId),
        ];
    }

    private ThreadTimeRow Thread(
        SummaryKey runs,
        ThreadKey key,
        ThreadTally tally,
        List<(SummaryKey Runs, WaitKey Key, WaitTally Tally)> waits
    )
    {
        var busy = waits.Where(row => row.Key.Place.Reason != WaitReason.Idle).ToList();
        var reason = busy.Count == 0 ? (WaitReason?)null : Longest(busy, row => row.Key.Place.Reason);
        return new ThreadTimeRow
        {
            Runs = runs,
            Process = tables[key.Process].Process.Key,
            ThreadId = key.Thread,
            Name = tables[key.Process].ThreadName(key.Thread),
            OnCpuMs = clock.ToMilliseconds(tally.OnCpuTicks),
            ReadyMs = clock.ToMilliseconds(tally.ReadyTicks),
            WaitMs = clock.ToMilliseconds(busy.Sum(row => row.Tally.Ticks)),
            IdleMs = clock.ToMilliseconds(waits.Sum(row => row.Tally.Ticks) - busy.Sum(row => row.Tally.Ticks)),
            Reason = reason,
            Method =
                busy.Count == 0
                    ? null
                    : tables.Methods[Longest(busy.FindAll(row => row.Key.Place.Reason == reason), row => Named(row.Key.Place))],
        };
    }

    /// <summary>Creates the rows of a grouping.</summary>
    /// <param name="group">What the waits of a row have in common.</param>
    /// <param name="sameStack">Whether they also have the same stack, which the row then shows.</param>
    private List<WaitRow> Rows(Func<WaitKey, (int, int, WaitReason)> group, bool sameStack = false) =>
        [
            .. _all.GroupBy(row => (row.Runs, row.Key.Source, Group: group(row.Key)))
                .Select(rows =>
                    Row(rows.Key.Runs, rows.Key.Source, rows.Key.Group.Item3, [.. rows]) with
                    {
                        Stack = sameStack ? tables.Stacks?.Frames(rows.First().Key.Place.Stack) : null,
                    }
                )
                .OrderBy(row =>
                    row.Reason switch
                    {
                        WaitReason.Idle => 2,
                        WaitReason.Unknown => 1,
                        _ => 0,
                    }
                )
                .ThenByDescending(row => row.Ms)
                .ThenByDescending(row => row.Count)
                .ThenBy(row => row.Runs.ToString(), StringComparer.Ordinal)
                .ThenBy(row => row.Method?.Name, StringComparer.Ordinal),
        ];

    private WaitRow Row(SummaryKey runs, WaitSource source, WaitReason reason, List<(SummaryKey Runs, WaitKey Key, WaitTally Tally)> rows)
    {
        var longest = rows.MaxBy(row => row.Tally.MaxTicks).Tally;
        return new WaitRow
        {
            Runs = runs,
            Reason = reason,
            Method = tables.Methods[Longest(rows, row => row.Key.Place.Method)],
            Own = tables.Methods[Longest(rows, row => row.Key.Place.Own)],
            Source = source,
            Threads = rows.Select(row => (row.Key.Process, row.Key.Thread)).Distinct().Count(),
            IsPool = rows.TrueForAll(row => row.Key.Place.IsPool),
            ReadiedBy = Readier(rows),
            Count = rows.Sum(row => row.Tally.Count),
            Ms = clock.ToMilliseconds(rows.Sum(row => row.Tally.Ticks)),
            MaxMs = clock.ToMilliseconds(longest.MaxTicks),
            Longest = longest.Longest,
        };
    }

    private static int Named(WaitPlace place) => place.Own != MethodInterner.None ? place.Own : place.Method;

    /// <summary>The key whose rows have the longest total time.</summary>
    private static T Longest<T>(
        List<(SummaryKey Runs, WaitKey Key, WaitTally Tally)> rows,
        Func<(SummaryKey Runs, WaitKey Key, WaitTally Tally), T> part
    ) =>
        rows.GroupBy(part)
            .OrderByDescending(group => group.Sum(row => row.Tally.Ticks))
            .ThenByDescending(group => group.Sum(row => row.Tally.Count))
            .First()
            .Key;

    /// <summary>Name or id of the thread that ended most of the waits; null when none was recorded.</summary>
    private string? Readier(List<(SummaryKey Runs, WaitKey Key, WaitTally Tally)> rows)
    {
        var readier = rows.Where(row => row.Tally.Readiers is not null)
            .SelectMany(row => row.Tally.Readiers!.Select(pair => (Scope: tables[row.Key.Process], Thread: pair.Key, Count: pair.Value)))
            .GroupBy(item => (item.Scope, item.Thread))
            .OrderByDescending(group => group.Sum(item => item.Count))
            .FirstOrDefault();
        if (readier is null)
            return null;
        var name = readier.Key.Scope.ThreadName(readier.Key.Thread);
        return name.Length > 0 ? name : readier.Key.Thread.ToString(CultureInfo.InvariantCulture);
    }
}
