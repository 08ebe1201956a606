using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Features;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>Which serializer fits a need: those whose trials show that they do, the fastest first.</summary>
internal sealed class DecisionPart
{
    private const int MaxOthers = 4;

    /// <summary>
    /// A format that restores an object declared as <c>object</c> without known types carries the type's name, so its sender chooses the
    /// type that is created.
    /// </summary>
    private const string TypeNames = "object-class";

    private const string NativeAot = "native-aot";

    private const string NotTried = "not tried";

    private const string UntrustedData = "untrusted data (it names no types)";

    private const string UntrustedDataNote =
        "Untrusted data: the trials only show whether the data names the types to create. They did not try limits of size and depth or "
        + "attacks on hash tables: read what the serializer's authors say.";

    private const string TypeNamesNote =
        "With trusted data only: the format names the types to create (an object of a class came back from a member declared as object, "
        + "without known types). Whoever writes the data chooses the types that your program creates: "
        + "https://learn.microsoft.com/dotnet/fundamentals/code-analysis/quality-rules/ca2326";

    private const string BinaryFormatterNote =
        "Do not read untrusted data with BinaryFormatter; it cannot be made secure: "
        + "https://learn.microsoft.com/dotnet/standard/serialization/binaryformatter-security-guide";

    private static readonly (string Need, string[] Features)[] s_needs =
    [
        ("no special need", []),
        ("cycles", ["cycle"]),
        ("private members", ["private-fields"]),
        ("versions", ["member-added", "member-removed"]),
        ("streaming", ["streaming"]),
        ("keys of a class", ["key-class"]),
        ("10,000 deep", ["depth"]),
        ("NativeAOT", [NativeAot]),
    ];

    private readonly GuideInput _input;

    /// <summary>Serializers with times in both directions, the fastest round trip first.</summary>
    private readonly List<GuideRow> _ranked;

    /// <summary>Cells of the feature table by serializer and feature.</summary>
    private readonly Dictionary<string, Dictionary<string, FeatureCell>> _cells;

    private DecisionPart(GuideInput input)
    {
        _input = input;
        _ranked = [.. input.Ranked().Where(row => row.Ms is not null).OrderBy(row => row.Ms)];
        _cells = input
            .FeatureCells.GroupBy(cell => cell.Serializer)
            .ToDictionary(cells => cells.Key, cells => cells.DistinctBy(cell => cell.Key).ToDictionary(cell => cell.Key));
    }

    private static IReadOnlyList<Column<NeedRow>> Columns { get; } =
    [
        new("need", "Need", row => row.Need),
        new("fastest", "Fastest that fits", row => row.Fastest) { Absent = _ => "none" },
        GuideColumns.Of<NeedRow>("wallMedianMs", "deserializeMs", "Deserialize ms", row => row.Row?.Deserialize),
        GuideColumns.Of<NeedRow>("wallMedianMs", "serializeMs", "Serialize ms", row => row.Row?.Serialize),
        GuideColumns.Of<NeedRow>("dataBytes", "dataBytes", "Data B", row => row.Row?.Serialize),
        new("trustedOnly", "With trusted data only", row => row.Trusted) { Absent = _ => Column<NeedRow>.NotApplicable },
        new("next", "Then", row => row.Others) { Absent = _ => Column<NeedRow>.NotApplicable },
    ];

    public static GuidePart Build(GuideInput input) => new DecisionPart(input).Build();

    private GuidePart Build()
    {
        var part = new GuidePart("which", "Which one?");
        if (_ranked.Count == 0)
            return part with { Missing = _input.Missing(GuideKeys.Throughput) };
        var count = _ranked[0].Deserialize.Key.ObjectCount;
        return part with
        {
            Texts =
            [
                "Take the row of your need. With several needs, take a serializer that stands in each of their rows. "
                    + FormattableString.Invariant($"Names are in the order of the time of a round trip of {count:N0} objects, ")
                    + "except for the smallest data and the fastest first use. (opt-in) needs an option of the serializer.",
            ],
            Tables = [Section.Of("needs", "", [.. Needs()], Columns, Columns)],
            Notes = [.. Notes()],
            Recordings = [GuideInput.ReportOf(GuideKeys.Throughput)],
        };
    }

    private IEnumerable<NeedRow> Needs()
    {
        foreach (var (need, features) in s_needs.Where(need => need.Features.All(IsTried)))
            yield return Row(need, _ranked.Where(row => features.All(feature => Cell(row, feature)?.Works == true)), features);
        if (_cells.Count > 0)
        {
            yield return Row("readable text", _ranked.Where(row => Cell(row, "format")?.Seen == "text"));
            yield return Row(UntrustedData, _ranked.Where(row => Cell(row, TypeNames) is { IsYes: false }));
        }

        yield return Row("smallest data", _ranked.Where(row => Bytes(row) is not null).OrderBy(Bytes));
        var starts = Starts();
        if (starts.Count > 0)
        {
            var known = _ranked.Where(row => starts.ContainsKey(row.Serializer));
            yield return Row("fast first use", known.OrderBy(row => starts[row.Serializer]));
        }
    }

    /// <summary>The row of a need.</summary>
    /// <param name="need">The need.</param>
    /// <param name="fitting">Serializers that fit, the best first.</param>
    /// <param name="features">Features that the need requires; some serializers have them only with an option.</param>
    private NeedRow Row(string need, IEnumerable<GuideRow> fitting, params IReadOnlyList<string> features)
    {
        var sides = fitting.ToLookup(row => Cell(row, TypeNames)?.IsYes == true);
        var best = sides[false].FirstOrDefault();
        var (others, trusted) = (List(sides[false].Skip(1).Select(Name)), List(sides[true].Select(Name)));
        return new NeedRow(need, best, best is null ? null : Name(best), others, trusted);

        string Name(GuideRow row) => row.Serializer + (features.Any(feature => Cell(row, feature)?.IsYes == false) ? " (opt-in)" : "");
    }

    private IEnumerable<string> Notes()
    {
        if (_cells.Count == 0)
            yield return $"Needs that depend on features: {_input.Missing(GuideKeys.Features)}";
        else
            yield return UntrustedDataNote;
        if (IsTried(NativeAot))
            yield return "NativeAOT: these times are of jitted code; the part Runtimes has the times of the compiled program.";
        if (_ranked.Exists(row => Cell(row, TypeNames)?.IsYes == true))
            yield return TypeNamesNote;
        if (_ranked.Exists(row => row.Serializer == "BinaryFormatter"))
            yield return BinaryFormatterNote;
        if (_cells.Count > 0)
            yield return "Classes without attributes were not tried: all classes of the feature trials have attributes (docs/features.md).";
    }

    /// <summary>
    /// Sum of the times of a serializer's first construct, first serialize and first deserialize, each in a new process, on the first
    /// runtime; only for serializers with all three.
    /// </summary>
    private Dictionary<string, double> Starts()
    {
        string[] operations = [RunOperation.Construct, RunOperation.FirstSerialize, RunOperation.FirstDeserialize];
        var all = _input.FirstCallRuns?.FirstCalls?.Rows ?? [];
        var runtime = all.Select(row => row.Key.Runtime).FirstOrDefault();
        return all.Where(row => row.Key.Runtime == runtime && row.MedianMs is not null && operations.Contains(row.Key.Operation))
            .GroupBy(row => row.Key.Serializer)
            .Where(rows => rows.DistinctBy(row => row.Key.Operation).Count() == operations.Length)
            .ToDictionary(rows => rows.Key, rows => rows.DistinctBy(row => row.Key.Operation).Sum(row => row.MedianMs!.Value));
    }

    private bool IsTried(string feature) =>
        _cells.Values.Any(cells => cells.GetValueOrDefault(feature) is { } cell && cell.Seen != NotTried);

    private FeatureCell? Cell(GuideRow row, string feature) => _cells.GetValueOrDefault(row.Serializer)?.GetValueOrDefault(feature);

    private static long? Bytes(GuideRow row) => row.Serialize?.DataBytes;

    private static string? List(IEnumerable<string> names)
    {
        var all = names.ToList();
        var rest = all.Count > MaxOthers ? FormattableString.Invariant($" and {all.Count - MaxOthers} more") : "";
        return all.Count == 0 ? null : string.Join(", ", all.Take(MaxOthers)) + rest;
    }
}

/// <summary>A need, and the serializers that fit.</summary>
internal sealed record NeedRow(string Need, GuideRow? Row, string? Fastest, string? Others, string? Trusted);
