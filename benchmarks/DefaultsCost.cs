using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Sessions.PerfEvents;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// Measures what each default of recordings of a user's own program costs alone. The program runs unrecorded, recorded without these parts,
/// with each part alone, with all, and by dotnet-trace. Each round runs all variants, so that a drift of the machine's speed affects all.
/// Times are the program's own.
/// </summary>
internal static class DefaultsCost
{
    private const string Unrecorded = "unrecorded";
    private const string Without = "without these parts";
    private const string DotnetTrace = "dotnet-trace collect, its defaults";

    private static readonly (string Name, string[] Arguments, int Scale)[] s_programs =
    [
        ("a parser that allocates", ["parse", "3000"], 1),
        ("two threads that wait for each other, 60,000 switches", ["switches", "30000"], 60_000),
    ];

    /// <summary>The parts, each with the options that leave it out.</summary>
    private static readonly (string Name, string[] Off)[] s_parts =
    [
        ("sampled allocations", ["--alloc", "none"]),
        ("stacks of context switches", ["--no-switch-stacks"]),
        (
            $"{PerfEventPlan.ProgramStackDumpBytes} bytes of stack instead of {PerfEventPlan.DefaultStackDumpBytes}",
            ["--stack-dump", $"{PerfEventPlan.DefaultStackDumpBytes}"]
        ),
        ("HTTP requests", ["--no-requests"]),
    ];

    private static string Program => SuiteRecordings.File("TestProgramDirectory", "TestProgram");

    public static Command Create()
    {
        var rounds = CommonOptions.Repetitions();
        var dotnetTrace = new Option<string?>("--dotnet-trace") { Description = "This dotnet-trace records the programs, too." };
        var command = new Command(
            "defaults-cost",
            "What each default of recordings of your own program costs: sampled allocations, stacks of switches and others."
        )
        {
            rounds,
            dotnetTrace,
        };
        command.SetAction(
            (parsed, cancellation) => RunAsync(parsed.GetValue(rounds), parsed.GetValue(dotnetTrace), Console.Out, cancellation)
        );
        return command;
    }

    private static async Task RunAsync(int rounds, string? dotnetTrace, TextWriter output, CancellationToken cancellation)
    {
        var all = s_parts.SelectMany(part => part.Off).ToArray();
        (string Name, string[]? Options)[] variants =
        [
            (Unrecorded, null),
            (Without, all),
            .. s_parts.Select(part =>
                ($"only {part.Name}", (string[]?)[.. s_parts.Where(other => other != part).SelectMany(other => other.Off)])
            ),
            ("all defaults", []),
            .. dotnetTrace is null ? [] : ((string, string[]?)[])[(DotnetTrace, [])],
        ];
        await output
            .WriteLineAsync(
                "| program | recorded | ms, median | ratio to unrecorded of a round: median (quartiles) | ratio to without | MB |"
            )
            .ConfigureAwait(false);
        await output.WriteLineAsync("|---|---|---:|---:|---:|---:|").ConfigureAwait(false);
        foreach (var (name, arguments, scale) in s_programs)
        {
            var readings = variants.ToDictionary(variant => variant.Name, _ => new List<(double Ms, double Bytes)>());
            for (var round = 0; round < rounds; round++)
            {
                for (var turn = 0; turn < variants.Length; turn++)
                {
                    var (variant, options) = variants[(round + turn) % variants.Length];
                    var recorder = variant == DotnetTrace ? dotnetTrace : null;
                    readings[variant].Add(await RunAsync(arguments, scale, options, recorder, cancellation).ConfigureAwait(false));
                }
            }

            foreach (var (variant, taken) in readings)
                await output.WriteLineAsync(Row(name, variant, taken, readings)).ConfigureAwait(false);
        }
    }

    private static string Row(
        string program,
        string variant,
        List<(double Ms, double Bytes)> taken,
        Dictionary<string, List<(double Ms, double Bytes)>> all
    ) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"| {program} | {variant} | {Statistics.Median([.. taken.Select(reading => reading.Ms)]):F0} | {Ratio(taken, all[Unrecorded])} | {Ratio(taken, all[Without])} | {Statistics.Median([.. taken.Select(reading => reading.Bytes)]) / 1e6:F1} |"
        );

    /// <summary>Ratio of the times of the same round.</summary>
    private static string Ratio(List<(double Ms, double Bytes)> taken, List<(double Ms, double Bytes)> to)
    {
        var ratios = taken.Zip(to, (one, other) => one.Ms / other.Ms).Order().ToList();
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{Statistics.Median(ratios):F3} ({ratios[ratios.Count / 4]:F3} to {ratios[ratios.Count * 3 / 4]:F3})"
        );
    }

    /// <summary>Runs the program, recorded by dotnet-trace or with these options or, without any, not at all.</summary>
    /// <returns>The time that it prints, and the bytes of its trace.</returns>
    private static async Task<(double Ms, double Bytes)> RunAsync(
        string[] arguments,
        int scale,
        string[]? options,
        string? dotnetTrace,
        CancellationToken cancellation
    )
    {
        var folder = Directory.CreateTempSubdirectory("esp-defaults-").FullName;
        try
        {
            var recording = Path.Combine(folder, "recording");
            string[] command =
                options is null ? [Program, .. arguments]
                : dotnetTrace is not null
                    ? [dotnetTrace, "collect", "--show-child-io", "-o", $"{recording}.nettrace", "--", Program, .. arguments]
                :
                [
                    SuiteRecordings.File("RecorderDirectory", "esp-record"),
                    "record",
                    "--no-config",
                    "-o",
                    recording,
                    "--no-analyze",
                    "--quiet",
                    .. options,
                    "--",
                    Program,
                    .. arguments,
                ];
            using var process = Process.Start(
                new ProcessStartInfo(command[0], command[1..]) { RedirectStandardOutput = true, RedirectStandardError = true }
            )!;
            var errors = process.StandardError.ReadToEndAsync(cancellation);
            var lines = (await process.StandardOutput.ReadToEndAsync(cancellation).ConfigureAwait(false)).Split(
                '\n',
                StringSplitOptions.RemoveEmptyEntries
            );
            await process.WaitForExitAsync(cancellation).ConfigureAwait(false);
            if (process.ExitCode != 0 || Array.FindLast(lines, line => line.All(char.IsAsciiDigit)) is not { } nanoseconds)
                throw new InvalidOperationException(
                    $"{string.Join(' ', command)} ended with exit code {process.ExitCode}: {await errors.ConfigureAwait(false)}"
                );
            var bytes = new DirectoryInfo(folder).EnumerateFiles("*", SearchOption.AllDirectories).Sum(file => file.Length);
            return (double.Parse(nanoseconds, CultureInfo.InvariantCulture) * scale / 1e6, bytes);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
