using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Rows;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Tests.Flames;

/// <summary>Own methods of a call tree, against hand-made sums, and their names in the source.</summary>
public sealed class OwnMethodsTests
{
    private static readonly FlameFrame[] s_frames =
    [
        Managed("App.Main", "App.dll"),
        Managed("System.Array.Sort", "System.Private.CoreLib.dll"),
        Managed("App.Compare", "App.dll"),
        new("memcpy", "libc.so.6", CodeKind.Native, false, IsMine: false),
        Managed("System.Threading.ThreadStart", "System.Private.CoreLib.dll"),
        Managed("App+<Load>d__1.MoveNext", "App.dll"),
        Managed("App.Load", "App.dll"),
    ];

    [Fact]
    public void Code_of_the_platform_counts_for_the_method_that_calls_it()
    {
        // Main 1 → Sort 2 → Compare 3 → memcpy 4; ThreadStart 5 → Load's state machine 6 → Load 7
        var methods = OwnMethods.Of(
            s_frames,
            Tree((0, 0, 10, 1), (1, 1, 9, 2), (2, 2, 7, 3), (3, 3, 4, 4), (0, 4, 18, 5), (1, 5, 13, 6), (2, 6, 7, 7))
        );

        Assert.Equal(
            [("App.Load", 13, 13), ("App.Compare", 7, 7), ("App.Main", 3, 10)],
            methods.Methods.Select(method => (method.Name, method.Ticks, method.InclusiveTicks))
        );
        Assert.Equal(5, methods.TicksBelowNone);
    }

    [Fact]
    public void A_method_that_calls_itself_counts_once()
    {
        // Main → Sort → Main → Compare
        var methods = OwnMethods.Of(s_frames, Tree((0, 0, 10, 1), (1, 1, 9, 2), (2, 0, 7, 3), (3, 2, 4, 4)));

        Assert.Equal(
            [("App.Main", 6, 10), ("App.Compare", 4, 4)],
            methods.Methods.Select(method => (method.Name, method.Ticks, method.InclusiveTicks))
        );
    }

    [Fact]
    public void A_method_has_its_line_of_most_time()
    {
        var tree = Tree((0, 0, 10, 4), (1, 2, 6, 6)) with
        {
            Lines =
            [
                new(new OwnLine("App.Main", "App.dll", new SourceLine("/src/App.cs", 7)), Own(1)),
                new(new OwnLine("App.Main", "App.dll", new SourceLine("/src/App.cs", 9)), Own(3)),
                new(new OwnLine("App.Main", "Other.dll", new SourceLine("/src/Other.cs", 1)), Own(5)),
            ],
        };

        Assert.Equal(
            [("App.Compare", null, null), ("App.Main", "App.cs:9", 3L)],
            OwnMethods.Of(s_frames, tree).Methods.Select(method => (method.Name, method.Hottest?.Line.ToString(), method.Hottest?.Ticks))
        );

        static CauseTimes Own(long ticks)
        {
            var times = new CauseTimes { TicksPerSecond = 1000 };
            times.Add(-1, ticks);
            return times;
        }
    }

    [Theory]
    [InlineData("App.Book.Read", "App.Book.Read")]
    [InlineData("App.Book+<ReadAsync>d__6.MoveNext", "App.Book.ReadAsync")]
    [InlineData("App.Book+<ReadAsync>d__6`1[System.__Canon].MoveNext", "App.Book.ReadAsync")]
    [InlineData("Program+<>c.<<Main>$>b__0_2", "Program.Main (lambda 3)")]
    [InlineData("Program+<>c__DisplayClass0_0.<Find>b__1", "Program.Find (lambda 2)")]
    [InlineData("Program+<>c__DisplayClass0_0+<<<Main>$>b__1>d.MoveNext", "Program.Main (lambda 2)")]
    [InlineData("Program.<<Main>$>g__Add|0_3", "Program.Main.Add")]
    [InlineData("Program+<>c__DisplayClass3_0.<Sum>g__Add|0", "Program.Sum.Add")]
    [InlineData("Program.<Main>$", "Program.Main")]
    [InlineData("<>f__AnonymousType0`2[System.Int32,System.__Canon]..ctor", "<>f__AnonymousType0`2[System.Int32,System.__Canon]..ctor")]
    public void Code_that_the_compiler_keeps_elsewhere_has_the_name_of_its_method(string name, string inSource) =>
        Assert.Equal(inSource, SourceName.Of(name));

    private static FlameFrame Managed(string name, string module) =>
        new(name, module, CodeKind.Managed, false, OwnCode.IsOfProgram(CodeKind.Managed, module));

    private static FlameTree Tree(params (int Depth, int Frame, long Inclusive, long Own)[] nodes) =>
        new(
            new SummaryKey("App", "Run", RunKind.Measured, 0, 0, 1),
            nodes.Sum(node => node.Own),
            nodes.Sum(node => node.Own),
            [
                .. nodes.Select(node => new FlameNode(
                    node.Depth,
                    node.Frame,
                    node.Inclusive,
                    node.Own,
                    node.Inclusive,
                    node.Own,
                    FlameSet.Own
                )),
            ],
            nodes.Length,
            0
        );
}
