using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>Rows of whose CPU samples more than a tenth have broken stacks: inclusive times and causes lack them.</summary>
public sealed class BrokenStacksRule : IFindingRule
{
    private const double LargestPercent = 10;

    /// <summary>With fewer samples the share is chance.</summary>
    private const int LeastSamples = 100;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var broken = input.Result.Rows.Where(row => row.Samples?.Count >= LeastSamples && row.Samples.BrokenStackPercent > LargestPercent).ToLookup(RowFinding.IsProgram);
        return
        [
            .. Hint(broken[false], "record with stack dumps (esp-record does so unless --no-stack-dump is given; --stack-dump takes more bytes), on Windows as 64-bit with DisablePagingExecutive; look whether native libraries lie in their places"),
            .. Hint(broken[true], input.Recordings.Count > 0
                ? "take more bytes of each stack (esp-record --stack-dump 16384), on Windows record as 64-bit with DisablePagingExecutive; esp-analyze cpu FOLDER --tree shows below [broken stack] where they end"
                : "record with esp-record, which takes a part of each stack along, or on Windows as 64-bit with DisablePagingExecutive; esp-analyze cpu FILE --tree shows below [broken stack] where they end"),
        ];
    }

    private static IEnumerable<Finding> Hint(IEnumerable<SummaryRow> rows, string advice) => RowFinding.Hint(
        "broken-stacks", "over 10 % of the CPU samples have broken stacks, so that inclusive times and causes are too small", rows,
        row => row.Samples!.BrokenStackPercent, row => $"{row.Samples!.BrokenStackPercent:0} % of {row.Samples.Count}", advice, worst: run => run.Samples?.BrokenStacks,
        costMs: row => RowFinding.IsProgram(row) ? row.Samples!.BrokenStackPercent / 100 * row.CpuMs : null);
}
