using System.Globalization;
using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Marks;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>The process of one first call: makes one run and writes its answer to standard output.</summary>
public static class FirstCallProcess
{
    /// <summary>Runs the first call and writes the answer for <see cref="ReadAnswer"/>.</summary>
    /// <returns>Exit code: 0, or 1 when the run failed; its error is then on standard error.</returns>
    public static int Run(FirstCallArguments arguments, TextWriter output, TextWriter error)
    {
        ArgumentNullException.ThrowIfNull(arguments);
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(error);

        var identity = arguments.Identity;
        using var workload = identity.Operation == RunOperation.StartRuntime ? null : Prepare(arguments);
        using var clock = new RunClock(probesSpeed: false) { LaunchedTicks = arguments.LaunchedTicks };
        Heap.CollectAll();
        var measurement = clock.Measure(identity, workload?.Operation ?? Nothing);

        if (arguments.CsvFile.Length > 0)
        {
            using var csv = new RunCsv(arguments.CsvFile);
            csv.Write(
                clock.Runs,
                arguments.PlannedRuns,
                identity,
                measurement with
                {
                    PeakWorkingSetBytes = ProcessFootprint.PeakWorkingSetBytes(),
                    ProgramBytes = ProcessFootprint.ProgramBytes,
                }
            );
        }

        if (measurement.Error.Length > 0)
        {
            error.WriteLine(FirstLine.Of(measurement.Error));
            return 1;
        }

        var time = RunTime.Of(measurement);
        output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{time.Milliseconds:R} {time.DataBytes} {time.AllocatedBytes} {time.Gen0} {time.Gen1} {time.Gen2}"
            )
        );
        return 0;
    }

    /// <summary>The operation of a process without a serializer.</summary>
    private static long Nothing() => -1;

    // A separate method, because compiling it loads code that a process without a serializer must not load.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static RunWorkload Prepare(FirstCallArguments arguments)
    {
        var identity = arguments.Identity;
        var description = arguments.Origin.Find(identity.Serializer);
        var data = arguments.DataFile.Length > 0 ? File.ReadAllBytes(arguments.DataFile) : null;
        var workload = new RunWorkload(
            description,
            identity.Operation,
            Math.Max(identity.ObjectCount, 1),
            identity.PayloadBytes,
            arguments.StreamKind,
            data
        );
        workload.Reset();
        return workload;
    }

    /// <summary>Parses the answer of a first-call process.</summary>
    /// <exception cref="FormatException">The text is not such an answer.</exception>
    public static RunTime ReadAnswer(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var parts = text.Split(' ', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        return parts.Length == 6
            ? new RunTime(
                double.Parse(parts[0], CultureInfo.InvariantCulture),
                Number(parts[1]),
                Number(parts[2]),
                (int)Number(parts[3]),
                (int)Number(parts[4]),
                (int)Number(parts[5])
            )
            : throw new FormatException($"'{FirstLine.Of(text)}' is not the answer of a first-call process.");
    }

    private static long Number(string text) => long.Parse(text, CultureInfo.InvariantCulture);
}
