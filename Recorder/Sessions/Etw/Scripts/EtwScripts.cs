using EtwSerializerProfiler.Sessions.Dumps;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Steps;
using EtwSerializerProfiler.Sessions.Etw.Tools;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Etw.Scripts;

/// <summary>
/// Scripts for machines without esp-record: they start, stop and flush a recording with xperf or tracelog. They are created from the steps
/// that <c>esp-record record --sessions</c> executes. The folder scripts/ has this output.
/// </summary>
public static class EtwScripts
{
    /// <summary>The recording's folder, a parameter of the scripts.</summary>
    public const string Out = "%OUT%";

    /// <summary>Default memory of the mode <c>memory</c>: 512 MB.</summary>
    public static RecordingMode DefaultMemory { get; } = RecordingMode.Circular(512L << 20);

    /// <summary>Tools with scripts.</summary>
    public static IReadOnlyList<EtwTool> Tools { get; } = [EtwTool.Xperf, EtwTool.Tracelog];

    /// <summary>Values of the parameter PRESET and of <c>--preset</c>.</summary>
    public static IReadOnlyList<(string Name, EtwPurpose Purpose)> Presets { get; } =
    [
        ("runs", EtwPurpose.Runs),
        ("allocation", EtwPurpose.Allocation),
        ("firstcall", EtwPurpose.FirstCall),
        ("exceptions", EtwPurpose.Exceptions),
    ];

    /// <summary>Creates all scripts.</summary>
    /// <param name="memory">Memory shared by the sessions in mode <c>memory</c>.</param>
    public static IReadOnlyList<ScriptFile> Create(RecordingMode memory) =>
        [
            .. Tools.SelectMany(tool =>
            {
                var writer = new ScriptWriter(
                    tool,
                    [
                        .. Presets.SelectMany(preset =>
                            (ScriptVariant[])
                                [
                                    new(preset.Name, ScriptVariant.File, Steps(tool, preset.Purpose, RecordingMode.File)),
                                    new(preset.Name, ScriptVariant.Memory, Steps(tool, preset.Purpose, memory)),
                                ]
                        ),
                    ]
                );
                return writer.All();
            }),
            ProcdumpPlan.Script(),
        ];

    /// <summary>Writes all scripts.</summary>
    /// <param name="folder">Target folder; created if missing.</param>
    /// <param name="memory">Memory shared by the sessions in mode <c>memory</c>.</param>
    /// <returns>Their paths.</returns>
    /// <exception cref="IOException">They cannot be written.</exception>
    public static IReadOnlyList<string> Write(string folder, RecordingMode memory)
    {
        var written = new List<string>();
        foreach (var script in Create(memory))
        {
            var path = Path.Combine(folder, script.Path);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllText(path, script.Text);
            written.Add(path);
        }

        return written;
    }

    /// <summary>The steps of a script, for the machine of the committed scripts and with session names without a process id.</summary>
    public static EtwSteps Steps(EtwTool tool, EtwPurpose purpose, RecordingMode mode)
    {
        var options = new EtwPlanOptions
        {
            Purpose = purpose,
            Mode = mode,
            SessionPrefix = EtwSessionName.Mark,
        };
        return EtwStepFactory.Create(tool, EtwPresets.Create(options, EtwMachine.Typical), new EtwTarget(Out, []));
    }
}
