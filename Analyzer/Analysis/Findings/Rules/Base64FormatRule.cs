using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Analysis.Rows;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>
/// FormatException while XML is read. If base64 text is being read, it is a known issue: XmlBaseReader of .NET Framework 3.5 and 4.0 threw
/// and caught one for each piece of text with white space in it (40 reads took 10.9 s instead of 0.003 s). If a data contract is being
/// read otherwise, the serializer tried to parse a value and failed.
/// </summary>
public sealed class Base64FormatRule : IFindingRule
{
    private const string Thrown = "System.FormatException";

    /// <summary>Minimum exceptions per run of data contracts: fewer mean wrong input, not a hot path.</summary>
    private const double MinPerRun = 10;

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var format = input.Exceptions?.Where(row => row.Type == Thrown).ToList() ?? [];
        var base64 = Items(input, format, row => row.InBase64Read, 0);
        if (base64.Count > 0)
            yield return ListedFinding.Hint(
                "base64",
                FindingConfidence.Likely,
                "reading base64 text out of XML throws FormatException",
                base64,
                "write the text without line breaks and blanks (Base64FormattingOptions.None): .NET Framework 3.5 and 4.0 throw and catch an exception for each piece with white space, .NET 10 does not"
            );
        var contract = Items(input, format, row => row.InBase64Read > 0 ? 0 : row.InContractRead, MinPerRun);
        if (contract.Count > 0)
            yield return ListedFinding.Hint(
                "contract-format",
                FindingConfidence.Possible,
                "data contract deserialization throws FormatException",
                contract,
                "see esp-analyze exceptions for the message: each value that does not fit the contract's type causes an exception, which is caught"
            );
    }

    private static List<ListedItem> Items(
        FindingInput input,
        List<ExceptionRow> exceptions,
        Func<ExceptionRow, long> count,
        double minPerRun
    )
    {
        var items = new List<(double PerRun, ListedItem Item)>();
        foreach (var row in input.Result.Rows)
        {
            var own = exceptions.Where(thrown => thrown.Runs == row.Key && count(thrown) > 0).OrderByDescending(count).ToList();
            var perRun = own.Sum(count) / (double)row.AllRuns.Count;
            if (own.Count > 0 && perRun >= minPerRun)
                items.Add((perRun, Item(row, own[0], perRun)));
        }

        return [.. items.OrderByDescending(item => item.PerRun).Select(item => item.Item)];
    }

    private static ListedItem Item(SummaryRow row, ExceptionRow frequent, double perRun) =>
        new(
            $"{row.Key} ({FormattableString.Invariant($"{perRun:0.#} per run")}{ListedFinding.In(frequent.Method)})",
            [new FindingEvidence($"FormatException per run, {row.Key}", perRun, "")],
            ExceptionFlowRule.FirstOf(frequent)
        );
}
