using System.Globalization;
using EtwSerializerProfiler.Analysis.FirstCalls;
using EtwSerializerProfiler.Analysis.XmlCode;
using EtwSerializerProfiler.Naming;

namespace EtwSerializerProfiler.Analysis.Findings.Rules;

/// <summary>XmlSerializer generated code at run time because a prebuilt assembly was missing.</summary>
public sealed class XmlCodeGenerationRule : IFindingRule
{
    /// <summary>Name of such an assembly in the rows of first calls.</summary>
    private const string GeneratedAssembly = "Microsoft.GeneratedCode";

    private const string Advice =
        "generate it at build time (package Microsoft.XmlSerializer.Generator, sgen on .NET Framework), keep one XmlSerializer per type, and construct it before it is needed";

    /// <inheritdoc />
    public IEnumerable<Finding> Check(FindingInput input)
    {
        ArgumentNullException.ThrowIfNull(input);
        var calls = FirstCalls(input.FirstCalls);
        var items = calls
            .Concat((input.XmlCode ?? []).Where(IsMade).OrderBy(row => row.FirstMs).Select(row => Item(row, calls.Count > 0)))
            .ToList();
        if (items.Count > 0)
            yield return ListedFinding.Hint(
                "xml-codegen",
                FindingConfidence.Certain,
                "XmlSerializer generates code at run time",
                items,
                Advice
            );
    }

    private static bool IsMade(XmlCodeRow row) => row.Assemblies > 0 || row.Methods > 0;

    /// <summary>First calls that generated such an assembly, which show its cost.</summary>
    private static List<ListedItem> FirstCalls(FirstCallResult? calls)
    {
        if (calls is null)
            return [];
        var made = calls
            .Assemblies.Where(assembly => assembly is { Outcome: AssemblyOutcome.Generated, Name: GeneratedAssembly })
            .Select(assembly => assembly.Calls)
            .ToHashSet();
        return
        [
            .. calls
                .Rows.Where(row => made.Contains(row.Key) && row.MedianMs is not null)
                .OrderByDescending(row => row.MedianMs)
                .Select(row => new ListedItem(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{row.Key} ({row.MedianMs:0.0} ms{Text(row.Methods, "method compiled", "methods compiled")}{Text(row.Emitted, "of them generated")}{Text(row.FailedLoads, "failed load", "failed loads")})"
                    ),
                    [
                        new FindingEvidence($"first call, {row.Key}", row.MedianMs!.Value, "ms"),
                        .. EvidenceOf("methods compiled", row.Methods, row.Key.ToString()),
                        .. EvidenceOf("of them generated at run time", row.Emitted, row.Key.ToString()),
                    ]
                )),
        ];
    }

    private static ListedItem Item(XmlCodeRow row, bool isShort)
    {
        var where = row.FirstRun is { } run
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"in run {run.RunId}, {run.Identity.Kind} of {Rows.SummaryKey.Of(run) with { Kind = Marks.RunKind.Measured }}, {run.WallMs:0.0} ms"
            )
            : "outside of runs";
        var evidence = isShort
            ? ""
            : Text(row.Assemblies, "assembly generated", "assemblies generated")
                + Text(row.Methods, "generated method compiled", "generated methods compiled")
                + Text(row.FailedLoads, "failed load of *.XmlSerializers", "failed loads of *.XmlSerializers");
        return new ListedItem(
            string.Create(CultureInfo.InvariantCulture, $"{row.Process} ({where}{evidence})"),
            [
                .. EvidenceOf("assemblies generated", row.Assemblies, row.Process.ToString()),
                .. EvidenceOf("generated methods compiled", row.Methods, row.Process.ToString()),
                .. EvidenceOf("failed loads of *.XmlSerializers", row.FailedLoads, row.Process.ToString()),
            ],
            new FindingLocation(row.Process, row.FirstRun?.RunId, row.FirstMs, row.LastMs, "XmlSerializer generates code")
        );
    }

    private static IEnumerable<FindingEvidence> EvidenceOf(string what, int? value, string whose) =>
        value is { } known ? [new FindingEvidence($"{what}, {whose}", known, "")] : [];

    /// <summary>Formats a count; empty when not recorded.</summary>
    private static string Text(int? value, string one, string? many = null) =>
        value is { } known ? string.Create(CultureInfo.InvariantCulture, $", {known} {Plural.Either(known, one, many ?? one)}") : "";
}
