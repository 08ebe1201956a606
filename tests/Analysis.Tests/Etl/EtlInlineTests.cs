using System.Reflection.PortableExecutable;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests.Etl;

/// <summary>Inlined methods of an .etl whose session had the private provider of the runtime.</summary>
public sealed class EtlInlineTests : IDisposable
{
    private const int App = 4000;
    private const int Main = 4001;
    private const int Marker = 4002;

    private const long Outer = 20;
    private const long Inner = 21;
    private const long Deep = 22;
    private const long Own = 1;
    private const ulong OuterCode = 0x7FF8_0000_1000;
    private const ulong InnerCode = 0x7FF8_0000_2000;
    private const ulong Ntdll = 0x7FF9_0000_0000;

    /// <summary>The process's own method with inlined ones: Deep from 0x40 on, in Inner, which has the rest from 0x20 to 0x60.</summary>
    private static readonly byte[] s_tree = InlineBytes.Tree([(Outer, 1, 0), (Inner, 2, 0), (Deep, 0, 0)], (1, 0x20), (2, 0x40), (0, 0x60));

    private static readonly string s_file = typeof(EtlInlineTests).Assembly.Location;

    private readonly TempFolder _folder = new();
    private readonly string _path;

    public EtlInlineTests() => _path = Path.Combine(_folder.Path, "inline.etl");

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void Inlined_methods_are_frames_of_their_own(int chunks)
    {
        var cpu = Read(trace =>
        {
            var size = (s_tree.Length + chunks - 1) / chunks;
            for (var i = 0; i < chunks; i++)
                trace.Private(
                    210 + i,
                    App,
                    Main,
                    189,
                    InlineBytes.Chunk(Outer, 5, i, i == chunks - 1, s_tree.AsSpan(i * size, Math.Min(size, s_tree.Length - (i * size))))
                );
        });

        const string deep = "EtwSerializerProfiler.Analysis.Tests.Etl.EtlInlineTests.Square";
        Assert.Equal(
            [("Lib.Writer.Outer", false, 1L, 3L), ("Lib.Writer.Inner", true, 1, 2), (deep, true, 1, 1), ("ntdll.dll+?", false, 0, 3)],
            cpu.Rows.OrderByDescending(row => row.Samples)
                .ThenByDescending(row => row.InclusiveSamples)
                .Select(row => (row.Name, row.IsInlined, row.Samples, row.InclusiveSamples))
        );
        Assert.Equal((2L, 2, 2), (cpu.ExpandedStacks!.Value, cpu.InlinedMethods!.Value, cpu.NamedInlinedMethods!.Value));
        Assert.Contains("the IL of 1 of the recorded assemblies", Assert.Single(cpu.SymbolProblems), StringComparison.Ordinal);
    }

    [Fact]
    public void A_tree_that_lacks_a_part_is_reported_and_its_method_has_a_plain_frame()
    {
        var cpu = Read(trace => trace.Private(210, App, Main, 189, InlineBytes.Chunk(Outer, 5, 1, isLast: true, s_tree)), good: true);

        Assert.Equal([("Lib.Writer.Outer", 3L), ("ntdll.dll+?", 0)], cpu.Rows.Select(row => (row.Name, row.Samples)));
        Assert.Contains("inlined frames of 1 method", Assert.Single(cpu.SymbolProblems), StringComparison.Ordinal);
    }

    /// <summary>ETW's rundown repeats trees, each before its method.</summary>
    [Fact]
    public void A_tree_that_the_rundown_repeats_is_not_a_loss()
    {
        var cpu = Read(trace =>
        {
            trace.Private(210, App, Main, 189, InlineBytes.Chunk(Outer, 5, 0, isLast: true, s_tree));
            trace.Private(20_000, App, Main + 9, 189, InlineBytes.Chunk(Outer, 5, 0, isLast: true, s_tree));
            trace.Method(20_001, App, Main + 9, Outer, OuterCode, 0x100, "Lib.Writer", "Outer", isRundown: true, module: 2);
        });

        Assert.Equal(2, cpu.ExpandedStacks);
        Assert.Contains("the IL of 1 of the recorded assemblies", Assert.Single(cpu.SymbolProblems), StringComparison.Ordinal);
    }

    [Fact]
    public void Code_of_before_the_session_has_the_tree_that_only_the_rundown_has()
    {
        var cpu = Read(
            trace =>
            {
                trace.Private(20_000, App, Main + 9, 189, InlineBytes.Chunk(Outer, 5, 0, isLast: true, s_tree));
                trace.Method(20_001, App, Main + 9, Outer, OuterCode, 0x100, "Lib.Writer", "Outer", isRundown: true, module: 2);
            },
            isLoaded: false
        );

        Assert.Equal((2L, 2), (cpu.ExpandedStacks!.Value, cpu.NamedInlinedMethods!.Value));
        Assert.Contains("the IL of 1 of the recorded assemblies", Assert.Single(cpu.SymbolProblems), StringComparison.Ordinal);
    }

    [Fact]
    public void Other_events_of_the_private_provider_are_passed_by()
    {
        var cpu = Read(trace =>
        {
            trace.Private(210, App, Main, 188, s_tree);
            trace.Private(211, App + 1, Main, 187, new byte[40]); // no .NET process for it
        });

        Assert.Null(cpu.ExpandedStacks);
        Assert.Equal(["Lib.Writer.Outer", "ntdll.dll+?"], cpu.Rows.Select(row => row.Name));
        Assert.Single(TraceInputReader.Open([_path]).Processes);
    }

    /// <summary>What identifies the file as the loaded one.</summary>
    private static Guid Pdb()
    {
        using var file = new PEReader(File.OpenRead(s_file));
        return file.ReadCodeViewDebugDirectoryData(
            file.ReadDebugDirectory().First(entry => entry.Type == DebugDirectoryEntryType.CodeView)
        ).Guid;
    }

    private static int Square(int value) => value * value;

    /// <summary>Reads the samples of a trace.</summary>
    /// <param name="inlining">Writes the tree of the method that was loaded last.</param>
    /// <param name="good">Whether another method has a tree, which is good.</param>
    /// <param name="isLoaded">Whether the method was loaded in the session.</param>
    private CpuResult Read(Action<SyntheticEtl> inlining, bool good = false, bool isLoaded = true)
    {
        using (var trace = new SyntheticEtl(_path))
        {
            trace.SampleInterval(1);
            trace.Process(App, "MyApp.exe");
            trace.Thread(Main, App);
            trace.Thread(Marker, App);
            trace.Image(App, Ntdll, 0x10_0000, @"\Windows\System32\ntdll.dll");
            trace.Module(10, App, Main, 2, @"C:\app\Lib.dll");
            trace.Clr(11, App, Main, 152, 2, InlineBytes.Module(Own, s_file, Pdb()));
            trace.Clr(12, App, Main, 15, 0, InlineBytes.Types((50, Own, typeof(EtlInlineTests).MetadataToken, false, [])));
            trace.Clr(13, App, Main, 72, 0, InlineBytes.Method(Deep, 50, ((Func<int, int>)Square).Method.MetadataToken));
            trace.Clr(100, App, Main, 143, 2, InlineBytes.Load(Inner, 2, InnerCode, 0x100, "Lib.Writer", "Inner", 4));
            if (good)
                trace.Private(
                    101,
                    App,
                    Main,
                    189,
                    InlineBytes.Chunk(Inner, 4, 0, isLast: true, InlineBytes.Tree([(Inner, 1, 0), (Deep, 0, 0)], (1, 0)))
                );
            if (isLoaded)
                trace.Clr(200, App, Main, 143, 2, InlineBytes.Load(Outer, 2, OuterCode, 0x100, "Lib.Writer", "Outer", 5));
            inlining(trace);
            trace.BeginRun(App, Main, Marker, 1, "Json", 10_000);
            foreach (var (at, offset) in ((long, ulong)[])[(10_100, 0x10), (10_200, 0x20), (10_300, 0x40)])
                trace.Sample(at, App, Main, OuterCode + offset, Ntdll + 8);
            trace.EndRun(App, Main, Marker, 1, "Json", 10_000, 15_000, generation: 0);
        }

        var input = TraceInputReader.Open([_path]);
        var symbols = new SymbolReading(new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero));
        var reading = new CpuReading(new CpuQuery(CpuGrouping.Method, ByInclusive: false, new RunFilter(), null), symbols);
        RunAnalysis.Run(input.Processes, [], symbols, reading);
        return reading.Result();
    }
}
