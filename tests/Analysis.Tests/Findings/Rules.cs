using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Analysis.XmlCode;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Tests.Findings;

/// <summary>Findings of rules on events in traces.</summary>
internal static class Rules
{
    /// <summary>Of one made-up trace.</summary>
    public static IReadOnlyList<Finding> Check(
        IFindingRule rule,
        SyntheticTrace trace,
        int? processors = null,
        string runtime = ".NET 10.0"
    ) => Check(rule, [new TracedProcess(trace.ProcessId, "program", runtime, [trace], [])], processors);

    /// <summary>Of a file.</summary>
    public static IReadOnlyList<Finding> Check(IFindingRule rule, string path) => Check(rule, TraceInputReader.Open([path]).Processes);

    /// <summary>Findings of processes; reads everything that the events contain.</summary>
    public static IReadOnlyList<Finding> Check(IFindingRule rule, IReadOnlyList<TracedProcess> processes, int? processors = null)
    {
        var tables = new EventTables(processes);
        return
        [
            .. rule.Check(
                new FindingInput(tables.Result)
                {
                    Locks = Recorded(() => tables.Locks),
                    Exceptions = Recorded(() => tables.Exceptions)?.AllRows,
                    Gcs = Recorded(() => tables.GcsBy(GcGrouping.Method)),
                    Allocations = Recorded(() => tables.Allocations(AllocationGrouping.Type)),
                    AllocationsByOwn = Recorded(() => tables.Allocations(AllocationGrouping.Own)),
                    Waits = Recorded(() => tables.Waits),
                    XmlCode = Read(new XmlCodeReading(), processes).Result(tables.Result.Runs),
                    Recordings = processors is { } count ? [new InputRecording("", "", Recording(count))] : [],
                }
            ),
        ];
    }

    private static XmlCodeReading Read(XmlCodeReading reading, IReadOnlyList<TracedProcess> processes)
    {
        TraceReading.Read(reading.Prepare(processes));
        return reading;
    }

    private static Recording Recording(int processors) =>
        new(
            1,
            "test",
            DateTime.UnixEpoch,
            0,
            true,
            "",
            [],
            "",
            false,
            new RecordingHost("elsewhere", "Linux", "X64", "", processors, 0),
            [],
            [],
            "",
            []
        );

    private static T? Recorded<T>(Func<T> read)
        where T : class
    {
        try
        {
            return read();
        }
        catch (NotRecordedException)
        {
            return null;
        }
    }
}
