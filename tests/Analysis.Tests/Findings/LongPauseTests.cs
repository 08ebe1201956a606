using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Analysis.Tests.Findings;

/// <summary>
/// The known issue of .NET Framework 4.6 on traces of our own: a GC of generation 1 that stops the program for seconds, in
/// allocate_in_older_generation.
/// </summary>
public sealed class LongPauseTests : IDisposable
{
    private const int App = 4000;
    private const int Main = 4001;
    private const int Marker = 4002;
    private const int Bystander = 4003;
    private const ulong Serialize = 0x7FF8_0000_1000;
    private const ulong Clr = 0x7FF9_0000_0000;

    // Public symbols of the PDB, 0x100 bytes apart from 0x1000 on.
    private const ulong Plan = Clr + 0x1000;
    private const ulong AllocateInOlder = Clr + 0x1100;
    private const ulong FitSegment = Clr + 0x1200;
    private const ulong MarkPhase = Clr + 0x1300;
    private const ulong ClassLoad = Clr + 0x1400;

    private static readonly Guid s_clr = new("44444444-2222-3333-4444-555555555555");

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void The_known_issue_of_the_framework_is_named_with_its_fix()
    {
        var finding = Assert.Single(Find(generation: 1, milliseconds: 3000, AllocateInOlder, "clr.dll"));

        Assert.Equal(FindingConfidence.Likely, finding.Confidence);
        Assert.Contains(
            "1 GC of generation 1 stopped the program for over a second, at most 3.0 s; 80 % of the GC's samples are in WKS::gc_heap::allocate_in_older_generation",
            finding.Text,
            StringComparison.Ordinal
        );
        Assert.Contains("fixed in 4.6.1", finding.Advice, StringComparison.Ordinal);
        Assert.Equal(20, Figure(finding, "CPU samples of the GC in them"));
        Assert.Equal(80, Figure(finding, "in WKS::gc_heap::allocate_in_older_generation, inclusive"));
        Assert.Equal(100, Figure(finding, "in WKS::gc_heap::plan_phase, inclusive"));
        Assert.Equal(40, Figure(finding, "in WKS::gc_heap::a_fit_segment_end_p itself"));
        var place = Assert.Single(finding.Locations);
        Assert.Equal((1, 1100.0), (place.RunId!.Value, Math.Round(place.StartMs - 1000, 0)));
    }

    [Fact]
    public void Other_long_pauses_are_not_that_known_issue()
    {
        var marking = Assert.Single(Find(generation: 2, milliseconds: 3000, MarkPhase, "clr.dll"));
        Assert.DoesNotContain("4.6", marking.Advice, StringComparison.Ordinal);
        Assert.Contains("40 % of the GC's samples are in WKS::gc_heap::", marking.Text, StringComparison.Ordinal);

        var core = Assert.Single(Find(generation: 1, milliseconds: 3000, AllocateInOlder, "coreclr.dll"));
        Assert.DoesNotContain("4.6", core.Advice, StringComparison.Ordinal);
        Assert.Contains("free list of generation 2", core.Advice, StringComparison.Ordinal);
    }

    [Fact]
    public void Short_and_young_GCs_are_none()
    {
        Assert.Empty(Find(generation: 1, milliseconds: 900, AllocateInOlder, "clr.dll"));
        Assert.Empty(Find(generation: 0, milliseconds: 3000, AllocateInOlder, "clr.dll"));
    }

    private static double Figure(Finding finding, string name) => Assert.Single(finding.Evidence, figure => figure.Name == name).Value;

    private List<Finding> Find(int generation, int milliseconds, ulong function, string runtime)
    {
        var path = Path.Combine(_folder.Path, $"{generation}-{milliseconds}-{function:x}-{runtime}.etl");
        var stop = 2_100_000 + (milliseconds * 1000);
        using (var trace = new SyntheticEtl(path))
        {
            trace.SampleInterval(1);
            trace.Process(App, "MyApp.exe");
            foreach (var thread in (int[])[Main, Marker, Bystander])
                trace.Thread(thread, App);
            trace.Image(App, Clr, 0x1_0000, $@"\Windows\Microsoft.NET\Framework64\v4.0.30319\{runtime}");
            trace.ImageId(0, App, Clr, s_clr, 1, "clr.pdb");
            trace.Module(100, App, Main, 1, @"C:\suite\Suite.dll");
            trace.Method(200, App, Main, 1, Serialize, 0x100, "Suite.Serializer", "Serialize");
            trace.BeginRun(App, Main, Marker, 1, "Fast", 2_000_000);
            var start = new byte[18];
            BitConverter.TryWriteBytes(start, 7);
            BitConverter.TryWriteBytes(start.AsSpan(4), generation);
            trace.Clr(2_099_990, App, Main, 9, 1, new byte[10] { 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 });
            trace.Clr(2_100_000, App, Main, 1, 1, start);
            trace.Sample(2_050_000, App, Main, ClassLoad + 4, Serialize + 0x10); // before the pause
            for (var i = 0; i < 20; i++)
            {
                // Of 20 samples 16 lie below the function, 8 of them in what it calls.
                var at = 2_150_000 + (i * 20_000);
                if (i < 8)
                    trace.Sample(at, App, Main, FitSegment + 4, function + 8, Plan + 8, Serialize + 0x10);
                else
                    trace.Sample(at, App, Main, i < 16 ? [function + 4, Plan + 8, Serialize + 0x10] : [Plan + 4, Serialize + 0x10]);
            }

            trace.Sample(2_560_000, App, Bystander, ClassLoad + 4); // a native thread that works on
            trace.Clr(stop, App, Main, 3, 1, new byte[2]);
            trace.EndRun(App, Main, Marker, 1, "Fast", 2_000_000, stop + 100_000, generation);
        }

        var pdb = new SyntheticPdb(s_clr).Section(0x1000, 0x1000);
        string[] functions =
        [
            "WKS::gc_heap::plan_phase",
            "WKS::gc_heap::allocate_in_older_generation",
            "WKS::gc_heap::a_fit_segment_end_p",
            "WKS::gc_heap::mark_phase",
            "ClassLoader::Load",
        ];
        for (var i = 0; i < functions.Length; i++)
            pdb.Public(1, 0x100 * i, functions[i]);
        File.WriteAllBytes(Path.Combine(_folder.Path, "clr.pdb"), pdb.Build());

        var input = TraceInputReader.Open([path]);
        var files = new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero, new PdbFiles([_folder.Path]));
        return [.. FindingAnalysis.Run(input, [], files).Result.Findings.Where(finding => finding.Code == "long-pause")];
    }
}
