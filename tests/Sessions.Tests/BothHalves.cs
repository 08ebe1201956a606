using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Records a mode of TestProgram with both halves of a recording: the kernel session and the runtime's sessions.</summary>
internal static class BothHalves
{
    /// <summary>Records into the folder <c>recording</c> below <paramref name="root"/>.</summary>
    /// <param name="root">An existing folder.</param>
    /// <param name="output">Receives what the program writes.</param>
    /// <param name="variables">Variables for the program.</param>
    /// <param name="arguments">The mode and its arguments.</param>
    public static Task<RecordingResult> RecordAsync(
        string root,
        StringWriter output,
        IReadOnlyDictionary<string, string> variables,
        params string[] arguments
    ) =>
        RecordAsync(
            root,
            PerfEventPlan.Create(PerfEventScope.Launch),
            inlineInfo: true,
            output,
            variables,
            PerfRecordingFixture.Command(arguments)
        );

    /// <summary>The same with another plan for the kernel session.</summary>
    public static Task<RecordingResult> RecordAsync(
        string root,
        PerfEventPlan plan,
        StringWriter output,
        IReadOnlyDictionary<string, string> variables,
        params string[] arguments
    ) => RecordAsync(root, plan, inlineInfo: true, output, variables, PerfRecordingFixture.Command(arguments));

    /// <summary>The same with or without inlined methods.</summary>
    public static Task<RecordingResult> RecordAsync(
        string root,
        StringWriter output,
        IReadOnlyDictionary<string, string> variables,
        bool inlineInfo,
        string[] arguments,
        bool inlineeTypes = true
    ) =>
        RecordAsync(
            root,
            PerfEventPlan.Create(PerfEventScope.Launch),
            inlineInfo,
            output,
            variables,
            PerfRecordingFixture.Command(arguments),
            inlineeTypes
        );

    /// <summary>Records any program.</summary>
    public static async Task<RecordingResult> RecordAsync(
        string root,
        PerfEventPlan plan,
        bool inlineInfo,
        StringWriter output,
        IReadOnlyDictionary<string, string> variables,
        string[] command,
        bool inlineeTypes = true
    )
    {
        var sessions = EventPipePlan.Create(
            EventPipePlan.SessionNames,
            AllocationEvents.None,
            inlineInfo: inlineInfo,
            inlineeTypes: inlineeTypes
        );
        var environment = PerfRecordingFixture
            .Program(PerfRecordingFixture.Command())
            .Environment.ToDictionary(variable => variable.Key, variable => variable.Value);
        foreach (var (name, value) in variables)
            environment[name] = value;
        var recorded = await RecordingRunner
            .RunAsync(
                new RecordOptions
                {
                    Command = command,
                    Environment = environment,
                    Folder = Path.Combine(root, "recording"),
                    Sessions = sessions,
                    Variables = RuntimeVariables.Create(sessions, jitAll: false, _ => null),
                    Kernel = plan,
                    ToolVersion = "test",
                    Output = output,
                },
                progress: null,
                TestContext.Current.CancellationToken
            )
            .WaitAsync(Wait.Limit, TestContext.Current.CancellationToken);
        Assert.Equal(0, recorded.ExitCode);
        return recorded;
    }
}
