using System.Collections.Concurrent;
using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.PerfEvents;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// What each part of a recording costs a running program. The program does the same work all the time; a part is switched on for a moment
/// and off again, so that both speeds are those of one process within a second. Times are the program's own. What a recording costs at the
/// start and the end of a program is not in it.
/// </summary>
internal static class PartsCost
{
    /// <summary>Time between switching a part and the next window: a starting session also costs time.</summary>
    private static readonly TimeSpan s_settling = TimeSpan.FromMilliseconds(100);

    private static readonly string[] s_works = ["compute", "parse", "turns", "exceptions", "methods"];

    public static Command Create()
    {
        var rounds = new Option<int>("--rounds") { Description = "How often each part is switched on.", DefaultValueFactory = _ => 20 };
        var window = new Option<int>("--ms") { Description = "How long it is on, and off.", DefaultValueFactory = _ => 500 };
        var works = new Option<string[]>("--work")
        {
            Description = "What the program does.",
            AllowMultipleArgumentsPerToken = true,
            DefaultValueFactory = _ => s_works,
        };
        works.AcceptOnlyFromAmong(s_works);
        var names = new Option<string[]>("--part")
        {
            Description = "Only parts whose names contain one of these texts.",
            AllowMultipleArgumentsPerToken = true,
            DefaultValueFactory = _ => [""],
        };
        var command = new Command(
            "parts-cost",
            "What each part of a recording costs a running program: sampling interrupt, call chain, stack copy, switches, each keyword."
        )
        {
            rounds,
            window,
            works,
            names,
        };
        command.SetAction(
            (parsed, cancellation) =>
                RunAsync(
                    parsed.GetValue(rounds),
                    TimeSpan.FromMilliseconds(parsed.GetValue(window)),
                    parsed.GetValue(works)!,
                    RecordedPart.All().Where(part => parsed.GetValue(names)!.Any(part.Name.Contains)).ToList(),
                    Console.Out,
                    cancellation
                )
        );
        return command;
    }

    private static async Task RunAsync(
        int rounds,
        TimeSpan window,
        string[] works,
        List<RecordedPart> parts,
        TextWriter output,
        CancellationToken cancellation
    )
    {
        await output
            .WriteLineAsync(
                "| work | recorded | time, recorded / not recorded: median (quartiles) | recorder's CPU time, % of a processor | KB a second |"
            )
            .ConfigureAwait(false);
        await output.WriteLineAsync("|---|---|---:|---:|---:|").ConfigureAwait(false);
        foreach (var work in works)
        {
            var readings = parts.ToDictionary(part => part.Name, _ => new List<Reading>());
            using var program = new SteppingProgram(work);
            var before = await WindowAsync(program, window, cancellation).ConfigureAwait(false);
            for (var round = 0; round < rounds; round++)
            {
                for (var turn = 0; turn < parts.Count; turn++)
                {
                    var part = parts[(round + turn) % parts.Count];
                    var (on, bytes) = await RecordAsync(program, part, window, cancellation).ConfigureAwait(false);
                    var after = await WindowAsync(program, window, cancellation).ConfigureAwait(false);
                    readings[part.Name]
                        .Add(
                            new Reading(
                                on.StepNanoseconds * 2 / (before.StepNanoseconds + after.StepNanoseconds),
                                on.OwnProcessors - (before.OwnProcessors + after.OwnProcessors) / 2,
                                bytes / window.TotalSeconds
                            )
                        );
                    before = after;
                }
            }

            foreach (var part in parts)
                await output.WriteLineAsync(Row(work, part.Name, readings[part.Name])).ConfigureAwait(false);
        }
    }

    /// <summary>Switches a part on for a window.</summary>
    private static async Task<(Window Window, long Bytes)> RecordAsync(
        SteppingProgram program,
        RecordedPart part,
        TimeSpan window,
        CancellationToken cancellation
    )
    {
        var folder = Directory.CreateTempSubdirectory("esp-parts-").FullName;
        try
        {
            Window reading;
            long bytes;
            using (
                var kernel = part.Kernel is null
                    ? null
                    : PerfEventSession.Start(part.Kernel, program.Id, Path.Combine(folder, "perf.data"), "benchmark", [])
            )
            {
                var sessions = new List<EventPipeRecorder>();
                foreach (var plan in part.Sessions)
                    sessions.Add(
                        await EventPipeRecorder
                            .StartAsync(program.Id, plan, File.Create(Path.Combine(folder, plan.Name)), null, cancellation)
                            .ConfigureAwait(false)
                    );
                await Task.Delay(s_settling, cancellation).ConfigureAwait(false);
                var began = Bytes();
                reading = await WindowAsync(program, window, cancellation).ConfigureAwait(false);
                bytes = Bytes() - began;
                foreach (var session in sessions)
                {
                    await session.StopAsync(cancellation).ConfigureAwait(false);
                    await session.DisposeAsync().ConfigureAwait(false);
                }

                long Bytes() => (kernel?.Statistics.Bytes ?? 0) + sessions.Sum(session => session.Bytes);
            }

            await Task.Delay(s_settling, cancellation).ConfigureAwait(false);
            return (reading, bytes);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static async Task<Window> WindowAsync(SteppingProgram program, TimeSpan length, CancellationToken cancellation)
    {
        var (start, own) = (Stopwatch.GetTimestamp(), Environment.CpuUsage.TotalTime);
        await Task.Delay(length, cancellation).ConfigureAwait(false);
        var stop = Stopwatch.GetTimestamp();
        return new Window(
            program.StepNanoseconds(start, stop),
            (Environment.CpuUsage.TotalTime - own) / Stopwatch.GetElapsedTime(start, stop)
        );
    }

    private static string Row(string work, string part, List<Reading> readings)
    {
        var ratios = readings.Select(reading => reading.Ratio).Order().ToList();
        return string.Create(
            CultureInfo.InvariantCulture,
            $"| {work} | {part} | {Statistics.Median(ratios):F3} ({ratios[ratios.Count / 4]:F3} to {ratios[ratios.Count * 3 / 4]:F3}) | {Statistics.Median([.. readings.Select(reading => reading.OwnProcessors * 100)]):F1} | {Statistics.Median([.. readings.Select(reading => reading.BytesASecond)]) / 1e3:N0} |"
        );
    }

    /// <param name="StepNanoseconds">Mean time of a step.</param>
    /// <param name="OwnProcessors">CPU time of this process divided by the time.</param>
    private readonly record struct Window(double StepNanoseconds, double OwnProcessors);

    /// <param name="Ratio">Time of a step, recorded / not recorded before and after.</param>
    /// <param name="OwnProcessors">Processors that the recorder used.</param>
    /// <param name="BytesASecond">Bytes recorded a second.</param>
    private readonly record struct Reading(double Ratio, double OwnProcessors, double BytesASecond);

    /// <summary>The program, and the steps that it has printed.</summary>
    private sealed class SteppingProgram : IDisposable
    {
        private readonly Process _process;
        private readonly ConcurrentQueue<(long Start, long Nanoseconds)> _steps = new();

        public SteppingProgram(string work)
        {
            _process = Process.Start(
                new ProcessStartInfo(SuiteRecordings.File("TestProgramDirectory", "TestProgram"), ["steps", work])
                {
                    RedirectStandardInput = true,
                    RedirectStandardOutput = true,

                    // The runtime reports inlined methods only with this variable.
                    Environment = { ["DOTNET_RichDebugInfo"] = "1" },
                }
            )!;
            Read(_process.StandardOutput.ReadLine());
            new Thread(() =>
            {
                while (_process.StandardOutput.ReadLine() is { } line)
                    Read(line);
            })
            {
                IsBackground = true,
            }.Start();
        }

        public int Id => _process.Id;

        /// <summary>Mean time of the steps that lie in this time; forgets earlier steps.</summary>
        public double StepNanoseconds(long start, long stop)
        {
            var (sum, count) = (0L, 0);
            while (_steps.TryDequeue(out var step))
            {
                if (step.Start < start || step.Start + step.Nanoseconds > stop)
                    continue;
                sum += step.Nanoseconds;
                count++;
            }

            return count > 0
                ? (double)sum / count
                : throw new InvalidOperationException($"process {Id} finished no step in {Stopwatch.GetElapsedTime(start, stop)}");
        }

        public void Dispose()
        {
            _process.Kill();
            _process.Dispose();
        }

        private void Read(string? line)
        {
            if (line?.Split(' ') is not [var start, var took])
                throw new InvalidOperationException("the program ended");
            _steps.Enqueue((long.Parse(start, CultureInfo.InvariantCulture), long.Parse(took, CultureInfo.InvariantCulture)));
        }
    }
}
