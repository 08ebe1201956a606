using EtwSerializerProfiler.Sessions.Publishing;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests.Publishing;

public class RuntimeKnobsTests
{
    private const string Configuration = """
        { "runtimeOptions": { "tfm": "net8.0", "configProperties": { "System.GC.Concurrent": false, "System.Runtime.TieredPGO": true, "System.GC.ConserveMemory": 5, "System.Globalization.Invariant": true } } }
        """;

    [Fact]
    public void A_variable_wins_over_the_configuration_and_that_over_the_default()
    {
        var knobs = RuntimeKnobs.OfModern(
            Configuration,
            new Dictionary<string, string>
            {
                ["COMPlus_TieredCompilation"] = "0",
                ["DOTNET_gcServer"] = "1",
                ["DOTNET_TieredPGO"] = "",
            }
        );

        Assert.Contains(new RuntimeKnob("TieredCompilation", "0", "COMPlus_TieredCompilation"), knobs);
        Assert.Contains(new RuntimeKnob("GCServer", "1", "DOTNET_gcServer"), knobs);
        Assert.Contains(new RuntimeKnob("TieredPGO", "true", "runtimeconfig.json"), knobs); // an empty variable counts as unset
        Assert.Contains(new RuntimeKnob("GCConcurrent", "false", "runtimeconfig.json"), knobs);
        Assert.Contains(new RuntimeKnob("ReadyToRun", "true", "default"), knobs);
        Assert.Contains(new RuntimeKnob("System.GC.ConserveMemory", "5", "runtimeconfig.json"), knobs);
        Assert.DoesNotContain(knobs, knob => knob.Name.Contains("Globalization", StringComparison.Ordinal));
    }

    [Fact]
    public void Other_variables_of_the_runtime_are_reported_and_those_of_tools_are_not()
    {
        var knobs = RuntimeKnobs.OfModern(
            "",
            new Dictionary<string, string>
            {
                ["DOTNET_GCgen0size"] = "4000000",
                ["DOTNET_EnableAVX2"] = "0",
                ["DOTNET_DiagnosticPorts"] = "x",
                ["DOTNET_EnableDiagnostics"] = "1",
                ["DOTNET_CLI_HOME"] = "/x",
                ["PASSWORD"] = "secret",
            }
        );

        Assert.Equal(
            ["EnableAVX2=0", "GCgen0size=4000000"],
            knobs.Where(knob => knob.Source.StartsWith("DOTNET_", StringComparison.Ordinal)).Select(knob => $"{knob.Name}={knob.Value}")
        );
        Assert.DoesNotContain(knobs, knob => knob.Value == "secret");
        Assert.Equal(7, knobs.Count(knob => knob.Source == "default"));
    }

    [Fact]
    public void Mono_has_its_collector_and_its_own_variables() =>
        Assert.Equal(
            [new RuntimeKnob("GC", "sgen", "mono --version"), new RuntimeKnob("MONO_DEBUG", "disable_omit_fp", "MONO_DEBUG")],
            RuntimeKnobs.OfMono(
                new MonoInstallation("mono", "6.8", "sgen", true),
                new Dictionary<string, string> { ["MONO_DEBUG"] = "disable_omit_fp", ["DOTNET_gcServer"] = "1" }
            )
        );

    [Fact]
    public void A_build_is_described_by_its_files()
    {
        var folder = AppContext.BaseDirectory; // any folder with assemblies: the tests' own are not precompiled, and there is no suite
        var plan = new PublishPlan(RuntimeTarget.Net10, ReadyToRun: true, "net10.0 R2R", "") { OutputFolder = folder, Launch = [] };
        Assert.Throws<FileNotFoundException>(() => WorkloadInspection.Describe(plan, new Dictionary<string, string>()));
    }
}
