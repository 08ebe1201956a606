using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Traces.TraceEventFeed;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>Speed and memory of TraceEvent on the events of an .etl file, with a callback for all of them.</summary>
internal static class TraceEventSpeed
{
    public static Command Create()
    {
        var file = CommonOptions.EtlFile();
        var repetitions = CommonOptions.Repetitions();
        var command = new Command(
            "etl-traceevent",
            "Events/s and peak memory of an .etl file through TraceEvent, with a callback for all events."
        )
        {
            file,
            repetitions,
        };
        command.SetAction((parsed, _) => RunAsync(parsed.GetValue(file)!, parsed.GetValue(repetitions), Console.Out));
        return command;
    }

    private static async Task RunAsync(string path, int repetitions, TextWriter output)
    {
        foreach (
            var (way, describe) in ((string, bool)[])[("events as they are", false), ("TraceLogging described beforehand (default)", true)]
        )
        {
            var rates = new List<double>();
            long events = 0;
            for (var repetition = 0; repetition <= repetitions; repetition++)
            {
                var watch = Stopwatch.StartNew();
                using var source = EtlTraceEventSource.Open(path, new EtlTraceEventSourceOptions { DescribeTraceLogging = describe });
                events = 0;
                source.AllEvents += _ => events++;
                source.Process();
                if (repetition > 0)
                    rates.Add(events / watch.Elapsed.TotalSeconds / 1e6);
            }

            await output
                .WriteLineAsync(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{way}: {Statistics.Median(rates):0.00} M events/s (min {rates.Min():0.00}, max {rates.Max():0.00}) over {repetitions} readings of {events:N0} events, AllEvents attached"
                    )
                )
                .ConfigureAwait(false);
        }

        await output.WriteLineAsync($"peak memory of the process: {ProcessMemory.Peak()}").ConfigureAwait(false);
    }
}
