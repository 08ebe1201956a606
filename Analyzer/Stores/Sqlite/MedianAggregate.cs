using EtwSerializerProfiler.Analysis;
using Microsoft.Data.Sqlite;

namespace EtwSerializerProfiler.Stores.Sqlite;

/// <summary>The aggregate <c>median(x)</c>, which ClickHouse has and SQLite has not: nulls do not count, of an even number of values it is the mean of the middle two.</summary>
internal static class MedianAggregate
{
    /// <summary>Adds it to a connection.</summary>
    public static void Register(SqliteConnection connection) => connection.CreateAggregate<double?, List<double>?, double?>(
        "median", null, static (values, value) => Add(values, value), static values => values is null ? null : Statistics.Median(values), isDeterministic: true);

    // A list given as the seed would be that of all groups.
    private static List<double>? Add(List<double>? values, double? value)
    {
        if (value is not { } number)
            return values;
        values ??= [];
        values.Add(number);
        return values;
    }
}
