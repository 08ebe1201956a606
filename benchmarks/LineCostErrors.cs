using System.CommandLine;
using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.TestSupport;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>Compares the CPU time by line with the costs that the source of a test program states.</summary>
internal static class LineCostErrors
{
    /// <summary>Lines with at least this share of the program's time have their error reported, in %.</summary>
    private const double LargeLine = 10;

    public static Command Create()
    {
        var details = new Option<bool>("--lines") { Description = "Also a row for each line." };
        var recordings = new Argument<string[]>("recording")
        {
            Description = "Folders of recordings of TestProgram or TestProgramNotInlined, mode 'lines'.",
            Arity = ArgumentArity.OneOrMore,
        };
        var command = new Command(
            "line-costs",
            "CPU time by line of a program whose source says what its lines cost, a row for each recording."
        )
        {
            recordings,
            details,
        };
        command.SetAction((parsed, _) => RunAsync(parsed.GetValue(recordings)!, parsed.GetValue(details), Console.Out));
        return command;
    }

    private static async Task RunAsync(IReadOnlyList<string> recordings, bool details, TextWriter output)
    {
        var read = recordings
            .Select(recording => (Name: Path.GetFileName(Path.TrimEndingDirectorySeparator(recording)), Recorded: Read(recording)))
            .ToList();
        await output
            .WriteLineAsync(
                "| recording | runtime | tiers | samples | with a line, % | max. error, points | in standard errors | of lines over 10 % | missing, % |"
            )
            .ConfigureAwait(false);
        await output.WriteLineAsync("|---|---|---|---:|---:|---:|---:|---:|---:|").ConfigureAwait(false);
        foreach (var (name, (runtime, check, rows)) in read)
            await output.WriteLineAsync(Row(name, runtime, check, rows)).ConfigureAwait(false);
        if (!details)
            return;
        await output
            .WriteLineAsync(Invariant($"\n| line | by the source, % | {string.Join(" | ", read.Select(recording => recording.Name))} |"))
            .ConfigureAwait(false);
        await output.WriteLineAsync($"|---:|---:|{string.Concat(read.Select(_ => "---:|"))}").ConfigureAwait(false);
        foreach (var line in read[0].Recorded.Check.Lines)
            await output
                .WriteLineAsync(
                    Invariant(
                        $"| {line.Line} | {100 * line.Expected:F1} | {string.Join(" | ", read.Select(recording => Invariant($"{100 * recording.Recorded.Check.Lines.First(other => other.Line == line.Line).Measured:F1}")))} |"
                    )
                )
                .ConfigureAwait(false);
    }

    private static (string Runtime, LineCostCheck Check, IReadOnlyList<CpuRow> Own) Read(string recording)
    {
        var input = TraceInputReader.Open([recording]);
        var query = new CpuQuery(CpuGrouping.Line, true, new RunFilter(), null)
        {
            Tree = new CallTreeQuery(0, CallTreeQuery.Deepest, null),
        };
        var result = CpuAnalysis.Run(input.Processes, RunAnalysis.Run(input.Processes, []).Runs, query, SymbolFiles.Of(input));
        var check = new LineCostCheck(
            result.Tree!.Select(row => (row.Depth, row.Name, row.Line?.File ?? "", row.Line?.Line ?? 0, row.Samples))
        );
        return (
            string.Join(", ", input.Processes.Select(process => process.RuntimeVersion).Distinct()),
            check,
            [.. result.Rows.Where(row => row.Name.StartsWith("KnownLineCosts", StringComparison.Ordinal))]
        );
    }

    private static string Row(string name, string runtime, LineCostCheck check, IReadOnlyList<CpuRow> own)
    {
        var tiers = string.Join(
            '+',
            own.Where(row => row.Samples > 0.05 * check.Samples)
                .SelectMany(row => row.Tiers.Split('+'))
                .Distinct()
                .Order(StringComparer.Ordinal)
        );
        var lines = check
            .Lines.Where(line => !line.OrNone || line.Measured > line.Expected)
            .Select(line =>
                (
                    line.Expected,
                    Error: 100 * (line.Measured - line.Expected),
                    StandardError: 100 * Math.Sqrt(line.Expected * (1 - line.Expected) / check.Samples)
                )
            )
            .ToList();
        var (max, inErrors) = (lines.Max(line => Math.Abs(line.Error)), lines.Max(line => Math.Abs(line.Error) / line.StandardError));
        var large = lines.Where(line => 100 * line.Expected >= LargeLine).Max(line => Math.Abs(line.Error));
        var missing = 100 * check.Lines.Sum(line => Math.Max(line.Expected - line.Measured, 0)) / check.Lines.Sum(line => line.Expected);
        var withLine = 100.0 * own.Where(row => row.Line is not null).Sum(row => row.Samples) / own.Sum(row => row.Samples);
        return Invariant(
            $"| {name} | {runtime} | {tiers} | {check.Samples} | {withLine:F1} | {max:F1} | {inErrors:F1} | {large:F1} | {missing:F1} |"
        );
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
