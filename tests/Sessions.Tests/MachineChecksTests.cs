using EtwSerializerProfiler.Sessions.Doctor;

namespace EtwSerializerProfiler.Sessions.Tests;

public sealed class MachineChecksTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-test-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task This_machine_can_record_runtime_events()
    {
        var checks = await MachineChecks.RunAsync(_root);

        Assert.Equal(Verdict.Yes, checks.Single(check => check.Subject.StartsWith("runtime events", StringComparison.Ordinal)).Verdict);
        Assert.All(checks, check => Assert.NotEmpty(check.Finding));
    }

    [Theory]
    [InlineData("10.0.12", Verdict.Yes, "sampled allocations")]
    [InlineData("9.0.20", Verdict.Partly, "--alloc ticks")]
    [InlineData("8.0.31", Verdict.Partly, "no marker waits")]
    [InlineData("11.0.0-preview.1", Verdict.Yes, "11.0.0")]
    public void The_newest_runtime_decides_what_can_be_recorded(string version, Verdict verdict, string said)
    {
        Directory.CreateDirectory(Path.Combine(_root, version));
        Directory.CreateDirectory(Path.Combine(_root, "6.0.1"));

        var check = MachineChecks.Runtimes(_root);

        Assert.Equal(verdict, check.Verdict);
        Assert.Contains(said, check.Finding + check.Remedy, StringComparison.Ordinal);
    }

    [Fact]
    public void A_missing_folder_of_runtimes_is_a_finding_not_an_error() =>
        Assert.Equal(Verdict.Partly, MachineChecks.Runtimes(Path.Combine(_root, "none")).Verdict);

    [Fact]
    public void One_processor_is_said_to_be_few()
    {
        Assert.Equal(Verdict.Partly, MachineChecks.Processors(1).Verdict);
        Assert.Equal(Verdict.Yes, MachineChecks.Processors(2).Verdict);
    }
}
