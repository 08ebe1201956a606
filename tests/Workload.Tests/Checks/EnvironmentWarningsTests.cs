using System.Diagnostics;
using System.Reflection;
using System.Reflection.Emit;
using EtwSerializerProfiler.Workload.Checks;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Tests.Checks;

public sealed class EnvironmentWarningsTests
{
    [Theory]
    [InlineData(null, null, null)]
    [InlineData("DOTNET_TieredCompilation", "1", null)]
    [InlineData("DOTNET_TieredCompilation", "0", "DOTNET_TieredCompilation=0")]
    [InlineData("COMPlus_TieredCompilation", "0", "COMPlus_TieredCompilation=0")]
    public void Tiering_switched_off_by_a_variable_is_warned_of(string? name, string? value, string? expected)
    {
        var warnings = EnvironmentWarnings.Tiering(variable => variable == name ? value : null, setting: null).ToArray();

        Assert.Equal(expected is null ? 0 : 1, warnings.Length);
        Assert.All(warnings, warning => Assert.Contains(expected!, warning, StringComparison.Ordinal));
    }

    [Fact]
    public void Tiering_switched_off_by_the_configuration_is_warned_of_unless_a_variable_turns_it_on()
    {
        Assert.Single(EnvironmentWarnings.Tiering(_ => null, setting: false));
        Assert.Empty(EnvironmentWarnings.Tiering(_ => null, setting: true));
        Assert.Empty(EnvironmentWarnings.Tiering(_ => "1", setting: false));
    }

    [Fact]
    public void A_debug_build_is_warned_of()
    {
        var attribute = typeof(DebuggableAttribute).GetConstructor([typeof(DebuggableAttribute.DebuggingModes)])!;
        var debug = AssemblyBuilder.DefineDynamicAssembly(
            new AssemblyName("DebugBuild"),
            AssemblyBuilderAccess.Run,
            [
                new CustomAttributeBuilder(
                    attribute,
                    [DebuggableAttribute.DebuggingModes.Default | DebuggableAttribute.DebuggingModes.DisableOptimizations]
                ),
            ]
        );

        Assert.Contains(
            "DebugBuild is a debug build",
            Assert.Single(EnvironmentWarnings.DebugBuilds(debug, typeof(object).Assembly)),
            StringComparison.Ordinal
        );
        Assert.Empty(EnvironmentWarnings.DebugBuilds(typeof(object).Assembly));
    }

    [Fact]
    public void Libraries_for_the_jit_are_named_when_compared_with_precompiled_ones()
    {
        var jitOnly = SerializerRegistry.Select([new("Newtonsoft.Json", true), new("Google.Protobuf", true)]);
        var both = SerializerRegistry.Select([new("Newtonsoft.Json", true), new("XmlSerializer", true)]);

        Assert.True(ManagedCode.IsReadyToRun(typeof(System.Xml.Serialization.XmlSerializer).Assembly));
        Assert.False(ManagedCode.IsReadyToRun(typeof(EnvironmentWarnings).Assembly));
        Assert.Empty(EnvironmentWarnings.JitOnly(jitOnly));
        Assert.StartsWith("Newtonsoft.Json: ", Assert.Single(EnvironmentWarnings.JitOnly(both)), StringComparison.Ordinal);
    }
}
