using EtwSerializerProfiler.Sessions.Launch;

namespace EtwSerializerProfiler.Sessions.Tests;

public sealed class MissingRuntimeTests
{
    [Theory]
    [InlineData("DOTNET_EnableDiagnostics", "0", true)]
    [InlineData("DOTNET_EnableDiagnostics_IPC", "00", true)]
    [InlineData("COMPlus_EnableDiagnostics", "0", true)]
    [InlineData("DOTNET_EnableDiagnostics", "1", false)]
    [InlineData("DOTNET_EnableDiagnostics", "", false)]
    public void A_variable_that_switches_the_port_off_is_named(string name, string value, bool isNamed)
    {
        var problem = MissingRuntime.Explain("", "app", asked => asked == name ? value : null);

        Assert.Equal(isNamed, problem is not null);
        if (isNamed)
            Assert.Equal(
                ($"it was started with {name}={value}: no runtime events are recorded", $"start it without {name}"),
                (problem!.What, problem.Fix)
            );
    }

    /// <summary>
    /// The export's name lies in the file's table of dynamic symbols, wherever that is: here at the boundary of two blocks that are read.
    /// </summary>
    [Theory]
    [InlineData("DotNetRuntimeDebugHeader", 10, true)]
    [InlineData("__managedcode", (1 << 20) + 30, true)]
    [InlineData("DotNetRuntimeInfo", 10, false)] // a single file with the runtime inside
    public void A_program_compiled_ahead_of_time_is_known_by_its_export_or_its_section(string name, int at, bool isAot)
    {
        using var folder = new TempFolder();
        var bytes = new byte[3 << 20];
        "\u007fELF"u8.CopyTo(bytes);
        System.Text.Encoding.ASCII.GetBytes(name).CopyTo(bytes, at);
        var file = Path.Combine(folder.Path, "app");
        File.WriteAllBytes(file, bytes);

        Assert.Equal(isAot, MissingRuntime.IsNativeAot(file));
        Assert.Equal(isAot, MissingRuntime.Explain(file, "app", _ => null)?.What.Contains("NativeAOT", StringComparison.Ordinal) ?? false);
    }

    [Fact]
    public void A_program_of_another_kind_and_none_have_no_reason()
    {
        Assert.Null(MissingRuntime.Explain(Environment.ProcessPath!, "app", _ => null));
        Assert.Null(MissingRuntime.Explain("/no/such/program", "app", _ => null));
    }
}
