using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Sessions.Etw.Plans;

namespace EtwSerializerProfiler.Sessions.Etw.Running;

/// <summary>Result of a first look at a merged trace.</summary>
/// <param name="Events">Number of events.</param>
/// <param name="EventsLost">Number of lost events; null when the file does not contain it.</param>
/// <param name="BuffersLost">Number of lost buffers; null when the file does not contain it.</param>
/// <param name="RunsStarted">Number of run start marks.</param>
/// <param name="RunsStopped">Number of run end marks.</param>
/// <param name="RuntimeEvents">Number of events of .NET runtimes.</param>
/// <param name="Problems">Problems, a sentence each.</param>
public sealed record EtwCheck(
    long Events,
    long? EventsLost,
    long? BuffersLost,
    long RunsStarted,
    long RunsStopped,
    long RuntimeEvents,
    IReadOnlyList<string> Problems
)
{
    /// <summary>Reads a trace once.</summary>
    /// <exception cref="EtlFormatException">The file is not an .etl file.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static EtwCheck Read(string path)
    {
        using var reader = EtlReader.Open(path);
        long starts = 0,
            stops = 0,
            runtime = 0;
        while (reader.TryRead(out var traceEvent))
        {
            if (traceEvent.IsKernel || traceEvent.IsClassic)
                continue;
            if (traceEvent.ProviderId == EtwProviders.Runs)
            {
                starts += traceEvent.Id == RunEventSource.RunStartId ? 1 : 0;
                stops += traceEvent.Id == RunEventSource.RunStopId ? 1 : 0;
            }
            else if (traceEvent.ProviderId == EtwProviders.Runtime)
            {
                runtime++;
            }
        }

        var statistics = reader.Statistics;
        var problems = new List<string>();
        if (statistics.EventsLost is > 0 and var events)
            problems.Add(
                $"{Plural.Of(events, "event")} lost: too few buffers, or the disk was too slow; record to another disk with --out, or without --kernel-events"
            );
        if (statistics.BuffersLost is > 0 and var buffers)
            problems.Add($"{Plural.Of(buffers, "buffer")} lost: the disk was too slow; record to another one with --out");
        if (runtime == 0)
            problems.Add("no events of a .NET runtime: did the program start? (.NET Framework and .NET write them, Mono does not)");
        if (starts != stops)
            problems.Add($"the trace has {Plural.Of(starts, "run")} that began and {stops} that ended");
        if (statistics.DamageCount > 0)
            problems.Add($"{statistics.DamageCount} parts of the file cannot be read; 'esp-analyze stats' lists them");
        return new EtwCheck(statistics.Events, statistics.EventsLost, statistics.BuffersLost, starts, stops, runtime, problems);
    }
}
