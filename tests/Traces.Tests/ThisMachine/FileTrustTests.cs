using System.Diagnostics;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Traces.Tests.ThisMachine;

public sealed class FileTrustTests : IDisposable
{
    private readonly TempFolder _folder = new();

    private string File => Path.Combine(_folder.Path, "perf-1.map");

    public FileTrustTests()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the temporary folders of other systems are a user's own");
        System.IO.File.WriteAllText(File, "x");
    }

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("600", true)]
    [InlineData("644", true)]
    [InlineData("664", false)]
    [InlineData("646", false)]
    public void A_file_that_others_may_write_is_refused(string mode, bool isTrusted)
    {
        if (!OperatingSystem.IsWindows())
            System.IO.File.SetUnixFileMode(File, (UnixFileMode)Convert.ToInt32(mode, 8));

        Assert.Equal(
            isTrusted ? null : $"others may write to it (mode {mode}); start the program with umask 022",
            FileTrust.Refusal(File, Environment.ProcessId)
        );
    }

    [Fact]
    public void A_link_is_refused()
    {
        var link = Path.Combine(_folder.Path, "perf-2.map");
        System.IO.File.CreateSymbolicLink(link, File);

        Assert.StartsWith("it is neither a file nor a socket", FileTrust.Refusal(link, Environment.ProcessId), StringComparison.Ordinal);
        Assert.Equal("its owner cannot be read", FileTrust.Refusal(Path.Combine(_folder.Path, "none"), Environment.ProcessId));
    }

    [Fact]
    public void A_file_of_another_user_is_refused_and_one_of_root_is_not()
    {
        Assert.Null(FileTrust.Refusal("/etc/passwd", Environment.ProcessId));
        Assert.SkipUnless(Environment.UserName == "root", "files are given to another user by root");
        using (var chown = Process.Start("chown", ["12345", File]))
            chown.WaitForExit();

        Assert.Equal("it belongs to another user (uid 12345)", FileTrust.Refusal(File, Environment.ProcessId));
        Assert.Equal("it belongs to another user (uid 12345)", FileTrust.Refusal(File, int.MaxValue)); // a process that has ended
    }
}
