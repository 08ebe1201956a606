using System.CommandLine;
using System.Globalization;
using EtwSerializerProfiler.Analysis.Comparison;
using EtwSerializerProfiler.Analysis.Cpu;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// Measures how often the verdicts of a comparison are correct on this machine. It records one program and, alternately, the same program
/// with a slowdown of a known size (tests/SamplePlugin, Busy), so that a drift of the machine affects both. It compares each recording,
/// slowed or not, with the one before it that was not slowed.
/// </summary>
internal static class VerdictCheck
{
    public static Command Create()
    {
        var folder = CommonOptions.RecordingsFolder();
        var pairs = new Option<int>("--pairs")
        {
            Description = "Comparisons of equal sides, and of a slowed one with an equal one.",
            DefaultValueFactory = _ => 20,
        };
        var percent = new Option<double>("--percent") { Description = "The slowdown.", DefaultValueFactory = _ => 5 };
        var suite = CommonOptions.Suite(
            "-test",
            "serialize",
            "-n",
            "100000",
            "-runs",
            "1",
            "-launches",
            "15",
            "-steady",
            "--sample-rate",
            "4000"
        );
        var command = new Command(
            "verdicts",
            "How often equal recordings are called different, and a slowdown of a known size is found and named."
        )
        {
            folder,
            pairs,
            percent,
            suite,
        };
        command.SetAction(
            (parsed, _) =>
                RunAsync(parsed.GetValue(folder)!, parsed.GetValue(pairs), parsed.GetValue(percent), parsed.GetValue(suite)!, Console.Out)
        );
        return command;
    }

    /// <summary>Records and compares; recordings stay in the folder, and existing ones are reused.</summary>
    /// <param name="folder">Folder of the recordings.</param>
    /// <param name="pairs">Comparisons of each kind.</param>
    /// <param name="percent">The slowdown in percent.</param>
    /// <param name="suite">Arguments of the suite besides serializer and plugin.</param>
    /// <param name="output">Where to print.</param>
    private static async Task RunAsync(string folder, int pairs, double percent, IReadOnlyList<string> suite, TextWriter output)
    {
        Directory.CreateDirectory(folder);
        var equal = new Tally();
        var slowed = new Tally();
        var before = await RecordAsync(folder, "equal-00", "", suite).ConfigureAwait(false);
        for (var pair = 1; pair <= pairs; pair++)
        {
            var slow = await RecordAsync(folder, Invariant($"slowed-{pair:00}"), Invariant($"{percent}"), suite).ConfigureAwait(false);
            var after = await RecordAsync(folder, Invariant($"equal-{pair:00}"), "", suite).ConfigureAwait(false);
            await output.WriteLineAsync("slowed " + slowed.Add(Compare(before, slow))).ConfigureAwait(false);
            await output.WriteLineAsync("equal  " + equal.Add(Compare(before, after))).ConfigureAwait(false);
            before = after;
        }

        await output
            .WriteLineAsync(
                Invariant(
                    $"equal sides: {equal.Different} of {equal.Rows} rows called different, {equal.TooFew} too few runs; ratios {equal.Ratios}"
                )
            )
            .ConfigureAwait(false);
        await output
            .WriteLineAsync(
                Invariant(
                    $"slowed by {percent} %: {slowed.Slower} of {slowed.Rows} rows found, {slowed.TooFew} too few runs; where the noise was up to 3.5 %: {slowed.QuietSlower} of {slowed.QuietRows}; the method named in {slowed.Named}; ratios {slowed.Ratios}"
                )
            )
            .ConfigureAwait(false);
    }

    private static async Task<ComparedSide> RecordAsync(string folder, string name, string percent, IReadOnlyList<string> suite)
    {
        var path = Path.Combine(folder, name);
        string[] arguments =
        [
            "-plugin",
            SuiteRecordings.File("PluginDirectory", "EtwSerializerProfiler.SamplePlugin.dll"),
            "-serializer",
            "#Busy",
            .. suite,
        ];
        if (
            await SuiteRecordings.MakeAsync(path, arguments, ("ESP_SAMPLE_BUSY_PERCENT", percent)).ConfigureAwait(false)
            is var exitCode
                and not 0
        )
            throw new InvalidOperationException($"the recorder ended with exit code {exitCode}");
        return new ComparedSide(name, [SuiteRecordings.Read(path)]);
    }

    private static ComparisonResult Compare(ComparedSide baseline, ComparedSide other) =>
        ComparisonAnalysis.Compare(baseline, other, new ComparisonQuery(new RunFilter(), new ComparisonOptions()));

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    /// <summary>Verdicts of one kind of comparison.</summary>
    private sealed class Tally
    {
        private readonly List<double> _ratios = [];

        public int Rows { get; private set; }

        public int Slower { get; private set; }

        public int Different { get; private set; }

        public int TooFew { get; private set; }

        /// <summary>Rows whose runs vary by at most 3.5 %.</summary>
        public int QuietRows { get; private set; }

        public int QuietSlower { get; private set; }

        /// <summary>Rows found slower whose explanation names the method of the slowdown.</summary>
        public int Named { get; private set; }

        public string Ratios => Invariant($"{_ratios.Min():0.000} to {_ratios.Max():0.000}");

        /// <summary>Adds a comparison; returns it as a line.</summary>
        public string Add(ComparisonResult compared)
        {
            var lines = new List<string>();
            foreach (var pair in compared.Pairs)
            {
                var (wall, isSlower) = (pair.Wall, pair.Wall.Verdict == Verdict.Worse);
                var isQuiet = wall.Ranks?.Spread.Total <= 0.035;
                Rows++;
                Slower += isSlower ? 1 : 0;
                Different += wall.Verdict is Verdict.Worse or Verdict.Better ? 1 : 0;
                TooFew += wall.Verdict == Verdict.TooFewRuns ? 1 : 0;
                QuietRows += isQuiet ? 1 : 0;
                QuietSlower += isQuiet && isSlower ? 1 : 0;
                var isNamed =
                    pair.Explanation?.Shown.Any(part =>
                        part.Name.EndsWith("BusyWork", StringComparison.Ordinal)
                        || part.Methods.Any(method =>
                            method.IsSignificant && method.Method.Name.EndsWith("BusyWork", StringComparison.Ordinal)
                        )
                    ) == true;
                Named += isSlower && isNamed ? 1 : 0;
                if (wall.Ratio is { } ratio)
                    _ratios.Add(ratio);
                lines.Add(
                    Invariant(
                        $"{pair.Key} runs {wall.BaselineRuns}/{wall.OtherRuns} ratio {wall.Ratio:0.000} ({wall.Low:0.000} to {wall.High:0.000}) noise {wall.Ranks?.Spread.Total * 100:0.0} % {wall.Verdict}{(wall.NeededRuns is { } needed ? Invariant($", needs {needed}") : "")}{(isNamed ? ", BusyWork named" : "")}"
                    )
                );
            }

            return string.Join("; ", lines);
        }
    }
}
