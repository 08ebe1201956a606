using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Parsing;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Options of comparisons, shared by diff and gate.</summary>
/// <param name="forGate">Whether limits replace the difference to resolve.</param>
internal sealed class ComparisonOptionSet(bool forGate = false)
{
    private readonly RunFilterOptions _runs = new();

    private readonly Option<double> _resolve = Percent(
        "--resolve",
        "The difference in time that the runs must resolve: the verdict is 'same' only if a difference this large would be found 9 times of 10.",
        0.05
    );

    private readonly Option<bool> _allRuns = new("--all-runs")
    {
        Description =
            "Also compare disturbed runs: the suite's speed probe found the machine slow before or after them, or they lacked a processor for a while.",
    };

    private readonly Option<bool> _normalize = new("--normalize")
    {
        Description =
            "Multiply the other side's times by the ratio of the machines' speeds: by the suite's speed probe, else by their clocks.",
    };

    public void AddTo(Command command)
    {
        _runs.AddTo(command);
        foreach (var option in forGate ? (Option[])[_allRuns, _normalize] : [_resolve, _allRuns, _normalize])
            command.Options.Add(option);
    }

    public ComparisonQuery Query(ParseResult parsed) =>
        new(
            _runs.Filter(parsed),
            new ComparisonOptions
            {
                Resolve = forGate ? null : parsed.GetValue(_resolve),
                KeepDisturbedRuns = parsed.GetValue(_allRuns),
                FallBackToDisturbedRuns = !forGate,
                Normalize = parsed.GetValue(_normalize),
            }
        );

    /// <summary>An option for a share: <c>5%</c> or <c>5</c>.</summary>
    public static Option<double> Percent(string name, string description, double share) =>
        new(name)
        {
            Description = description,
            HelpName = "PERCENT",
            DefaultValueFactory = _ => share,
            CustomParser = Share,
        };

    private static double Share(ArgumentResult argument)
    {
        var text = argument.Tokens.Count == 1 ? argument.Tokens[0].Value : "";
        if (
            double.TryParse(text.TrimEnd('%', ' '), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var percent)
            && percent is > 0 and <= 1000
        )
            return percent / 100;
        argument.AddError($"'{text}' is not a percentage", "write a number above 0 and up to 1000, such as 5%");
        return 0;
    }
}
