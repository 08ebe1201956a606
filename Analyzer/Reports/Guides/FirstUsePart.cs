using EtwSerializerProfiler.Analysis.FirstCalls;
using EtwSerializerProfiler.Reports.Columns;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>First calls: construct, first serialize, first deserialize, each in its own process.</summary>
internal static class FirstUsePart
{
    private static readonly IReadOnlyList<Column<FirstCallRow>> s_shown =
    [
        .. FirstCallColumns.All.Where(column =>
            column.Key is "serializer" or "runtime" or "startup" or "runs" or "medianMs" or "jitMs" or "restMs" or "methods" or "generated"
        ),
    ];

    private const string NotCompared =
        "First calls of precompiled (ReadyToRun) code were not compared: esp-record guide --full, or esp-record -test firstcall --precompile both";

    public static GuidePart Build(GuideInput input)
    {
        var part = new GuidePart("firstuse", "First use");
        if (input.FirstCallRuns?.FirstCalls is not { Rows.Count: > 0 } calls)
            return part with { Missing = input.Missing(GuideKeys.FirstCalls) };
        IReadOnlyList<FirstCallRow> rows =
        [
            .. calls.Rows.OrderBy(row => row.Key.Operation, StringComparer.Ordinal).ThenBy(row => row.MedianMs ?? double.MaxValue),
        ];
        IReadOnlyList<Column<FirstCallRow>> change =
        [
            .. GuideColumns.Time<FirstCallRow>("change", GuideKeys.FirstCalls, input.Changes, row => row.Key),
        ];
        var isCompared = rows.Select(row => row.Key.Runtime).Distinct().Count() > 1;
        return part with
        {
            Texts =
            [
                "Each first call has a new process. JIT ms is the time of compilation on the calling thread, Rest ms everything else: "
                    + "loading assemblies and types, static constructors, the work itself.",
            ],
            Tables = [Section.Of("firstCalls", "", rows, [.. s_shown, .. change], [.. FirstCallColumns.All, .. change])],
            Notes = isCompared ? [] : [NotCompared],
            Recordings = [GuideInput.ReportOf(GuideKeys.FirstCalls)],
        };
    }
}
