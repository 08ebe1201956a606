using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Analysis.Tests;

/// <summary>
/// Stacks of events are expanded as those of samples are: Parse has ReadString inlined, and each return address belongs to the call before
/// it.
/// </summary>
public sealed class ExpandedEventTests
{
    private const ulong Main = 0x1000;
    private const ulong Parse = 0x2000;
    private const ulong Monitor = 0x3000;
    private const ulong Allocate = 0x5000;
    private const ulong Dispatch = 0x6000;

    /// <summary>Where the code of ReadString begins: the call before it is Parse's own.</summary>
    private const ulong Begin = Parse + 0x80;
    private const ulong InReadString = Begin + 1;
    private const ulong InMain = Main + 0x10;

    private const string ReadString = "Lib.Parser.ReadString";

    private static readonly StackMethod[] s_path =
    [
        Method(ReadString, isInlined: true),
        Method("Lib.Parser.Parse"),
        Method("Lib.Parser.Main"),
    ];

    [Fact]
    public void Allocations()
    {
        var tables = new EventTables(
            Trace()
                .Sampled(1100, "A", 24, stack: [Allocate + 8, InReadString, InMain])
                .Sampled(1200, "A", 24, stack: [InReadString, InMain])
                .Sampled(1300, "A", 24, stack: [Begin, InMain])
        );

        Assert.Equal(
            [(ReadString, 2), ("Lib.Parser.Parse", 1)],
            tables.Allocations(AllocationGrouping.Method).Rows.Select(row => (row.Method!.Value.Name, (int)row.Events))
        );
        var stacks = tables.Allocations(AllocationGrouping.Stack).Rows;
        Assert.Equal([(ReadString, 2), ("Lib.Parser.Parse", 1)], stacks.Select(row => (row.Method!.Value.Name, (int)row.Events)));
        Assert.Equal([s_path, s_path[1..]], stacks.Select(row => row.Stack!));
    }

    [Fact]
    public void Exceptions()
    {
        var result = new EventTables(
            Trace().Throw(1100, "System.FormatException", "", 1, stack: [Dispatch + 8, InReadString, InMain])
        ).Exceptions;

        Assert.Equal(ReadString, Assert.Single(result.Rows).Method?.Name);
        Assert.Equal([Method("System.Runtime.EH.DispatchEx"), .. s_path], Assert.Single(result.Stacks).Frames);
    }

    /// <summary>An instruction that faults has called nothing: its own address is on the stack.</summary>
    [Theory]
    [InlineData("System.NullReferenceException", ReadString)]
    [InlineData("System.DivideByZeroException", ReadString)]
    [InlineData("System.FormatException", "Lib.Parser.Parse")]
    public void Faults(string type, string method)
    {
        var result = new EventTables(
            Trace()
                .Throw(1100, type, "managed dispatch", 1, stack: [Dispatch + 8, Begin, InMain])
                .Throw(1200, type, "native dispatch", 1, stack: [Begin, InMain])
        ).Exceptions;

        Assert.All(result.Rows, row => Assert.Equal(method, row.Method?.Name));
        Assert.All(result.Stacks, stack => Assert.Equal([Method("Lib.Parser.Parse"), Method("Lib.Parser.Main")], stack.Frames.TakeLast(2)));
    }

    [Fact]
    public void Locks() =>
        Assert.Equal(
            ReadString,
            Assert
                .Single(
                    new EventTables(Trace().Contention(1100, 1200, SyntheticTrace.Main, 1, 9, Monitor + 8, InReadString, InMain)).Locks.Rows
                )
                .Method?.Name
        );

    [Fact]
    public void Waits()
    {
        var byEvents = Trace(EventKinds.All & ~EventKinds.ContextSwitches)
            .Wait(1100, 1200, SyntheticTrace.Main, Monitor + 8, InReadString, InMain);
        Assert.Equal(ReadString, Assert.Single(new EventTables(byEvents).Waits.Rows).Method?.Name);

        var bySwitches = Trace()
            .SwitchIn(500, SyntheticTrace.Main)
            .SwitchOutStack(1099, SyntheticTrace.Main, 1, 0xffffffff81000000, Monitor + 8, InReadString, InMain)
            .SwitchOut(1100, SyntheticTrace.Main)
            .SwitchIn(1200, SyntheticTrace.Main);
        Assert.Equal(ReadString, Assert.Single(new EventTables(bySwitches).Waits.Rows).Method?.Name);
    }

    /// <summary>
    /// A GC in the background begins with one in the foreground: both have the trigger of their suspension. The next suspension has none,
    /// as its trigger was lost.
    /// </summary>
    [Fact]
    public void Gcs()
    {
        var tables = new EventTables(
            new EventQuery(new RunFilter { AllKinds = true }, null),
            Trace()
                .Pause(1100, 1200)
                .Triggered(1101, stack: [Allocate + 8, InReadString, InMain])
                .Gc(1102, 1, 1, GcKind.Blocking)
                .Gc(1150, 2, 2, GcKind.Background)
                .Pause(1300, 1350)
                .Gc(1301, 3, 0, GcKind.Foreground)
                .Pause(1400, 1420)
                .Triggered(1401, 7, InReadString, InMain)
                .Gc(1402, 4, 1, GcKind.Blocking)
                .Pause(4000, 4010)
                .Triggered(4001)
                .Gc(4002, 5, 1, GcKind.Blocking)
        );

        Assert.Null(tables.Gcs.Triggers);
        var rows = tables.GcsBy(GcGrouping.Method).Triggers!.Rows;
        Assert.Equal(
            [
                (ReadString, 1, 2, 0.07, 0.05, "Json"),
                (ReadString, 2, 1, 0.05, 0.05, "Json"),
                (null, 0, 1, 0.05, 0.05, "Json"),
                (null, 1, 1, 0.01, 0.01, null),
            ],
            rows.OrderByDescending(row => row.Generation == 1 && row.Runs is not null)
                .ThenByDescending(row => row.Generation * (row.Runs is null ? -1 : 1))
                .Select(row =>
                    (
                        row.Method?.Name,
                        row.Generation,
                        (int)row.Count,
                        Math.Round(row.PauseMs, 4),
                        Math.Round(row.MaxPauseMs, 4),
                        row.Runs?.Serializer
                    )
                )
        );
        var stacks = tables.GcsBy(GcGrouping.Stack).Triggers!.Rows;
        Assert.Equal(rows.Sum(row => row.PauseMs), stacks.Sum(row => row.PauseMs), 9);
        Assert.All(stacks.Where(row => row.Method is not null), row => Assert.Equal(s_path, row.Stack));
        Assert.All(stacks.Where(row => row.Method is null), row => Assert.Null(row.Stack));
    }

    private static StackMethod Method(string name, bool isInlined = false) => new(new MethodName(name, "Lib.dll"), isInlined, IsMine: true);

    private static SyntheticTrace Trace(EventKinds capabilities = EventKinds.All) =>
        new SyntheticTrace { Kinds = capabilities }
            .Run(1, 1000, 3000)
            .Module("/app/Lib.dll")
            .Code(1, Main, "Lib.Parser", "Main", 1)
            .Code(1, Monitor, "System.Threading.Monitor", "Enter", 3)
            .Code(1, 0x4000, "Lib.Parser", "ReadString", 4)
            .Code(1, Allocate, "System.GC", "Allocate", 5)
            .Code(1, Dispatch, "System.Runtime.EH", "DispatchEx", 6)
            .Code(1, Parse, "Lib.Parser", "Parse", 2)
            .Inlined(1, [(2, 1, 0), (4, 0, 0)], (0, 0), (1, (int)(Begin - Parse)));
}
