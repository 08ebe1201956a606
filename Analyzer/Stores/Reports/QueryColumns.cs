using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Writers;
using EtwSerializerProfiler.Stores.Queries;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Stores.Reports;

/// <summary>Columns of query results, named by the query, and of the list of named queries.</summary>
public static class QueryColumns
{
    /// <summary>Columns of the list of named queries.</summary>
    public static IReadOnlyList<Column<NamedQuery>> Names { get; } =
    [
        new("name", "Query", query => query.Name),
        new("answers", "Answers", query => query.Description),
        new("sql", null, query => query.Sql.ReplaceLineEndings(" ")),
    ];

    /// <summary>Columns of a result; repeated names get a number as suffix.</summary>
    public static IReadOnlyList<Column<object?[]>> Of(IReadOnlyList<StoreColumn> columns)
    {
        ArgumentNullException.ThrowIfNull(columns);
        var used = new HashSet<string>();
        var made = new List<Column<object?[]>>(columns.Count);
        for (var i = 0; i < columns.Count; i++)
        {
            var place = i;
            var name = columns[i].Name;
            for (var number = 2; !used.Add(name); number++)
                name = FormattableString.Invariant($"{columns[i].Name}_{number}");
            made.Add(
                new Column<object?[]>(
                    name,
                    name,
                    row => row[place] is double value ? new ExactNumber(value) : row[place],
                    columns[i].Type switch
                    {
                        ColumnType.Integer => "0",
                        ColumnType.Real => "0.###",
                        _ => "",
                    }
                )
                {
                    Absent = _ => Column<object?[]>.NotApplicable,
                }
            );
        }

        return made;
    }
}
