using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests;

public class CommandLinesTests
{
    [Theory]
    [InlineData("dotnet run -c Release", true)]
    [InlineData("/usr/bin/dotnet test", true)]
    [InlineData("dotnet /usr/share/dotnet/sdk/10.0.401/MSBuild.dll /nodemode:1", true)]
    [InlineData(@"""C:\Program Files\dotnet\dotnet.exe"" ""C:\Program Files\dotnet\sdk\9.0.100\MSBuild.dll"" /nodemode:1", true)]
    [InlineData("/usr/share/dotnet/sdk/10.0.401/Roslyn/bincore/VBCSCompiler -pipename:x", true)]
    [InlineData("dotnet app.dll run", false)]
    [InlineData("dotnet exec app.dll", false)]
    [InlineData("dotnet --roll-forward Major app.dll", false)]
    [InlineData("dotnet", false)]
    [InlineData("/home/me/app/bin/Release/net10.0/app run", false)]
    [InlineData("", false)]
    public void Tells_tools_of_the_SDK_from_programs(string commandLine, bool expected) =>
        Assert.Equal(expected, CommandLines.IsSdkTool(CommandLineText.Split(commandLine)));

    [Theory]
    [InlineData("dotnet /usr/share/dotnet/sdk/10.0.401/Roslyn/bincore/csc.dll a.cs", true)]
    [InlineData("/usr/share/dotnet/sdk/10.0.401/Roslyn/bincore/csc a.cs", true)]
    [InlineData("dotnet build", false)]
    [InlineData("dotnet app.dll /usr/share/dotnet/sdk/10.0.401", false)]
    [InlineData("dotnet", false)]
    public void A_tool_of_the_SDK_may_be_named_by_its_path(string commandLine, bool expected) =>
        Assert.Equal(expected, CommandLines.NamesSdkTool(CommandLineText.Split(commandLine)));

    [Fact]
    public void Join_and_split_keep_parts_with_blanks_and_empty_ones_apart()
    {
        string[] command = ["/a b/app", "-x", "two words", "last"];

        Assert.Equal("\"/a b/app\" -x \"two words\" last", CommandLineText.Join(command));
        Assert.Equal(command, CommandLineText.Split(CommandLineText.Join(command)));
    }

    [Fact]
    public void Reads_the_command_line_of_this_process_on_Linux()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "/proc is Linux's");

        Assert.Contains("Sessions.Tests", string.Join(' ', CommandLines.Read(Environment.ProcessId, "")), StringComparison.Ordinal);
    }

    [Fact]
    public void An_ended_process_has_the_command_line_its_runtime_reported() =>
        Assert.Equal(["app", "a"], CommandLines.Read(int.MaxValue, "app a"));
}
