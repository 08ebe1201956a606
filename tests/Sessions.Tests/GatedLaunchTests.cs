using System.Diagnostics;
using EtwSerializerProfiler.Sessions.Launch;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>The gate, with real processes.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class GatedLaunchTests
{
    [Fact]
    public async Task The_program_gets_its_arguments_and_standard_input_and_keeps_the_process_id()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Unix");
        using var gate = new GatedLaunch(["sh", "-c", "echo $$; cat; printf '%s|' \"$@\"; exit 7", "sh", "a b", "$HOME", "", "'\"`"]);
        using var process = Start(gate.Command);
        await process.StandardInput.WriteAsync("from stdin");
        process.StandardInput.Close();
        Assert.False(process.HasExited, "waits for the gate");

        gate.Open();

        var output = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.Equal($"{process.Id}\nfrom stdina b|$HOME||'\"`|", output);
        Assert.Equal(7, process.ExitCode);
    }

    [Fact]
    public async Task The_program_has_no_descriptor_that_it_would_not_have_without_the_gate()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux");
        string[] command = ["/bin/ls", "/proc/self/fd"];
        using var gate = new GatedLaunch(command);
        using var gated = Start(gate.Command);
        gate.Open();
        using var plain = Start(command);

        Assert.Equal(
            await plain.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken),
            await gated.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken)
        );
    }

    [Fact]
    public async Task A_gate_that_is_not_opened_ends_without_starting_the_program()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Unix");
        var gate = new GatedLaunch(["echo", "started"]);
        using var process = Start(gate.Command);

        gate.Dispose();

        Assert.Equal("", await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken));
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.Equal(GatedLaunch.NotOpenedExitCode, process.ExitCode);
    }

    [Theory]
    [InlineData("no-such-program-4711", "program not found")]
    [InlineData("/no/such/path", "program not found")]
    public void A_program_that_cannot_be_started_is_refused_at_once(string program, string reason)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux");
        Assert.Contains(reason, Assert.Throws<LaunchException>(() => new GatedLaunch([program])).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_is_not_a_program_is_refused_at_once()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux");
        var file = Path.GetTempFileName();
        try
        {
            Assert.Contains(
                "not executable",
                Assert.Throws<LaunchException>(() => new GatedLaunch([file])).Message,
                StringComparison.Ordinal
            );
        }
        finally
        {
            File.Delete(file);
        }
    }

    private static Process Start(IReadOnlyList<string> command) =>
        Process.Start(
            new ProcessStartInfo(command[0], command.Skip(1))
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            }
        )!;
}
