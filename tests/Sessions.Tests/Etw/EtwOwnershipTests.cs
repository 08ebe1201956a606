using EtwSerializerProfiler.Sessions.Etw.Ownership;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Tools;

namespace EtwSerializerProfiler.Sessions.Tests.Etw;

/// <summary>
/// Running sessions: their owners, and the meaning of errors. The listings were written for these tests, in the documented form of each
/// tool.
/// </summary>
public class EtwOwnershipTests
{
    /// <summary>Form: "Avoiding Lost Buffers" (MicrosoftDocs/win32 desktop-src/xperf/avoiding-lost-buffers.md).</summary>
    private const string XperfLoggers = """

        Microsoft (R) Windows (R) Performance Analyzer Version 10.0.22621
        Performance Analyzer Command Line

        Logger Name           : NT Kernel Logger
        Logger Id             : ffff
        Logger Thread Id      : 00001A2C
        Buffer Size           : 1024
        Maximum Buffers       : 512
        Events Lost           : 12
        Log File Mode         : Sequential Secure
        Maximum File Size     : 0
        Log Filename          : D:\recordings\r 1\kernel.etl
        Trace Flags           : PROC_THREAD+LOADER+PROFILE+CSWITCH

        Logger Name           : esp-4711-clr
        Logger Id             : 17
        Events Lost           : 0
        Log Filename          :
        Trace Flags           : Microsoft-Windows-DotNETRuntime:0x9c001:0x4

        """;

    /// <summary>Form: "Example 8: Configuring Trace Buffers" of the driver kit's documentation.</summary>
    private const string TracelogList = """
        Operation Status:       0L      The operation completed successfully.

        Logger Name:            MyTrace
        Logger Id:              2
        Logger Thread Id:       00000D7C
        Buffer Size:            128 Kb
        Events Lost:            3
        AgeLimit:               15
        Log File Mode:          Sequential
        Log Filename:           d:\traces\mytrace.etl

        Logger Name:            esp-99-kernel
        Log Filename:           d:\traces\kernel.etl
        """;

    /// <summary>Form: "logman query -ets"; headings are those of a German Windows, as they are translated.</summary>
    private const string Logman = """

        Sammlungssatz                           Typ                           Status
        -------------------------------------------------------------------------------
        Circular Kernel Context Logger          Ablaufverfolgung              Wird ausgeführt
        NT Kernel Logger                        Ablaufverfolgung              Wird ausgeführt
        esp-4711-code                           Ablaufverfolgung              Wird ausgeführt

        Der Befehl wurde erfolgreich ausgeführt.
        """;

    /// <summary>Form: "WPR Command-Line Options", -status collectors.</summary>
    private const string WprStatus = """
        WPR recording is in progress...

        Time since start        : 00:04:27
        Dropped event           : 0

        Collector Name          : WPR_initiated_esp-4711-wpr_clr
        Buffer Size (KB)        : 1024
        Events Lost             : 0
        """;

    private static readonly EtwLedgerEntry s_entry = new(
        4711,
        new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc),
        EtwTool.Xperf,
        @"D:\recordings\r 1\",
        ["esp-4711-clr", "NT Kernel Logger"],
        SampleIntervalChanged: false
    );

    [Fact]
    public void Listings_of_every_tool_are_read()
    {
        Assert.Equal(
            [new EtwRunningSession("NT Kernel Logger", @"D:\recordings\r 1\kernel.etl", 12), new EtwRunningSession("esp-4711-clr", "", 0)],
            EtwSessionListing.Read(XperfLoggers)
        );
        Assert.Equal(
            [
                new EtwRunningSession("MyTrace", @"d:\traces\mytrace.etl", 3),
                new EtwRunningSession("esp-99-kernel", @"d:\traces\kernel.etl"),
            ],
            EtwSessionListing.Read(TracelogList)
        );
        Assert.Equal(
            ["Circular Kernel Context Logger", "NT Kernel Logger", "esp-4711-code"],
            EtwSessionListing.Read(Logman).Select(session => session.Name)
        );
        Assert.Equal(["WPR_initiated_esp-4711-wpr_clr"], EtwSessionListing.Read(WprStatus).Select(session => session.Name));
        Assert.Empty(EtwSessionListing.Read(""));
        Assert.Empty(EtwSessionListing.Read("No Selected Active Loggers\n"));
        Assert.Equal(2, EtwSessionListing.Read(XperfLoggers.ReplaceLineEndings("\r\n")).Count);
    }

    [Theory]
    [InlineData("esp-4711-clr", true, 4711)]
    [InlineData("ESP-4711-CLR", true, 4711)]
    [InlineData("WPR_initiated_esp-12-wpr_clr", true, 12)]
    [InlineData("esp-clr", true, 0)] // our scripts'
    [InlineData("espresso", false, 0)]
    [InlineData("NT Kernel Logger", false, 0)]
    public void Ours_are_recognized_by_their_names(string name, bool ours, int processId)
    {
        Assert.Equal(ours, EtwSessionName.IsOurs(name, out var found));
        Assert.Equal(processId, found);
    }

    [Theory]
    [InlineData("esp-4711-clr", "", false, EtwSessionState.LeftBehind)]
    [InlineData("esp-4711-clr", "", true, EtwSessionState.InUse)]
    [InlineData("esp-5-clr", "", false, EtwSessionState.LeftBehind)] // no entry: only its process id is known
    [InlineData("esp-clr", "", false, EtwSessionState.Unknown)]
    [InlineData("PerfViewSession", "", false, EtwSessionState.Other)]
    [InlineData("NT Kernel Logger", @"d:\RECORDINGS\r 1\kernel.etl", false, EtwSessionState.LeftBehind)]
    [InlineData("NT Kernel Logger", @"D:\recordings\r 1\kernel.etl", true, EtwSessionState.InUse)]
    [InlineData("NT Kernel Logger", @"D:\recordings\r 11\kernel.etl", false, EtwSessionState.Other)]
    [InlineData("NT Kernel Logger", @"C:\kernel.etl", false, EtwSessionState.Other)]
    [InlineData("NT Kernel Logger", "", false, EtwSessionState.Unknown)]
    public void Whose_a_session_is(string name, string file, bool alive, EtwSessionState expected)
    {
        var found = new EtwOwnership([s_entry], _ => alive, _ => alive).Find(new EtwRunningSession(name, file));

        Assert.Equal(expected, found.State);
        if (
            name == EtwKernelSession.NtKernelLogger
            && expected is EtwSessionState.Other or EtwSessionState.Unknown
            && name == EtwKernelSession.NtKernelLogger
        )
            Assert.Contains("check whether another profiler", found.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_a_note_the_kernel_logger_is_somebody_elses() =>
        Assert.Equal(
            EtwSessionState.Other,
            new EtwOwnership([], _ => false, _ => false).Find(new EtwRunningSession("NT Kernel Logger")).State
        );

    [Fact]
    public void Notes_are_written_read_and_removed()
    {
        using var folder = new TempFolder();
        var ledger = new EtwLedger(Path.Combine(folder.Path, "ledger"));
        Assert.Empty(ledger.Read(out _));

        ledger.Write(s_entry);
        folder.Write("ledger/1.json", "{");
        folder.Write("ledger/2.json", "{}");

        var read = Assert.Single(ledger.Read(out var problems));
        Assert.Equal(
            (s_entry.ProcessId, s_entry.ProcessStartedUtc, s_entry.Tool, s_entry.Folder),
            (read.ProcessId, read.ProcessStartedUtc, read.Tool, read.Folder)
        );
        Assert.Equal(s_entry.Sessions, read.Sessions);
        Assert.Equal(2, problems.Count);
        Assert.False(EtwLedger.IsAlive(read with { ProcessId = Environment.ProcessId })); // another process had this id in 2026
        using var self = System.Diagnostics.Process.GetCurrentProcess();
        Assert.True(
            EtwLedger.IsAlive(read with { ProcessId = Environment.ProcessId, ProcessStartedUtc = self.StartTime.ToUniversalTime() })
        );
        ledger.Remove(s_entry.ProcessId);
        Assert.Empty(ledger.Read(out _));
    }

    [Theory]
    [InlineData(170, "", 0x800700AA)]
    [InlineData(unchecked((int)0x800700AA), "", 0x800700AA)]
    [InlineData(1, "xperf: error: NT Kernel Logger: The requested resource is in use. (0x800700AA)", 0x800700AA)]
    [InlineData(183, "", 0x800700B7)]
    [InlineData(1, "Operation Status:       183L    Cannot create a file when that file already exists.", 0x800700B7)]
    [InlineData(5, "", 0x80070005)]
    [InlineData(1450, "", 0x800705AA)]
    [InlineData(unchecked((int)0x800705AA), "", 0x800705AA)]
    [InlineData(1, "\tError code: 0xc5583000", 0xC5583000)]
    [InlineData(-2147023892, "", 0x800703EC)]
    public void Errors_are_explained_with_what_to_do(int exitCode, string output, uint expected)
    {
        var error = EtwErrors.Explain(exitCode, output);

        Assert.NotNull(error);
        Assert.Equal(expected, error.HResult);
        Assert.True(error.Meaning.Length > 20 && error.Fix.Length > 20);
    }

    [Fact]
    public void What_is_not_known_is_not_explained()
    {
        Assert.Null(EtwErrors.Explain(99, "nothing of use, 0x12345678"));
        Assert.Null(EtwErrors.Find(0));
        Assert.Distinct(EtwErrors.All.Select(error => error.HResult));
    }
}
