using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Sessions.Tests.Publishing;

/// <summary>Publishing with a test command in place of the SDK: how its outcome is handled.</summary>
public sealed class WorkloadPublisherTests : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-publish-").FullName;
    private readonly WorkloadProject _project;

    public WorkloadPublisherTests()
    {
        File.WriteAllText(Path.Combine(_root, "Workload.csproj"), "<Project />");
        File.WriteAllText(Path.Combine(_root, "Suite.cs"), "class Suite;");
        _project = new WorkloadProject(Path.Combine(_root, "Workload.csproj"), Path.Combine(_root, "artifacts"), []);
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task A_build_is_used_again_until_a_source_changes()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "a shell stands for the SDK");
        var plan = Plan("mkdir -p \"$0\" && echo built >> \"$0/../times\" && touch \"$0/new\"");
        var publisher = new WorkloadPublisher(_project);

        Assert.NotNull(await publisher.PublishAsync(plan, TestContext.Current.CancellationToken));
        await File.WriteAllTextAsync(Path.Combine(plan.OutputFolder, "stale"), "", TestContext.Current.CancellationToken);
        Assert.Null(await publisher.PublishAsync(plan, TestContext.Current.CancellationToken));
        Assert.Null(await publisher.PublishAsync(plan, TestContext.Current.CancellationToken));
        Assert.Equal(1, Times(plan));

        await File.WriteAllTextAsync(Path.Combine(_root, "Suite.cs"), "class Changed;", TestContext.Current.CancellationToken);
        Assert.False(publisher.IsCurrent(plan));
        Assert.NotNull(await publisher.PublishAsync(plan, TestContext.Current.CancellationToken));
        Assert.Equal(2, Times(plan));
        Assert.Equal(["new"], Directory.GetFiles(plan.OutputFolder).Select(Path.GetFileName)); // nothing left from the earlier build
    }

    [Fact]
    public async Task Two_at_a_time_build_once()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "a shell stands for the SDK");
        var plan = Plan("sleep 0.5; mkdir -p \"$0\"; echo built >> \"$0/../times\"");
        var took = await Task.WhenAll(
            new WorkloadPublisher(_project).PublishAsync(plan, TestContext.Current.CancellationToken),
            new WorkloadPublisher(_project).PublishAsync(plan, TestContext.Current.CancellationToken)
        );

        Assert.Equal(1, Times(plan));
        Assert.Single(took, time => time is null);
    }

    [Fact]
    public async Task A_failed_build_is_explained_by_its_first_error_and_tried_again()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "a shell stands for the SDK");
        var plan = Plan(
            "echo '/x/Workload.csproj : error NU1101: Unable to find package A. No packages exist [/x/Workload.csproj]'; echo 'b.cs(1,2): error CS0103: later [/x/W.csproj]' >&2; exit 1"
        );
        var failed = await Assert.ThrowsAsync<PublishException>(() =>
            new WorkloadPublisher(_project).PublishAsync(plan, TestContext.Current.CancellationToken)
        );

        Assert.Equal(
            new Problem(
                "NU1101: Unable to find package A. No packages exist",
                Path.Combine(plan.BuildFolder, "publish.log"),
                "check the network and the feeds of NuGet.config: a package cannot be restored"
            ),
            failed.Problem
        );
        Assert.Contains(
            "error CS0103",
            await File.ReadAllTextAsync(Path.Combine(plan.BuildFolder, "publish.log"), TestContext.Current.CancellationToken),
            StringComparison.Ordinal
        );
        Assert.False(new WorkloadPublisher(_project).IsCurrent(plan));
    }

    [Fact]
    public async Task A_build_that_hangs_is_ended_and_a_missing_SDK_is_named()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "a shell stands for the SDK");
        var hanging = new WorkloadPublisher(_project) { Limit = TimeSpan.FromMilliseconds(300) };
        var hung = await Assert.ThrowsAsync<PublishException>(() =>
            hanging.PublishAsync(Plan("sleep 600"), TestContext.Current.CancellationToken)
        );
        Assert.Contains("did not end within", hung.Message, StringComparison.Ordinal);

        var missing = Plan("") with { Command = [Path.Combine(_root, "no-such-dotnet"), "publish"] };
        var unknown = await Assert.ThrowsAsync<PublishException>(() =>
            new WorkloadPublisher(_project).PublishAsync(missing, TestContext.Current.CancellationToken)
        );
        Assert.Contains("install the .NET SDK", unknown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task It_ends_when_the_user_does()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "a shell stands for the SDK");
        using var interrupt = new CancellationTokenSource(TimeSpan.FromMilliseconds(300));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            new WorkloadPublisher(_project).PublishAsync(Plan("sleep 600"), interrupt.Token)
        );
    }

    [Theory]
    [InlineData(
        "a.cs(3,4): error CS1002: ; expected [/x/Workload.csproj::TargetFramework=net8.0]",
        "log: CS1002: ; expected; choose another --runtime: the suite's sources do not compile for this one"
    )]
    [InlineData(
        "MSBUILD : error MSB1009: Project file does not exist.",
        "log: MSB1009: Project file does not exist.; see the complete output of the build"
    )]
    [InlineData("warning NU1603: something else", "log: the build failed without an error message; see the build's output")]
    public void Errors_say_what_and_what_to_do(string output, string expected) =>
        Assert.Equal(expected, BuildErrors.Explain(output, "log").Problem.ToString());

    private PublishPlan Plan(string script)
    {
        var folder = Path.Combine(_root, "artifacts", "net8.0");
        return new PublishPlan(RuntimeTarget.Net8, ReadyToRun: false, "net8.0", "")
        {
            Command = ["/bin/sh", "-c", script, Path.Combine(folder, "app")],
            BuildFolder = folder,
            OutputFolder = Path.Combine(folder, "app"),
            Launch = [],
        };
    }

    private static int Times(PublishPlan plan) => File.ReadAllLines(Path.Combine(plan.BuildFolder, "times")).Length;
}
