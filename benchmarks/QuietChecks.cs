using System.CommandLine;
using System.Globalization;
using EtwSerializerProfiler.Analysis;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// Checks that need a quiet machine and therefore are not tests: how late the delimiters of runs are, and which serializer's time grows
/// with the square of its objects.
/// </summary>
internal static class QuietChecks
{
    /// <summary>Median error of a run's duration, in µs. Measured: 5 to 85, by delimiter (RunDelimiter).</summary>
    private const double MaxEdgeUs = 150;

    /// <summary>Code of the finding that a machine was too busy to measure on.</summary>
    private const string Noisy = "noisy-machine";

    public static Command Create()
    {
        var folder = CommonOptions.RecordingsFolder();
        var command = new Command(
            "quiet-checks",
            "Figures that need a quiet machine: edges of runs, growth of BinaryFormatter; 1 when one is not as expected, though the machine was quiet."
        )
        {
            folder,
        };
        command.SetAction((parsed, _) => RunAsync(parsed.GetValue(folder)!, Console.Out));
        return command;
    }

    /// <summary>Records and checks.</summary>
    /// <param name="folder">Folder of the recordings; existing ones are reused.</param>
    /// <param name="output">Where to print.</param>
    /// <returns>The exit code: 1 when a value is not as expected although the machine was quiet.</returns>
    private static async Task<int> RunAsync(string folder, TextWriter output)
    {
        Directory.CreateDirectory(folder);
        var failed = 0;
        await CheckAsync(
                "edges",
                ["-serializer", "#SystemTextJson,#DataContract", "-n", "1000,100000", "-runs", "9"],
                result =>
                {
                    var error = Statistics.Median([
                        .. result.Runs.Select(run => run.DurationDifferenceUs).OfType<double>().Select(Math.Abs),
                    ]);
                    return (
                        error <= MaxEdgeUs,
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"durations of {result.Runs.Count} runs are {error:0} µs off in the median, expected up to {MaxEdgeUs:0}"
                        )
                    );
                }
            )
            .ConfigureAwait(false);
        string[] binaryFormatter = ["-serializer", "#BinaryFormatter", "-test", "deserialize", "-runs", "4"];
        await CheckAsync("growth-net10.0", [.. binaryFormatter, "-n", "100000,200000,400000"], result => Growth(result, expected: false))
            .ConfigureAwait(false);
        await CheckAsync(
                "growth-mono",
                [.. binaryFormatter, "-n", "50000,100000,200000", "--runtime", "mono"],
                result => Growth(result, expected: true)
            )
            .ConfigureAwait(false);
        return failed > 0 ? 1 : 0;

        async Task CheckAsync(string name, string[] arguments, Func<AnalysisResult, (bool IsExpected, string Text)> check)
        {
            var path = Path.Combine(folder, name);
            if (await SuiteRecordings.MakeAsync(path, arguments).ConfigureAwait(false) is var exitCode and not 0)
            {
                await output.WriteLineAsync($"{name}: not recorded, esp-record ended with {exitCode}").ConfigureAwait(false);
                return;
            }

            var result = SuiteRecordings.Read(path).Result;
            var (isExpected, text) = check(result);
            var isNoisy = result.Findings.Any(finding => finding.Code == Noisy);
            failed += isExpected || isNoisy ? 0 : 1;
            await output
                .WriteLineAsync(
                    $"{name}: {text}: {(isExpected ? "as expected" : isNoisy ? "machine too noisy to judge" : "NOT as expected")}"
                )
                .ConfigureAwait(false);
        }
    }

    private static (bool IsExpected, string Text) Growth(AnalysisResult result, bool expected)
    {
        var isFound = result.Findings.Any(finding => finding.Code == "growth");
        return (
            isFound == expected,
            $"growth faster than the graph is {(isFound ? "" : "not ")}found, expected {(expected ? "" : "not ")}to be"
        );
    }
}
