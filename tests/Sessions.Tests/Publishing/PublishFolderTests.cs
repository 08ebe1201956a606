using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Sessions.Tests.Publishing;

public sealed class PublishFolderTests
{
    [Fact]
    public void A_user_without_a_home_folder_publishes_nowhere_and_is_reported()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "a folder that root cannot write to either");
        using var root = new TempFolder();
        var project = Path.Combine(root.Path, "Workload.csproj");
        File.WriteAllText(project, "<Project />");
        const string Unwritable = "/proc/none/artifacts";

        Assert.Equal(Path.Combine(root.Path, "artifacts"), PublishFolder.Choose(Path.Combine(root.Path, "artifacts"), own: ""));
        Assert.Equal(Path.Combine("/home/me", "EtwSerializerProfiler", "runtimes"), PublishFolder.Choose(Unwritable, own: "/home/me"));
        var none = PublishFolder.Choose(Unwritable, own: "");

        Assert.Equal("", none);
        Assert.False(
            new WorkloadProject(project, none, []).CanBePublished(
                new RuntimeMachine("/dotnet/dotnet", HasSdk: true, ["10.0.12"], Mono: null, "linux-x64", IsWindows: false),
                out var problem
            )
        );
        Assert.Contains("set HOME", problem!.Fix, StringComparison.Ordinal);
    }
}
