using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Stores.Queries;

/// <summary>The named queries. Most use table <c>result</c>, which is small: one row for each serializer and test of a trace.</summary>
/// <remarks>
/// They are written for SQLite and for ClickHouse 18.16, in which an alias hides a column with the same name. So an alias never has the
/// name of a column that the same SELECT aggregates. Both sides of a join are sub-queries, and their columns have different names, except
/// those of the join condition.
/// </remarks>
public static class NamedQueries
{
    /// <summary>Columns that compared rows have in common.</summary>
    private const string Test = "serializer, operation, objects, payload_bytes, threads";

    /// <summary>Measured rows with their machine.</summary>
    private const string Measured = $"""
        (SELECT trace, {Test}, runtime, wall_median_ms, wall_min_ms, allocated_bytes_per_object FROM result WHERE first_use = 0 AND wall_median_ms IS NOT NULL)
        INNER JOIN (SELECT trace, machine_class FROM trace) USING (trace)
        """;

    /// <summary>Medians over traces by test, machine class and runtime.</summary>
    private const string ByRuntime = $"""
        (SELECT {Test}, machine_class, runtime, count(*) AS traces, median(wall_median_ms) AS median_ms
         FROM {Measured}
         GROUP BY {Test}, machine_class, runtime)
        """;

    /// <summary>Traces with the number of newer ones of the same program, runtimes, machine class and branch.</summary>
    private const string Ages = """
        (SELECT trace, program, machine_class, branch_name, newest_utc, count(*) - 1 AS age
         FROM (SELECT trace, program, runtime AS runtimes, machine_class, coalesce(branch, '') AS branch_name, recorded_utc AS newest_utc FROM trace WHERE recorded_utc IS NOT NULL)
         INNER JOIN (SELECT trace AS other_trace, program, runtime AS runtimes, machine_class, coalesce(branch, '') AS branch_name, recorded_utc AS other_utc FROM trace WHERE recorded_utc IS NOT NULL)
         USING (program, runtimes, machine_class, branch_name)
         WHERE other_utc > newest_utc OR (other_utc = newest_utc AND other_trace >= trace)
         GROUP BY trace, program, machine_class, branch_name, newest_utc
         HAVING age <= 20)
        """;

    /// <summary>All queries in the order of the list.</summary>
    public static IReadOnlyList<NamedQuery> All { get; } =
    [
        new(
            "slowest-deserializers",
            "Deserializers by time per object, medians over all traces of a machine class and runtime, slowest first",
            Slowest("Deserialize")
        ),
        new(
            "slowest-serializers",
            "Serializers by time per object, medians over all traces of a machine class and runtime, slowest first",
            Slowest("Serialize")
        ),
        new(
            "gc-pauses",
            "GC pauses of the measured runs of each serializer and test: total, longest, share of the time; largest share first",
            $"""
            SELECT {Test}, runtime, count(DISTINCT trace) AS traces, sum(gc0) AS gcs_0, sum(gc1) AS gcs_1, sum(gc2) AS gcs_2, sum(pause_ms) AS total_pause_ms, max(pause_max_ms) AS max_pause_ms,
             100.0 * sum(pause_ms) / sum(wall_total_ms) AS pause_percent
            FROM result
            WHERE first_use = 0 AND pause_ms IS NOT NULL AND wall_total_ms > 0
            GROUP BY {Test}, runtime
            ORDER BY pause_percent DESC, total_pause_ms DESC, {Test}, runtime
            LIMIT 100
            """
        ),
        new(
            "regressions",
            "The latest trace of each program, runtime, machine class and branch compared with the median of up to 20 earlier ones, largest slowdown first; without a significance test (use gate for one)",
            $"""
            SELECT program, machine_class, branch_name, {Test}, runtime, max(CASE WHEN age = 0 THEN newest_utc ELSE NULL END) AS latest_utc,
             max(CASE WHEN age = 0 THEN wall_median_ms ELSE NULL END) AS latest_ms, median(CASE WHEN age > 0 THEN wall_median_ms ELSE NULL END) AS before_ms,
             max(CASE WHEN age = 0 THEN wall_median_ms ELSE NULL END) / median(CASE WHEN age > 0 THEN wall_median_ms ELSE NULL END) AS ratio,
             min(CASE WHEN age > 0 THEN wall_median_ms ELSE NULL END) AS before_min_ms, max(CASE WHEN age > 0 THEN wall_median_ms ELSE NULL END) AS before_max_ms,
             max(CASE WHEN age = 0 THEN allocated_bytes_per_object ELSE NULL END) / median(CASE WHEN age > 0 THEN allocated_bytes_per_object ELSE NULL END) AS allocation_ratio,
             sum(CASE WHEN age > 0 THEN 1 ELSE 0 END) AS traces_before
            FROM (SELECT trace, {Test}, runtime, wall_median_ms, allocated_bytes_per_object FROM result WHERE first_use = 0 AND wall_median_ms IS NOT NULL)
            INNER JOIN {Ages} USING (trace)
            GROUP BY program, machine_class, branch_name, {Test}, runtime
            HAVING traces_before > 0 AND latest_ms IS NOT NULL
            ORDER BY ratio DESC, program, machine_class, branch_name, {Test}, runtime
            LIMIT 100
            """
        ),
        new(
            "allocations",
            "Bytes allocated per object by serializer and test, medians over all traces, most bytes first",
            $"""
            SELECT {Test}, runtime, count(DISTINCT trace) AS traces, median(allocated_bytes_per_object) AS bytes_per_object, min(allocated_bytes_per_object) AS min_bytes, max(allocated_bytes_per_object) AS max_bytes
            FROM result
            WHERE first_use = 0 AND allocated_bytes_per_object IS NOT NULL
            GROUP BY {Test}, runtime
            ORDER BY bytes_per_object DESC, {Test}, runtime
            LIMIT 100
            """
        ),
        new(
            "causes",
            "CPU time of each serializer by cause over all traces with CPU samples, in ms; longest first",
            $"""
            SELECT serializer, operation, runtime, count(DISTINCT trace) AS traces, sum(serializer_ms) AS total_ms, sum(own_ms) AS own_code_ms, {string.Join(
                ", ",
                CauseSums
            )}
            FROM result
            WHERE first_use = 0 AND serializer_ms IS NOT NULL
            GROUP BY serializer, operation, runtime
            ORDER BY total_ms DESC, serializer, operation, runtime
            LIMIT 100
            """
        ),
        new(
            "exceptions",
            "Exceptions thrown in measured runs by type, method and serializer over all traces, most frequent first",
            """
            SELECT type, method, serializer, operation, count(DISTINCT trace) AS traces, sum(thrown) AS times_thrown, sum(rethrown) AS times_rethrown, min(message) AS example
            FROM exception
            GROUP BY type, method, serializer, operation
            ORDER BY times_thrown DESC, type, method, serializer, operation
            LIMIT 100
            """
        ),
        new(
            "locks",
            "Waits for managed locks in measured runs by waiting method over all traces, longest first",
            """
            SELECT method, primitive, serializer, operation, threads, count(DISTINCT trace) AS traces, sum(waits) AS all_waits, sum(wait_ms) AS total_wait_ms, max(longest_ms) AS max_wait_ms
            FROM lock
            GROUP BY method, primitive, serializer, operation, threads
            ORDER BY total_wait_ms DESC, method, primitive, serializer, operation, threads
            LIMIT 100
            """
        ),
        new(
            "jit",
            "Methods compiled in measured runs over all traces, by compilation time",
            """
            SELECT method, tier, count(DISTINCT trace) AS traces, sum(compilations) AS all_compilations, sum(jit_ms) AS total_jit_ms, max(native_bytes) AS max_native_bytes
            FROM jit
            GROUP BY method, tier
            ORDER BY total_jit_ms DESC, method, tier
            LIMIT 100
            """
        ),
        new(
            "findings",
            "Findings by code: number of traces, and one of them as an example",
            """
            SELECT kind, code, count(DISTINCT trace) AS traces, count(*) AS all_findings, min(text) AS example
            FROM finding
            GROUP BY kind, code
            ORDER BY traces DESC, kind, code
            """
        ),
        new(
            "losses",
            "Losses of traces: lost events, missing runs, broken stacks, damaged files, what was not recorded",
            """
            SELECT kind, count(DISTINCT trace) AS traces, sum(lost) AS all_lost, min(text) AS example
            FROM loss
            GROUP BY kind
            ORDER BY traces DESC, kind
            """
        ),
        new(
            "runtimes",
            "The same test on several runtimes of machines of one class: medians over traces, and the ratio to the fastest runtime",
            $"""
            SELECT {Test}, machine_class, runtime, traces, median_ms, median_ms / best_ms AS times_the_fastest
            FROM {ByRuntime}
            INNER JOIN (SELECT {Test}, machine_class, min(median_ms) AS best_ms, count(*) AS runtimes FROM {ByRuntime} GROUP BY {Test}, machine_class) USING ({Test}, machine_class)
            WHERE runtimes > 1
            ORDER BY {Test}, machine_class, median_ms, runtime
            LIMIT 500
            """
        ),
        new(
            "machines",
            "Machines and their classes: traces, programs, first and last recording, lost events",
            """
            SELECT machine_class, machine, count(*) AS traces, count(DISTINCT program) AS programs, min(recorded_utc) AS first_utc, max(recorded_utc) AS last_utc, sum(runs_found) AS runs, sum(lost_events) AS all_lost_events
            FROM trace
            WHERE status = 'extracted'
            GROUP BY machine_class, machine
            ORDER BY traces DESC, machine_class, machine
            """
        ),
        new(
            "failed",
            "Traces that could not be read, with the error",
            """
            SELECT trace, name, bytes, error
            FROM trace
            WHERE status = 'failed'
            ORDER BY name
            """
        ),
    ];

    /// <summary>Finds a query by name.</summary>
    /// <exception cref="StoreException">No query or several queries match.</exception>
    public static NamedQuery Find(string name) =>
        NameChoice.TryFind(name, [.. All.Select(query => query.Name)], out var found, out var advice)
            ? All.Single(query => query.Name == found)
            : throw new StoreException(
                new Problem($"unknown query '{name}'", "--named", $"{advice.TrimEnd('?')}; 'esp-analyze query --list' describes them")
            )
            {
                IsUsage = true,
            };

    /// <summary>Sums of the columns of cause groups.</summary>
    private static IEnumerable<string> CauseSums =>
        Analysis
            .Causes.CauseCatalog.All.Select(cause => cause.Group)
            .Distinct()
            .Select(group => Tables.ResultTable.GroupColumn(group))
            .Select(column => $"sum({column}) AS {column.Replace("_cause_ms", "_ms", StringComparison.Ordinal)}");

    private static string Slowest(string operation) =>
        $"""
            SELECT {Test}, runtime, machine_class, count(DISTINCT trace) AS traces, median(wall_median_ms) AS median_ms, min(wall_min_ms) AS best_ms,
             CASE WHEN objects > 0 THEN 1000.0 * median(wall_median_ms) / objects ELSE NULL END AS us_per_object
            FROM {Measured}
            WHERE operation = '{operation}'
            GROUP BY {Test}, runtime, machine_class
            ORDER BY us_per_object DESC, median_ms DESC, {Test}, runtime, machine_class
            LIMIT 100
            """;
}

/// <summary>A query that the tool knows by name.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Description">Description of its answer, without a period.</param>
/// <param name="Sql">The SQL, limited to what SQLite and ClickHouse both support: no common table expressions, no window functions.</param>
public sealed record NamedQuery(string Name, string Description, string Sql);
