using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Guides;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Reports.Tests.Guides;

/// <summary>A folder of a guide with recordings that consist of a run CSV with known times.</summary>
internal sealed class GuideFolder : IDisposable
{
    private const long Second = 1_000_000_000;

    private readonly TempFolder _folder = new();

    public static int[] Counts { get; } = [100, 1_000, 10_000];

    public string Path => _folder.Path;

    public void Dispose() => _folder.Dispose();

    public string Write(string file, string text) => _folder.Write(file, text);

    public string Read(string file) => File.ReadAllText(System.IO.Path.Combine(Path, file));

    /// <summary>Builds the guide and writes its files.</summary>
    public Guide Build(string? older = null)
    {
        var guide = GuideBuilder.Build(Path, older is null ? null : OlderGuide.Read(older));
        GuideBuilder.Write(guide, Path);
        return guide;
    }

    public void WriteSteps(IReadOnlyList<GuideStep> steps) => new GuideSteps(GuideSteps.CurrentSchema, "1", steps).Write(Path);

    /// <summary>Writes the conclusion of a scenario.</summary>
    public void Scenario(string name, string verdict, string sentence, int failedRows)
    {
        var folder = Directory.CreateDirectory(System.IO.Path.Combine(Path, GuideKeys.ScenarioPrefix + name)).FullName;
        File.WriteAllText(
            System.IO.Path.Combine(folder, "scenario.json"),
            $$"""
            {"schema":1,"scenario":"{{name}}","published":"A case.","verdict":"{{verdict}}","sentence":"{{sentence}}",
            "runtime":".NET 10.0.12","failedRows":{{failedRows}}}
            """
        );
    }

    public static string Features(params ReadOnlySpan<(string Serializer, string Key, string Seen)> cells)
    {
        var text = "serializer,library,version,group,key,feature,seen,detail,runtime,system,measured_utc\n";
        foreach (var (serializer, key, seen) in cells)
            text += $"{serializer},lib,1,Group,{key},{key},{seen},,.NET 10.0.12,Linux,2026-11-25\n";
        return text;
    }

    /// <summary>Writes the steps of a guide; the named ones, or all, have a state.</summary>
    public void Steps(GuideStepState state, params IReadOnlyList<string> keys)
    {
        string[] all =
        [
            GuideKeys.Throughput,
            GuideKeys.FirstCalls,
            GuideKeys.Features,
            GuideKeys.Threads,
            GuideKeys.ScenarioPrefix + "graph",
            GuideKeys.Runtimes,
        ];
        GuideStepState StateOf(string key) => keys.Count == 0 || keys.Contains(key) ? state : GuideStepState.Planned;
        var steps = all.Select(key => new GuideStep(key, "something", ["record"]) { State = StateOf(key) });
        WriteSteps([.. steps]);
    }

    /// <summary>
    /// Writes a recording: deserializing 10,000 objects takes ten times the given ms, serializing half of it; both grow linearly.
    /// Its four runs differ by 0.1 % each.
    /// </summary>
    public void Record(string key, params ReadOnlySpan<(string Serializer, double Ms, long BytesPerObject)> serializers)
    {
        var folder = System.IO.Path.Combine(Path, key);
        Directory.CreateDirectory(folder);
        var recording = RecordingFile.Read(TestFiles.Recording);
        var process = recording.Processes[0] with { Sessions = [] };
        RecordingFile.Write(folder, recording with { Processes = [process], PlannedSessions = [], RunsFile = "runs.csv" });
        using var csv = new StreamWriter(System.IO.Path.Combine(folder, "runs.csv"));
        csv.WriteLine(string.Join(',', RunCsv.Columns));
        var run = 0;
        foreach (var (serializer, ms, bytes) in serializers)
        {
            foreach (var count in Counts)
            {
                for (var number = 1; number <= 4; number++)
                {
                    foreach (var (operation, factor) in ((string, double)[])[("Deserialize", 1), ("Serialize", 0.5)])
                    {
                        var start = ++run * Second;
                        var ticks = (long)(ms * 1e6 * factor * count / 1_000 * (1 + (number * 0.001)));
                        var name = $"{serializer},lib,1.0,{operation},Measured";
                        csv.WriteLine(
                            string.Join(
                                ',',
                                process.ProcessId,
                                run,
                                0,
                                name,
                                count,
                                0,
                                number,
                                1,
                                start,
                                start + ticks,
                                Second,
                                ticks,
                                count * 8,
                                0,
                                0,
                                0,
                                count * bytes,
                                ".NET 10.0.12",
                                "",
                                -1,
                                -1,
                                -1,
                                60_000_000,
                                4_000_000,
                                0
                            )
                        );
                    }
                }
            }
        }
    }
}
