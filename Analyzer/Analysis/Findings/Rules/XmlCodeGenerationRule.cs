using System.Globalization;
using EtwSerializerProfiler.Analysis.FirstCalls;
using EtwSerializerProfiler.Analysis.XmlCode;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>XmlSerializer made code while the program ran, because there was no assembly made at build time.</summary>
public sealed class XmlCodeGenerationRule : IFindingRule
{
    /// <summary>What the row of first calls names such an assembly.</summary>
    private const string MadeAssembly = "Microsoft.GeneratedCode";

    private const string Advice =
        "make it at build time (package Microsoft.XmlSerializer.Generator, sgen on .NET Framework), keep one XmlSerializer a type, and construct it before it is needed";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var calls = FirstCalls(input.FirstCalls);
        var items = calls.Concat((input.XmlCode ?? []).Where(IsMade).OrderBy(row => row.FirstMs).Select(row => Item(row, calls.Count > 0))).ToList();
        if (items.Count > 0)
            yield return ListedFinding.Hint("xml-codegen", FindingConfidence.Certain, "XmlSerializer makes code at start", items, Advice);
    }

    private static bool IsMade(XmlCodeRow row) => row.Assemblies > 0 || row.Methods > 0;

    /// <summary>First calls that made such an assembly: they tell what it costs.</summary>
    private static List<ListedItem> FirstCalls(FirstCallResult? calls)
    {
        if (calls is null)
            return [];
        var made = calls.Assemblies.Where(assembly => assembly is { Outcome: AssemblyOutcome.Generated, Name: MadeAssembly }).Select(assembly => assembly.Calls).ToHashSet();
        return
        [
            .. calls.Rows.Where(row => made.Contains(row.Key) && row.MedianMs is not null).OrderByDescending(row => row.MedianMs).Select(row => new ListedItem(
                string.Create(CultureInfo.InvariantCulture, $"{row.Key} ({row.MedianMs:0.0} ms{Text(row.Methods, "method compiled", "methods compiled")}{Text(row.Emitted, "of them made")}{Text(row.FailedLoads, "load in vain", "loads in vain")})"),
                [
                    new FindingFigure($"first call, {row.Key}", row.MedianMs!.Value, "ms"), .. Figures("methods compiled", row.Methods, row.Key.ToString()), .. Figures("of them made while it ran", row.Emitted, row.Key.ToString()),
                ])),
        ];
    }

    private static ListedItem Item(XmlCodeRow row, bool isShort)
    {
        var where = row.FirstRun is { } run ? string.Create(CultureInfo.InvariantCulture, $"in run {run.RunId}, {run.Identity.Kind} of {Rows.SummaryKey.Of(run) with { Kind = Marks.RunKind.Measured }}, {run.WallMs:0.0} ms") : "outside of runs";
        var figures = isShort
            ? ""
            : Text(row.Assemblies, "assembly made", "assemblies made") + Text(row.Methods, "made method compiled", "made methods compiled")
            + Text(row.FailedLoads, "load of *.XmlSerializers in vain", "loads of *.XmlSerializers in vain");
        return new ListedItem(
            string.Create(CultureInfo.InvariantCulture, $"{row.Process} ({where}{figures})"),
            [
                .. Figures("assemblies made", row.Assemblies, row.Process.ToString()), .. Figures("made methods compiled", row.Methods, row.Process.ToString()),
                .. Figures("loads of *.XmlSerializers in vain", row.FailedLoads, row.Process.ToString()),
            ],
            new FindingPlace(row.Process, row.FirstRun?.RunId, row.FirstMs, row.LastMs, "XmlSerializer makes code"));
    }

    private static IEnumerable<FindingFigure> Figures(string what, int? value, string whose) => value is { } known ? [new FindingFigure($"{what}, {whose}", known, "")] : [];

    /// <summary>What was counted; nothing of what was not recorded.</summary>
    private static string Text(int? value, string one, string? many = null) => value is { } known ? string.Create(CultureInfo.InvariantCulture, $", {known} {Plural.Either(known, one, many ?? one)}") : "";
}
