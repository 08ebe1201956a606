using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Analysis.Tests.Etl;

/// <summary>On Windows the stack at a thread's switch-in shows where it waited.</summary>
public sealed class SwitchStackTests : IDisposable
{
    private const int App = 4000;
    private const int Main = 4001;
    private const int Marker = 4002;

    private const ulong Write = 0x7FF8_0000_1000;
    private const ulong Monitor = 0x7FF8_0000_2000;
    private const ulong Flush = 0x7FF8_0000_3000;
    private const ulong Ntdll = 0x7FF9_0000_0000;
    private const ulong Kernel = 0xFFFF_F800_0000_0000;

    private readonly TempFolder _folder = new();
    private readonly string _path;

    public SwitchStackTests() => _path = Path.Combine(_folder.Path, "waits.etl");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Waits_are_named_by_the_stack_of_the_thread_that_comes_back()
    {
        using (var trace = new SyntheticEtl(_path))
        {
            Begin(trace);
            trace.Switch(9_800, Main, 0, waits: true); // before the run
            trace.BeginRun(App, Main, Marker, 1, "Json", 10_000);
            Back(trace, 10_100, 10_150, [Kernel + 4], [Ntdll + 16, Write + 0x10, Ntdll + 8]);

            // Preempted before it leaves the kernel: the program's half comes after the next switch, for both of them.
            trace.Switch(10_500, Main, 0, waits: true);
            trace.Ready(10_900, Main);
            trace.Switch(11_000, 0, Main, waits: true);
            trace.Stack(11_001, 11_000, App, Main, [Kernel + 4]);
            trace.Switch(11_002, Main, 0, waits: false);
            trace.Switch(11_102, 0, Main, waits: true);
            trace.Stack(11_103, 11_102, App, Main, [Kernel + 8]);
            trace.Stack(11_110, 11_000, App, Main, [Ntdll + 16, Monitor + 0x10, Write + 0x10, Ntdll + 8]);

            // No stack; native frames only.
            trace.Switch(12_000, Main, 0, waits: true);
            trace.Switch(12_300, 0, Main, waits: true);
            trace.Switch(13_000, Main, 0, waits: true);
            Back(trace, 13_100, 13_150, [Kernel + 4], [Ntdll + 16]);

            // It is not switched in within the run.
            trace.Switch(14_800, Main, 0, waits: true);
            trace.EndRun(App, Main, Marker, 1, "Json", 10_000, 15_000, generation: 0);
            Back(trace, 15_600, 15_700, [Kernel + 4, Ntdll + 16, Flush + 0x10, Ntdll + 8], []);
        }

        var tables = new EventTables(TraceInputReader.Open([_path]).Processes);
        Assert.Equal(
            [
                (WaitReason.Lock, "Lib.Writer.Write", "Lib.dll", 1, 0.4, 0.4),
                (WaitReason.Unknown, null, null, 1, 0.3, 0.3),
                (WaitReason.Unknown, "Lib.Writer.Flush", "Lib.dll", 1, 0.2, 0.2),
                (WaitReason.Unknown, "ntdll.dll+?", "ntdll.dll", 1, 0.1, 0.1),
                (WaitReason.Unknown, "Lib.Writer.Write", "Lib.dll", 0, 0.1, 0.1),
            ],
            tables.Waits.Rows.Select(row =>
                (row.Reason, row.Method?.Name, row.Method?.Module, (int)row.Count, Math.Round(row.Ms, 4), Math.Round(row.MaxMs, 4))
            )
        );
        Assert.All(tables.Waits.Rows, row => Assert.Equal(WaitSource.Switches, row.Source));
        Assert.Empty(tables.Waits.Problems);
        tables.CheckSums();
    }

    [Fact]
    public void A_stack_is_that_of_its_own_switch_however_many_follow()
    {
        using (var trace = new SyntheticEtl(_path))
        {
            Begin(trace);
            trace.BeginRun(App, Main, Marker, 1, "Json", 10_000);
            for (var at = 10_100; at < 14_000; at += 100)
            {
                trace.Switch(at, Main, 0, waits: true);
                var frame = at % 200 == 0 ? Write : Flush;
                Back(trace, at + 20, at + 30, [Kernel + 4], [Ntdll + 16, frame + 0x10, Ntdll + 8]);
            }

            trace.EndRun(App, Main, Marker, 1, "Json", 10_000, 15_000, generation: 0);
        }

        var tables = new EventTables(TraceInputReader.Open([_path]).Processes);
        Assert.Equal(
            [("Lib.Writer.Flush", 20, 0.4), ("Lib.Writer.Write", 19, 0.38)],
            tables.Waits.Rows.Select(row => (row.Method?.Name, (int)row.Count, Math.Round(row.Ms, 4)))
        );
        tables.CheckSums();
    }

    private static void Begin(SyntheticEtl trace)
    {
        trace.Process(App, "MyApp.exe");
        trace.Thread(Main, App);
        trace.Thread(Marker, App);
        trace.Image(App, Ntdll, 0x10_0000, @"\Windows\System32\ntdll.dll");
        trace.Image(0, Kernel, 0x10_0000, @"\SystemRoot\system32\ntoskrnl.exe");
        trace.Module(10, App, Main, 1, @"C:\app\Lib.dll");
        trace.Method(20, App, Main, 1, Write, 0x100, "Lib.Writer", "Write");
        trace.Method(21, App, Main, 2, Monitor, 0x100, "System.Threading.Monitor", "Enter");
        trace.Method(22, App, Main, 3, Flush, 0x100, "Lib.Writer", "Flush");
        trace.Gc(30, App, Main, 1, generation: 0, microseconds: 10);
        trace.Switch(500, 0, Main, waits: true);
    }

    /// <summary>The thread is readied and switched in; its stack in one or two parts.</summary>
    private static void Back(SyntheticEtl trace, long ready, long back, ulong[] first, ulong[] second)
    {
        trace.Ready(ready, Main);
        trace.Switch(back, 0, Main, waits: true);
        trace.Stack(back + 1, back, App, Main, first);
        if (second.Length > 0)
            trace.Stack(back + 5, back, App, Main, second);
    }
}
