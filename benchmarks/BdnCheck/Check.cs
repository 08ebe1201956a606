using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Traces.Runs;

namespace EtwSerializerProfiler.BdnCheck;

/// <summary>
/// Compares the suite's times with BenchmarkDotNet's. Both alternate, one process each per round, so that a drift of the machine's speed
/// affects both. A ratio is that of the two medians of one round.
/// </summary>
internal static class Check
{
    /// <summary>Accepted difference of the median of all ratios from 1.</summary>
    private const double Tolerance = 0.10;

    /// <summary>Runs the rounds and prints a row per call.</summary>
    /// <returns>0 when the median of the ratios is within the tolerance, else 1.</returns>
    public static async Task<int> RunAsync(int rounds, Calls calls, TextWriter output, CancellationToken cancellation)
    {
        var folder = Directory.CreateTempSubdirectory("esp-bdn-check-").FullName;
        try
        {
            var suite = new Dictionary<Call, List<double>>();
            var bdn = new Dictionary<Call, List<double>>();
            for (var round = 0; round < rounds; round++)
            {
                foreach (var isSuite in round % 2 == 0 ? (bool[])[true, false] : [false, true])
                {
                    var file = Path.Combine(folder, $"{(isSuite ? "suite" : "bdn")}{round}");
                    await RunAsync(
                            isSuite
                                ? [Beside("esp-workload"), .. calls.SuiteArguments, "-csv", file, "-quiet"]
                                :
                                [
                                    Environment.ProcessPath!,
                                    "measure",
                                    file,
                                    "--serializers",
                                    calls.Serializers,
                                    "--objects",
                                    calls.Objects,
                                ],
                            cancellation
                        )
                        .ConfigureAwait(false);
                    foreach (var (call, milliseconds) in isSuite ? ReadSuite(file) : ReadBdn(file))
                        Add(isSuite ? suite : bdn, call, milliseconds);
                    await output
                        .WriteLineAsync(Invariant($"round {round + 1} of {rounds}: {(isSuite ? "suite" : "BenchmarkDotNet")} done"))
                        .ConfigureAwait(false);
                }
            }

            return await PrintAsync(suite, bdn, rounds, output).ConfigureAwait(false);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static async Task<int> PrintAsync(
        Dictionary<Call, List<double>> suite,
        Dictionary<Call, List<double>> bdn,
        int rounds,
        TextWriter output
    )
    {
        await output.WriteLineAsync().ConfigureAwait(false);
        await output.WriteLineAsync("| call | n | suite ms | BenchmarkDotNet ms | ratio | of rounds |").ConfigureAwait(false);
        await output.WriteLineAsync("|---|---:|---:|---:|---:|---|").ConfigureAwait(false);
        var all = new List<double>();
        foreach (
            var (call, times) in suite
                .OrderBy(pair => pair.Key.Serializer, StringComparer.Ordinal)
                .ThenBy(pair => pair.Key.Operation, StringComparer.Ordinal)
                .ThenBy(pair => pair.Key.Objects)
        )
        {
            var ratios = times.Zip(bdn[call], (own, other) => own / other).ToList();
            var ratio = Statistics.Median(ratios)!.Value;
            all.Add(ratio);
            await output
                .WriteLineAsync(
                    Invariant(
                        $"| {call.Serializer} {call.Operation} | {call.Objects} | {Statistics.Median(times):F3} | {Statistics.Median(bdn[call]):F3} | {ratio:F3} | {ratios.Min():F3} to {ratios.Max():F3} |"
                    )
                )
                .ConfigureAwait(false);
        }

        var median = Statistics.Median(all)!.Value;
        var isWithin = Math.Abs(median - 1) <= Tolerance;
        await output.WriteLineAsync().ConfigureAwait(false);
        await output
            .WriteLineAsync(
                Invariant(
                    $"suite / BenchmarkDotNet: median {median:F3}, rows from {all.Min():F3} to {all.Max():F3}, {all.Count(ratio => Math.Abs(ratio - 1) <= Tolerance)} of {all.Count} within {Tolerance:P0}, over {rounds} rounds: {(isWithin ? "within" : "NOT within")} {Tolerance:P0}"
                )
            )
            .ConfigureAwait(false);
        return isWithin ? 0 : 1;
    }

    private static string Beside(string program) =>
        Path.Combine(AppContext.BaseDirectory, program + (OperatingSystem.IsWindows() ? ".exe" : ""));

    private static async Task RunAsync(IReadOnlyList<string> command, CancellationToken cancellation)
    {
        await using var child = ChildProcess.Start(
            command,
            Environment.CurrentDirectory,
            new Dictionary<string, string?>(),
            TextWriter.Null
        );
        await child.WaitForExitAsync(cancellation).ConfigureAwait(false);
        if (child.ExitCode != 0)
            throw new InvalidOperationException($"{command[0]} ended with exit code {child.ExitCode}");
    }

    private static IEnumerable<(Call Call, double Milliseconds)> ReadSuite(string csv) =>
        from row in RunCsvReader.Read(csv).Rows
        where row.Identity.Kind == RunKind.Measured
        group (row.SelfMeasurement.StopTicks - row.SelfMeasurement.StartTicks) * 1e3 / row.SelfMeasurement.TicksPerSecond by new Call(
            row.Identity.Serializer,
            row.Identity.Operation,
            row.Identity.ObjectCount
        ) into times
        select (times.Key, Statistics.Median([.. times])!.Value);

    private static IEnumerable<(Call Call, double Milliseconds)> ReadBdn(string file) =>
        from line in File.ReadLines(file)
        let parts = line.Split('\t')
        select (
            new Call(parts[0], parts[1], int.Parse(parts[2], CultureInfo.InvariantCulture)),
            double.Parse(parts[3], CultureInfo.InvariantCulture)
        );

    private static void Add(Dictionary<Call, List<double>> to, Call call, double milliseconds)
    {
        if (!to.TryGetValue(call, out var times))
            to[call] = times = [];
        times.Add(milliseconds);
    }

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    /// <summary>A row.</summary>
    private readonly record struct Call(string Serializer, string Operation, int Objects);
}
