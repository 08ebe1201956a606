using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Traces.Tests;

public sealed class TraceInputReaderTests
{
    [Fact]
    public void A_recording_says_what_its_sessions_give()
    {
        var input = TraceInputReader.Open([TestFiles.Recording]);

        var process = Assert.Single(input.Processes);
        Assert.Equal((14755, "gen", 19), (process.ProcessId, process.Program, process.CsvRows.Count));
        Assert.Empty(input.Problems);
        var shares = process.Shares(TraceCapabilities.All).ToDictionary(share => Path.GetFileName(share.Source.Name), share => share.Share);
        Assert.Equal(TraceCapabilities.Jit | TraceCapabilities.MethodCode | TraceCapabilities.AssemblyLoads | TraceCapabilities.Waits | TraceCapabilities.Stacks, shares["code.nettrace"]);
        Assert.Equal(TraceCapabilities.AllocationTicks | TraceCapabilities.Stacks, shares["alloc.nettrace"]); // collections come from clr
        Assert.True(shares["clr.nettrace"].HasFlag(TraceCapabilities.Collections));
    }

    [Fact]
    public void Bare_files_of_one_process_belong_together_and_give_a_kind_once()
    {
        var input = TraceInputReader.Open([TestFiles.Data("net10/alloc.nettrace"), TestFiles.Data("net10/clr.nettrace"), TestFiles.Unmarked]);

        Assert.Equal(2, input.Processes.Count);
        var shares = input.Processes[0].Shares(TraceCapabilities.All);
        Assert.Equal(TraceCapabilities.Collections | TraceCapabilities.Stacks, shares[0].Share);
        Assert.False(shares[1].Share.HasFlag(TraceCapabilities.Collections));
        Assert.Equal("program", input.Processes[1].Program);
    }

    [Fact]
    public void One_unreadable_file_is_a_problem_none_readable_an_error()
    {
        using var folder = new TempFolder();
        var bad = folder.Write("bad.nettrace", "nothing");

        Assert.Contains("bad.nettrace", Assert.Single(TraceInputReader.Open([bad, TestFiles.Unmarked]).Problems), StringComparison.Ordinal);
        Assert.Throws<TraceFormatException>(() => TraceInputReader.Open([bad]));
        Assert.Throws<TraceFormatException>(() => TraceInputReader.Open([Path.Combine(folder.Path, "missing.nettrace")]));
        Assert.Throws<TraceFormatException>(() => TraceInputReader.Open([folder.Path]));
    }

    [Fact]
    public void A_recording_cannot_name_files_outside_its_folder()
    {
        using var folder = new TempFolder();
        var recording = RecordingFile.Read(TestFiles.Recording) with { RunsFile = "../../etc/passwd" };
        RecordingFile.Write(folder.Path, recording);
        foreach (var session in recording.Processes[0].Sessions)
            File.Copy(Path.Combine(TestFiles.Recording, session.File), Path.Combine(folder.Path, session.File));

        Assert.Contains(TraceInputReader.Open([folder.Path]).Problems, problem => problem.Contains("outside", StringComparison.Ordinal));
    }

    [Fact]
    public void A_recording_without_a_readable_file_is_an_error()
    {
        using var folder = new TempFolder();
        RecordingFile.Write(folder.Path, RecordingFile.Read(TestFiles.Recording));

        Assert.Throws<TraceFormatException>(() => TraceInputReader.Open([folder.Path]));
    }

    [Theory]
    [InlineData("Microsoft-Windows-DotNETRuntime", 0x1UL, "Informational", ".NET 10.0.12", TraceCapabilities.Collections)]
    [InlineData("Microsoft-Windows-DotNETRuntime", 0x1UL, "Verbose", ".NET 10.0.12", TraceCapabilities.Collections | TraceCapabilities.AllocationTicks)]
    [InlineData("Microsoft-Windows-DotNETRuntime", 0x10UL, "Informational", ".NET 10.0.12", TraceCapabilities.None)]
    [InlineData("Microsoft-Windows-DotNETRuntime", 0x40000000010UL, "Verbose", ".NET 8.0.31", TraceCapabilities.Jit | TraceCapabilities.MethodCode)]
    [InlineData("Microsoft-Windows-DotNETRuntime", 0x40000000010UL, "Verbose", ".NET 9.0.20", TraceCapabilities.Jit | TraceCapabilities.MethodCode | TraceCapabilities.Waits)]
    [InlineData("Microsoft-Windows-DotNETRuntime", 0x80000000000UL, "Informational", ".NET 9.0.20", TraceCapabilities.None)]
    [InlineData("Microsoft-Windows-DotNETRuntime", 0x80000000000UL, "Informational", ".NET 10.0.12", TraceCapabilities.AllocationSamples)]
    [InlineData("Microsoft-Windows-DotNETRuntime", 0xA00000000CUL, "Informational", ".NET 10.0.12", TraceCapabilities.Startup)]
    [InlineData("Microsoft-Windows-DotNETRuntime", 0xA00000000CUL, "Verbose", ".NET Core 3.1.32", TraceCapabilities.AssemblyLoads | TraceCapabilities.PrecompiledMethods)]
    [InlineData("EtwSerializerProfiler-Runs", 0x0UL, "Informational", ".NET 8.0.31", TraceCapabilities.RunMarks)]
    [InlineData("BenchmarkDotNet.EngineEventSource", 0x0UL, "Informational", ".NET 8.0.31", TraceCapabilities.RunMarks)]
    [InlineData("Other", 0xFFFFUL, "Verbose", "", TraceCapabilities.None)]
    public void Keywords_level_and_runtime_decide_what_a_session_gives(string provider, ulong keywords, string level, string runtime, TraceCapabilities expected)
    {
        var session = new PlannedSession("x", [PlannedProvider.Create(provider, keywords, level)], false, 64, "");

        Assert.Equal(expected, SessionCapabilities.Of(session, runtime));
    }

    [Theory]
    [InlineData("dotnet exec /a/b/app.dll --x", "app")]
    [InlineData("/usr/bin/dotnet \"/a folder/My.App.dll\"", "My.App")]
    [InlineData("C:\\tools\\esp-workload.exe run", "esp-workload")]
    [InlineData("dotnet", "dotnet")]
    [InlineData("", "")]
    public void A_program_is_named_by_its_command_line(string commandLine, string expected) => Assert.Equal(expected, ProgramName.Of(commandLine));
}
