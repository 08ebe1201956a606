using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Sessions.Tests.Publishing;

public class RuntimeTargetTests
{
    [Theory]
    [InlineData("net10.0", RuntimeKind.Modern, "net10.0")]
    [InlineData("NET9.0", RuntimeKind.Modern, "net9.0")]
    [InlineData("net8.0", RuntimeKind.Modern, "net8.0")]
    [InlineData("net10.0-aot", RuntimeKind.NativeAot, "net10.0")]
    [InlineData("net472", RuntimeKind.Framework, "net472")]
    [InlineData("Mono", RuntimeKind.Mono, "net472")]
    public void A_runtime_is_found_by_its_name_in_any_case(string text, RuntimeKind kind, string framework)
    {
        var target = Assert.Single(RuntimeTarget.Find(text));
        Assert.Equal((kind, framework), (target.Kind, target.TargetFramework));
    }

    [Theory]
    [InlineData("net7.0", "")]
    [InlineData("", "")]
    [InlineData("net10.0 ", "")]
    [InlineData("aot", "net10.0-aot")]
    [InlineData("10", "net10.0 net10.0-aot")]
    [InlineData(".0", "net10.0 net9.0 net8.0 net10.0-aot")]
    public void A_part_of_a_name_chooses_all_that_have_it(string text, string found) =>
        Assert.Equal(found, string.Join(' ', RuntimeTarget.Find(text).Select(target => target.Name)));

    [Fact]
    public void Installed_runtimes_are_read_from_the_lines_of_the_dotnet_command()
    {
        var versions = InstalledRuntimes.Parse(
            """
            Microsoft.AspNetCore.App 9.0.7 [/usr/share/dotnet/shared/Microsoft.AspNetCore.App]
            Microsoft.NETCore.App 8.0.9 [/usr/share/dotnet/shared/Microsoft.NETCore.App]
            Microsoft.NETCore.App 8.0.31 [C:\Program Files\dotnet\shared\Microsoft.NETCore.App]
            Microsoft.NETCore.App 11.0.0-preview.1.26 [/usr/share/dotnet/shared/Microsoft.NETCore.App]

            no line of it
            """
        );

        Assert.Equal(["8.0.9", "8.0.31", "11.0.0-preview.1.26"], versions);
        Assert.Equal("8.0.31", InstalledRuntimes.Newest(versions, 8));
        Assert.Equal("11.0.0-preview.1.26", InstalledRuntimes.Newest(versions, 11));
        Assert.Null(InstalledRuntimes.Newest(versions, 9));
        Assert.Empty(InstalledRuntimes.Parse(""));
    }

    [Fact]
    public void Mono_is_read_from_what_it_says_of_itself()
    {
        var mono = MonoInstallation.Parse(
            "/usr/bin/mono",
            "Mono JIT compiler version 6.8.0.105 (Debian 6.8.0.105+dfsg-3.3+deb12u1)\nCopyright (C) 2002-2014 Novell, Inc\n\tTLS:           __thread\n\tGC:            sgen (concurrent by default)\n",
            hasFacades: false
        );

        Assert.Equal(new MonoInstallation("/usr/bin/mono", "6.8.0.105", "sgen (concurrent by default)", HasFacades: false), mono);
        Assert.Null(MonoInstallation.Parse("/usr/bin/mono", "", hasFacades: false));
        Assert.Null(MonoInstallation.Parse("/usr/bin/mono", "another program, version 3", hasFacades: false));
    }
}
