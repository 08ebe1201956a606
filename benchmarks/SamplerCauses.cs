using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using System.Text.Json.Nodes;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// Causes by ptrace and by perf events for the same runs: one recorder samples the suite by ptrace while another one samples the whole
/// machine by perf events, which the first recording's marks then delimit. Two recordings one after the other would differ by the state of
/// their processes, too.
/// </summary>
internal static class SamplerCauses
{
    private const double MaxDifference = 3;
    private const string Own = "Own",
        Kernel = "Kernel";
    private static readonly string[] s_groups = [Own, .. CauseCatalog.Groups.Where(group => group != Kernel)];

    public static Command Create()
    {
        var runs = new Option<int>("--runs") { Description = "Runs of a row, each of 100,000 objects.", DefaultValueFactory = _ => 40 };
        var serializers = new Option<string>("--serializer")
        {
            Description = "Only these serializers of the suite, separated by commas.",
            DefaultValueFactory = _ => "",
        };
        var command = new Command(
            "sampler-causes",
            "Shares of causes by ptrace and by perf events at the same time, for each row of the suite; needs root."
        )
        {
            runs,
            serializers,
        };
        command.SetAction(
            (parsed, cancellation) => RunAsync(parsed.GetValue(runs), parsed.GetValue(serializers)!, Console.Out, cancellation)
        );
        return command;
    }

    private static async Task<int> RunAsync(int runs, string serializers, TextWriter output, CancellationToken cancellation)
    {
        var root = Directory.CreateTempSubdirectory("esp-causes-").FullName;
        try
        {
            var (byPtrace, byPerf) = (Path.Combine(root, "ptrace"), Path.Combine(root, "perf"));
            await RecordAsync(byPtrace, byPerf, runs, serializers, cancellation).ConfigureAwait(false);
            var ptrace = RowsOf(byPtrace);
            UseSamplesOf(byPerf, byPtrace);
            return await PrintAsync(ptrace, RowsOf(byPtrace), output).ConfigureAwait(false);
        }
        finally
        {
            Directory.Delete(root, recursive: true);
        }
    }

    private static async Task RecordAsync(string byPtrace, string byPerf, int runs, string serializers, CancellationToken cancellation)
    {
        var end = byPerf + ".end";
        string[] machine =
        [
            "record",
            "--sessions",
            "perf",
            "--system-wide",
            "--no-switch-stacks",
            "--no-analyze",
            "--quiet",
            "--out",
            byPerf,
            "--",
            "sh",
            "-c",
            $"until [ -e {end} ]; do sleep 0.2; done",
        ];
        using var perf = Process.Start(
            new ProcessStartInfo(SuiteRecordings.File("RecorderDirectory", "esp-record"), machine) { RedirectStandardError = true }
        )!;
        var errors = perf.StandardError.ReadToEndAsync(cancellation);
        while (!File.Exists(Path.Combine(byPerf, Recording.FileName)) && !perf.HasExited)
            await Task.Delay(100, cancellation).ConfigureAwait(false);
        if (perf.HasExited)
            throw new InvalidOperationException(await errors.ConfigureAwait(false));
        try
        {
            string[] choice = serializers.Length > 0 ? ["-serializer", serializers] : [];
            if (
                await SuiteRecordings
                    .MakeAsync(
                        byPtrace,
                        ["--sampler", "ptrace", "--no-analyze", "--quiet", "-isolate", "off", "-n", "100000", "-runs", $"{runs}", .. choice]
                    )
                    .ConfigureAwait(false)
                is not 0
                    and var exitCode
            )
                throw new InvalidOperationException($"esp-record ended with exit code {exitCode}");
        }
        finally
        {
            await File.WriteAllTextAsync(end, "", CancellationToken.None).ConfigureAwait(false);
            await perf.WaitForExitAsync(CancellationToken.None).ConfigureAwait(false);
        }
    }

    /// <summary>Replaces the kernel session of a recording by that of another one of the same time.</summary>
    private static void UseSamplesOf(string other, string recording)
    {
        const string File = "perf.data";
        System.IO.File.Move(Path.Combine(other, File), Path.Combine(recording, File), overwrite: true);
        var path = Path.Combine(recording, Recording.FileName);
        var description = JsonNode.Parse(System.IO.File.ReadAllText(path))!;
        description["kernel"] = JsonNode.Parse(System.IO.File.ReadAllText(Path.Combine(other, Recording.FileName)))!["kernel"]!.DeepClone();
        System.IO.File.WriteAllText(path, description.ToJsonString());
    }

    private static Dictionary<SummaryKey, CauseTimes> RowsOf(string recording) =>
        SummaryRow
            .Group(SuiteRecordings.Read(recording).Result.Runs)
            .Where(row => row.Key is { Kind: RunKind.Measured, ObjectCount: 100_000 } && row.Causes is not null)
            .ToDictionary(row => row.Key, row => row.Causes!);

    /// <summary>Prints the rows.</summary>
    /// <returns>0 when all shares agree within three points and three standard errors of their samples, else 1.</returns>
    private static async Task<int> PrintAsync(
        Dictionary<SummaryKey, CauseTimes> byPtrace,
        Dictionary<SummaryKey, CauseTimes> byPerf,
        TextWriter output
    )
    {
        await output
            .WriteLineAsync(
                "| row | samples by ptrace, perf | serializer's ms by ptrace, perf | largest difference | of it by chance (3 standard errors) |"
            )
            .ConfigureAwait(false);
        await output.WriteLineAsync("|---|---:|---:|---|---:|").ConfigureAwait(false);
        int within = 0,
            beyond = 0;
        foreach (var (key, ptrace) in byPtrace.OrderBy(pair => pair.Key.ToString(), StringComparer.Ordinal))
        {
            if (!byPerf.TryGetValue(key, out var perf) || ptrace.Serializer == 0 || perf.Serializer == 0)
                continue;
            var (cause, left, right) = s_groups
                .Select(group => (group, Left: Share(ptrace, group), Right: Share(perf, group)))
                .MaxBy(item => Math.Abs(item.Left - item.Right));
            var error = 3 * Math.Sqrt((left * (100 - left) / ptrace.Samples) + (right * (100 - right) / perf.Samples));
            within += Math.Abs(left - right) <= MaxDifference ? 1 : 0;
            beyond += Math.Abs(left - right) > MaxDifference + error ? 1 : 0;
            await output
                .WriteLineAsync(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"| {key} | {ptrace.Samples}, {perf.Samples} | {ptrace.ToMilliseconds(ptrace.Serializer):F0}, {perf.ToMilliseconds(perf.Serializer):F0} | {cause} {left:F1}, {right:F1} % | {error:F1} |"
                    )
                )
                .ConfigureAwait(false);
        }

        await output
            .WriteLineAsync(
                $"{within} of {byPtrace.Count} rows within {MaxDifference} points in every cause; {beyond} differ by more than {MaxDifference} points and chance"
            )
            .ConfigureAwait(false);
        return beyond == 0 ? 0 : 1;
    }

    /// <summary>
    /// Share of a cause in the serializer's time in percent. Without kernel frames, ptrace gives kernel time to its caller, mostly own
    /// code, so these two are one.
    /// </summary>
    private static double Share(CauseTimes times, string group) =>
        100.0 * (group == Own ? times.Own + times.Group(Kernel) : times.Group(group)) / times.Serializer;
}
