using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Rows with broken stacks in more than a tenth of their CPU samples, which inclusive times and causes lack.</summary>
public sealed class BrokenStacksRule : IFindingRule
{
    private const double MaxPercent = 10;

    /// <summary>With fewer samples, the share is random.</summary>
    private const int MinSamples = 100;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var broken = input
            .Result.Rows.Where(row => row.Samples?.Count >= MinSamples && row.Samples.BrokenStackPercent > MaxPercent)
            .ToLookup(RowFinding.IsProgram);
        return
        [
            .. Hint(
                broken[false],
                "record with stack dumps (the default of esp-record without --no-stack-dump; --stack-dump takes more bytes), on Windows as 64-bit with DisablePagingExecutive; check that the native libraries are still at their recorded paths"
            ),
            .. Hint(
                broken[true],
                input.Recordings.Count > 0
                    ? "take more bytes of each stack (esp-record --stack-dump 16384), on Windows record as 64-bit with DisablePagingExecutive; esp-analyze cpu FOLDER --tree shows where they end, below [broken stack]"
                    : "record with esp-record, which copies a part of each stack, or on Windows as 64-bit with DisablePagingExecutive; esp-analyze cpu FILE --tree shows where they end, below [broken stack]"
            ),
        ];
    }

    private static IEnumerable<Finding> Hint(IEnumerable<SummaryRow> rows, string advice) =>
        RowFinding.Hint(
            "broken-stacks",
            "over 10 % of the CPU samples have broken stacks, so inclusive times and causes are too small",
            rows,
            row => row.Samples!.BrokenStackPercent,
            row => $"{row.Samples!.BrokenStackPercent:0} % of {row.Samples.Count}",
            advice,
            worst: run => run.Samples?.BrokenStacks,
            costMs: row => RowFinding.IsProgram(row) ? row.Samples!.BrokenStackPercent / 100 * row.CpuMs : null
        );
}
