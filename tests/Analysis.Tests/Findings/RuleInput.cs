using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Analysis.Tests.Findings;

/// <summary>Handmade runs, for rules on rows.</summary>
internal static class RuleInput
{
    /// <summary>A run of <paramref name="wallMs"/>; runs follow each other.</summary>
    public static Run Run(
        int id,
        double wallMs,
        string serializer = "Json",
        int objects = 1000,
        string operation = RunOperation.Serialize
    ) =>
        new()
        {
            Process = new ProcessKey("", 100),
            RunId = id,
            Identity = SyntheticTrace.Identity(serializer, operation, objects: objects, number: id),
            Delimiter = RunDelimiter.MarkerReady,
            StartTicks = id * 10_000_000_000L,
            StopTicks = (id * 10_000_000_000L) + (long)(wallMs * 1e6),
            StartMs = id * 10_000,
            StopMs = (id * 10_000) + wallMs,
            WallMs = wallMs,
        };

    /// <summary>The rules' input for runs.</summary>
    public static FindingInput Of(params Run[] runs) =>
        new(
            new AnalysisResult
            {
                Processes = [],
                Runs = runs,
                Rows = SummaryRow.Group(runs),
                FirstUseRows = [],
                Damages = [],
            }
        );

    /// <summary>CPU time by cause: ticks of 1 ms, a sample each.</summary>
    public static CauseTimes Causes(long own, params (string Key, long Samples)[] causes)
    {
        var times = new CauseTimes
        {
            TicksPerSecond = 1000,
            Own = own,
            HasEntry = true,
            Samples = own + causes.Sum(cause => cause.Samples),
        };
        foreach (var (key, samples) in causes)
            times.Causes[CauseCatalog.All.Select((cause, number) => (cause.Key, number)).First(item => item.Key == key).number] = samples;
        return times;
    }

    /// <summary>A recording whose runtime has settings.</summary>
    public static InputRecording Recording(params RuntimeKnob[] knobs)
    {
        var recording = new Recording(
            1,
            "0.1",
            DateTime.UnixEpoch,
            1,
            true,
            "",
            ["esp-workload"],
            "",
            true,
            new RecordingHost("host", "Linux", "X64", "cpu", 2, 1),
            [],
            [],
            "",
            []
        );
        return new InputRecording(
            "",
            "folder",
            recording with
            {
                Workload = new RecordedWorkload("net10.0", ".NET 10", false, false, [], knobs),
            }
        );
    }

    /// <summary>The only finding of a rule.</summary>
    public static Finding Only(IFindingRule rule, FindingInput input) => Assert.Single(rule.Check(input));
}
