using System.Reflection.PortableExecutable;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests.Etl;

/// <summary>Source lines of an .etl whose sessions had the keyword of MethodILToNativeMap, and of an assembly with a Windows PDB.</summary>
public sealed class EtlLineTests : IDisposable
{
    private const int App = 4000;
    private const int Main = 4001;
    private const int Marker = 4002;
    private const int Rundown = 4009;

    private const long Module = 2;
    private const long Method = 20;
    private const int Sum = 0x06000004; // Work.Sum of managed.dll
    private const ulong Code = 0x7FF8_0000_1000;

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("session", true)]
    [InlineData("rundown", true)]
    [InlineData("two rundowns", true)] // that of the code session, when the one for running processes begins
    [InlineData("both", true)]
    [InlineData("rundown beside inline trees", true)] // the program had been started with DOTNET_RichDebugInfo=1 before the session began
    [InlineData("another method's", false)]
    [InlineData("none", false)]
    public void A_sample_is_at_the_line_of_its_statement(string maps, bool hasLines)
    {
        var assembly = TestFiles.Data("pdb/managed.dll");
        var path = _folder.PathOf("lines.etl");
        using (var trace = new SyntheticEtl(path))
        {
            trace.SampleInterval(1);
            trace.Process(App, "MyApp.exe");
            trace.Thread(Main, App);
            trace.Thread(Marker, App);
            var module = InlineBytes.Module(Module, assembly, Pdb(assembly));
            var load = InlineBytes.Load(Method, Module, Code, 0x100, "Managed.Work", "Sum", 5, Sum);
            var map = InlineBytes.Map(
                maps == "another method's" ? Method + 1 : Method,
                (-2, 0),
                (0, 0x8),
                (0x10, 0x20),
                (0x18, 0x40),
                (-3, 0x60)
            );
            if (maps is "session" or "both" or "another method's")
            {
                trace.Clr(11, App, Main, 152, 2, module);
                trace.Clr(200, App, Main, 143, 2, load);
                trace.Clr(201, App, Main, 190, 0, map);
            }

            if (maps.EndsWith("trees", StringComparison.Ordinal))
            {
                trace.Clr(100, App, Main, 143, 2, InlineBytes.Load(Method + 1, Module, Code + 0x1000, 0x100, "Managed.Work", "Other", 4));
                trace.Private(
                    101,
                    App,
                    Main,
                    189,
                    InlineBytes.Chunk(Method + 1, 4, 0, isLast: true, InlineBytes.Tree([(Method + 1, 0, 0)], (0, 0)))
                );
            }

            trace.BeginRun(App, Main, Marker, 1, "Json", 10_000);
            foreach (var (at, offset) in ((long, ulong)[])[(10_100, 0x4), (10_200, 0x10), (10_300, 0x28), (10_400, 0x44), (10_500, 0x64)])
                trace.Sample(at, App, Main, Code + offset);
            trace.EndRun(App, Main, Marker, 1, "Json", 10_000, 15_000, generation: 0);
            var rundowns = maps switch
            {
                "session" or "another method's" => 0,
                "two rundowns" => 2,
                _ => 1,
            };
            for (var i = 0; i < rundowns && maps != "none"; i++)
                trace.Rundown(20_000, App, Rundown, 150, map);
            for (var i = 0; i < rundowns; i++)
                trace.Rundown(20_001, App, Rundown, 144, load);
            for (var i = 0; i < rundowns; i++)
                trace.Rundown(20_002, App, Rundown, 154, module);
        }

        var input = TraceInputReader.Open([path]);
        var symbols = new SymbolReading(new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero), withLines: true);
        var reading = new CpuReading(new CpuQuery(CpuGrouping.Line, ByInclusive: false, new RunFilter(), null), symbols);
        RunAnalysis.Run(input.Processes, [], symbols, reading);
        var rows = reading.Result().Rows;

        Assert.All(rows, row => Assert.Equal("Managed.Work.Sum", row.Name));
        Assert.Equal(5, rows.Sum(row => row.Samples));
        Assert.Equal(
            hasLines ? ["Managed.cs:22 2", "Managed.cs:23 1", "Managed.cs:26 1", "Managed.cs:29 1"] : [" 5"],
            rows.Select(row => $"{row.Line} {row.Samples}").Order(StringComparer.Ordinal)
        );
    }

    private static Guid Pdb(string assembly)
    {
        using var file = new PEReader(File.OpenRead(assembly));
        return file.ReadCodeViewDebugDirectoryData(
            file.ReadDebugDirectory().First(entry => entry.Type == DebugDirectoryEntryType.CodeView)
        ).Guid;
    }
}
