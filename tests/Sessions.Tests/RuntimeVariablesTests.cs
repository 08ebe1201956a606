using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests;

public class RuntimeVariablesTests
{
    [Fact]
    public void A_launched_program_describes_what_was_inlined_unless_it_is_not_recorded()
    {
        Assert.Equal(["DOTNET_RichDebugInfo=1"], Plan(EventPipePlan.SessionNames));
        Assert.Empty(Plan(EventPipePlan.SessionNames, inlineInfo: false));
        Assert.Empty(Plan([EventPipePlan.ClrSession]));
        Assert.Equal(["DOTNET_RichDebugInfo=1", "DOTNET_ReadyToRun=0"], Plan(EventPipePlan.SessionNames, jitAll: true));
        Assert.Equal(["DOTNET_ReadyToRun=0"], Plan([], jitAll: true));
    }

    [Fact]
    public void What_was_inlined_into_dynamic_methods_is_recorded_where_it_is_asked_for()
    {
        Assert.Equal(
            ["DOTNET_RichDebugInfo=1", "DOTNET_TrackDynamicMethodDebugInfo=1"],
            RuntimeVariables
                .Create(EventPipePlan.Create(EventPipePlan.SessionNames, AllocationEvents.None), false, _ => null, dynamicMethods: true)
                .Select(Text)
        );
        Assert.Empty(
            RuntimeVariables.Create(
                EventPipePlan.Create([EventPipePlan.ClrSession], AllocationEvents.None),
                false,
                _ => null,
                dynamicMethods: true
            )
        );
    }

    [Fact]
    public void The_code_is_written_to_the_recording_unless_the_user_has_it_elsewhere()
    {
        var folder = Path.GetFullPath("recordings/r1");
        Assert.Equal(
            ["DOTNET_PerfMapEnabled=2", "DOTNET_PerfMapStubGranularity=2", $"DOTNET_PerfMapJitDumpPath={folder}"],
            RuntimeVariables.CreateForCode("recordings/r1", _ => null).Select(Text)
        );
        Assert.Equal(
            ["DOTNET_PerfMapEnabled=1 user", "DOTNET_PerfMapStubGranularity=2", $"DOTNET_PerfMapJitDumpPath={folder}"],
            RuntimeVariables.CreateForCode("recordings/r1", name => name == "DOTNET_PerfMapEnabled" ? "1" : null).Select(Text)
        );
    }

    [Theory]
    [InlineData("DOTNET_RichDebugInfo", "0", "DOTNET_RichDebugInfo=0 user")]
    [InlineData("COMPlus_RichDebugInfo", "0", "COMPlus_RichDebugInfo=0 user")]
    [InlineData("DOTNET_RichDebugInfo", "1", "DOTNET_RichDebugInfo=1 user")]
    [InlineData("DOTNET_RichDebugInfo", "", "DOTNET_RichDebugInfo=1")]
    [InlineData("DOTNET_ReadyToRun", "1", "DOTNET_RichDebugInfo=1")]
    public void What_the_user_has_set_wins(string name, string value, string expected) =>
        Assert.Equal([expected], Plan(EventPipePlan.SessionNames, environment: (name, value)));

    [Fact]
    public void What_the_user_has_set_wins_over_an_option_too() =>
        Assert.Equal(
            ["DOTNET_RichDebugInfo=1", "DOTNET_ReadyToRun=1 user"],
            Plan(EventPipePlan.SessionNames, jitAll: true, environment: ("DOTNET_ReadyToRun", "1"))
        );

    [Theory]
    [InlineData("DOTNET_RichDebugInfo", "1", true)]
    [InlineData("COMPlus_RichDebugInfo", "1", true)]
    [InlineData("DOTNET_RichDebugInfo", "0", false)]
    [InlineData("DOTNET_RichDebugInfo", "", false)]
    [InlineData("PATH", "1", false)]
    public void An_environment_says_whether_inlining_is_reported(string name, string value, bool expected) =>
        Assert.Equal(expected, RuntimeVariables.TellsInlining(asked => asked == name ? value : null));

    [Theory]
    [InlineData("PATH", "x", "MONO_ENV_OPTIONS=--jitmap -O=-aot", "MONO_DEBUG=disable_omit_fp", "MONO_PATH=/facades")]
    [InlineData(
        "MONO_ENV_OPTIONS",
        "--gc=boehm",
        "MONO_ENV_OPTIONS=--gc=boehm --jitmap -O=-aot",
        "MONO_DEBUG=disable_omit_fp",
        "MONO_PATH=/facades"
    )]
    [InlineData(
        "MONO_ENV_OPTIONS",
        "--jitmap -O=all",
        "MONO_ENV_OPTIONS=--jitmap -O=all -O=-aot",
        "MONO_DEBUG=disable_omit_fp",
        "MONO_PATH=/facades"
    )]
    [InlineData(
        "MONO_ENV_OPTIONS",
        "-O=-aot --jitmap",
        "MONO_ENV_OPTIONS=-O=-aot --jitmap user",
        "MONO_DEBUG=disable_omit_fp",
        "MONO_PATH=/facades"
    )]
    [InlineData("MONO_DEBUG", "casts", "MONO_ENV_OPTIONS=--jitmap -O=-aot", "MONO_DEBUG=casts,disable_omit_fp", "MONO_PATH=/facades")]
    public void What_the_user_has_set_for_Mono_is_kept_and_added_to(string name, string value, params string[] expected) =>
        Assert.Equal(expected, RuntimeVariables.CreateForMono("/facades", asked => asked == name ? value : null).Select(Text));

    [Fact]
    public void First_calls_on_Mono_find_its_precompiled_code() =>
        Assert.Equal("MONO_ENV_OPTIONS=--jitmap", Text(RuntimeVariables.CreateForMono("", _ => null, precompiled: true)[0]));

    [Fact]
    public void Mono_needs_no_path_where_it_has_its_facades() =>
        Assert.Equal(["MONO_ENV_OPTIONS", "MONO_DEBUG"], RuntimeVariables.CreateForMono("", _ => null).Select(variable => variable.Name));

    private static string Text(RuntimeVariable variable) => $"{variable.Name}={variable.Value}{(variable.SetByUser ? " user" : "")}";

    private static string[] Plan(
        IReadOnlyList<string> sessions,
        bool inlineInfo = true,
        bool jitAll = false,
        (string Name, string Value) environment = default
    ) =>
        [
            .. RuntimeVariables
                .Create(
                    EventPipePlan.Create(sessions, AllocationEvents.None, inlineInfo: inlineInfo),
                    jitAll,
                    name => name == environment.Name ? environment.Value : null
                )
                .Select(Text),
        ];
}
