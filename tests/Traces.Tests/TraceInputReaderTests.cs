using EtwSerializerProfiler.Traces.Events;
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
        var shares = process.Shares(EventKinds.All).ToDictionary(share => Path.GetFileName(share.Source.Name), share => share.Share);
        Assert.Equal(EventKinds.Jit | EventKinds.MethodCode | EventKinds.AssemblyLoads | EventKinds.Waits, shares["code.nettrace"]);
        Assert.Equal(EventKinds.AllocationTicks, shares["alloc.nettrace"]); // GCs come from clr
        Assert.True(shares["clr.nettrace"].HasFlag(EventKinds.Gc));
    }

    [Fact]
    public void Bare_files_of_one_process_belong_together_and_give_a_kind_once()
    {
        var input = TraceInputReader.Open([
            TestFiles.Data("net10/alloc.nettrace"),
            TestFiles.Data("net10/clr.nettrace"),
            TestFiles.Unmarked,
        ]);

        Assert.Equal(2, input.Processes.Count);
        var shares = input.Processes[0].Shares(EventKinds.All);
        Assert.Equal(EventKinds.Gc, shares[0].Share);
        Assert.False(shares[1].Share.HasFlag(EventKinds.Gc));
        Assert.Equal("gen", input.Processes[1].Program);
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
    [InlineData("Microsoft-Windows-DotNETRuntime", 0x1UL, "Informational", ".NET 10.0.12", EventKinds.Gc)]
    [InlineData("Microsoft-Windows-DotNETRuntime", 0x1UL, "Verbose", ".NET 10.0.12", EventKinds.Gc | EventKinds.AllocationTicks)]
    [InlineData("Microsoft-Windows-DotNETRuntime", 0x10UL, "Informational", ".NET 10.0.12", EventKinds.None)]
    [InlineData("Microsoft-Windows-DotNETRuntime", 0x40000000010UL, "Verbose", ".NET 8.0.31", EventKinds.Jit | EventKinds.MethodCode)]
    [InlineData(
        "Microsoft-Windows-DotNETRuntime",
        0x40000000010UL,
        "Verbose",
        ".NET 9.0.20",
        EventKinds.Jit | EventKinds.MethodCode | EventKinds.Waits
    )]
    [InlineData("Microsoft-Windows-DotNETRuntime", 0x80000000000UL, "Informational", ".NET 9.0.20", EventKinds.None)]
    [InlineData("Microsoft-Windows-DotNETRuntime", 0x80000000000UL, "Informational", ".NET 10.0.12", EventKinds.AllocationSamples)]
    [InlineData("Microsoft-Windows-DotNETRuntime", 0xA00000000CUL, "Informational", ".NET 10.0.12", EventKinds.Startup)]
    [InlineData(
        "Microsoft-Windows-DotNETRuntime",
        0xA00000000CUL,
        "Verbose",
        ".NET Core 3.1.32",
        EventKinds.AssemblyLoads | EventKinds.PrecompiledMethods
    )]
    [InlineData("EtwSerializerProfiler-Runs", 0x0UL, "Informational", ".NET 8.0.31", EventKinds.RunMarks)]
    [InlineData("BenchmarkDotNet.EngineEventSource", 0x0UL, "Informational", ".NET 8.0.31", EventKinds.RunMarks)]
    [InlineData("Other", 0xFFFFUL, "Verbose", "", EventKinds.None)]
    public void Keywords_level_and_runtime_decide_what_a_session_gives(
        string provider,
        ulong keywords,
        string level,
        string runtime,
        EventKinds expected
    )
    {
        var session = new PlannedSession("x", [PlannedProvider.Create(provider, keywords, level)], false, 64, "");

        Assert.Equal(expected, SessionKinds.Of(session, runtime));
    }

    [Theory]
    [InlineData("dotnet exec /a/b/app.dll --x", "app")]
    [InlineData("/usr/bin/dotnet \"/a folder/My.App.dll\"", "My.App")]
    [InlineData("C:\\tools\\esp-workload.exe run", "esp-workload")]
    [InlineData("dotnet", "dotnet")]
    [InlineData("", "")]
    public void A_program_is_named_by_its_command_line(string commandLine, string expected) =>
        Assert.Equal(expected, ProgramName.Of(commandLine));
}
