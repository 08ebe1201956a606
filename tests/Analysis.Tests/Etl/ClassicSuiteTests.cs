using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.TestSupport;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests.Etl;

/// <summary>The original suite marks no runs: its marker thread waits in a method named for the operation.</summary>
public sealed class ClassicSuiteTests : IDisposable
{
    private const int App = 4000;
    private const int Main = 4001;
    private const int Marker = 4002;

    private const ulong Serialize = 0x7FF8_0000_1000;
    private const ulong Deserialize = 0x7FF8_0000_2000;
    private const ulong Idle = 0x7FF8_0000_3000;
    private const ulong JsonNet = 0x7FF8_0000_4000;
    private const ulong Protobuf = 0x7FF8_0000_5000;
    private const ulong Ntdll = 0x7FF9_0000_0000;
    private const ulong Kernel = 0xFFFF_F800_0000_0000;

    private readonly TempFolder _folder = new();
    private readonly string _path;

    public ClassicSuiteTests() => _path = Path.Combine(_folder.Path, "classic.etl");

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Each_wait_of_the_marker_is_a_run_and_the_samples_name_its_serializer(bool hasReady)
    {
        using (var trace = new SyntheticEtl(_path))
        {
            trace.SampleInterval(1);
            trace.Process(App, "SerializerTests.exe");
            trace.Thread(Main, App);
            trace.Thread(Marker, App);
            trace.Image(App, Ntdll, 0x10_0000, @"\Windows\System32\ntdll.dll");
            trace.Module(10, App, Main, 1, @"C:\suite\SerializerTests.exe");
            trace.Module(11, App, Main, 2, @"C:\suite\Newtonsoft.Json.dll");
            trace.Module(12, App, Main, 3, @"C:\suite\protobuf-net.dll");
            trace.Method(20, App, Main, 3, Idle, 0x100, "SerializerTests.Marker", "WaitForWork");
            trace.Method(21, App, Main, 4, JsonNet, 0x100, "Newtonsoft.Json.JsonSerializer", "Serialize", module: 2);
            trace.Method(22, App, Main, 5, Protobuf, 0x100, "ProtoBuf.Serializer", "Deserialize", module: 3);

            Wait(trace, 1000, 5000, Idle); // for the first run
            Wait(trace, 10_000, 15_000, Serialize, JsonNet);
            Wait(trace, 15_100, 19_000, Idle);
            Wait(trace, 20_000, 22_000, Serialize);
            Wait(trace, 30_000, 36_000, Deserialize, Protobuf);

            // Only the list at the end of the session names the methods that wait.
            trace.Method(40_000, App, Main, 1, Serialize, 0x100, "SerializerTests.Marker", "SerializeDuration", isRundown: true);
            trace.Method(40_001, App, Main, 2, Deserialize, 0x100, "SerializerTests.Marker", "DeserializeDuration", isRundown: true);
        }

        var namer = new EntryPatternNamer([("Newtonsoft.Json.*", "*JsonSerializer.*", "JsonNet"), ("protobuf-net.*", "*", "Protobuf")], new SymbolFiles("", DateTime.MinValue, TimeSpan.Zero));

        var result = RunAnalysis.Run(TraceInputReader.Open([_path]).Processes, [], null, null, namer);

        var late = hasReady ? 0 : 0.03;
        Assert.Equal(
            [("JsonNet", RunOperation.Serialize, 10.0, 5 + late), ("", RunOperation.Serialize, 20, 2 + late), ("Protobuf", RunOperation.Deserialize, 30, 6 + late)],
            result.Runs.Select(run => (run.Identity.Serializer, run.Identity.Operation, Math.Round(run.StartMs, 3), Math.Round(run.WallMs, 3))));
        Assert.All(result.Runs, run => Assert.Equal(hasReady ? DelimiterKind.MarkerWaking : DelimiterKind.MarkerSwitch, run.Delimiter));
        Assert.Equal([3, 1, 3], result.Runs.Select(run => run.Samples!.Count));
        Assert.Equal((null, 3), (result.RunsExpected, result.RunsFound));

        // The marker waits; a sample each ms of the other thread in the run, and one of its own making.
        void Wait(SyntheticEtl trace, long left, long back, ulong frame, ulong? serializer = null)
        {
            trace.Switch(left, Marker, 0, waits: true);
            trace.Sample(left + 100, App, Main, (serializer ?? Idle) + 4, Ntdll + 8);
            if (serializer is { } code)
            {
                trace.Sample(left + 200, App, Main, Idle + 4, code + 8, Ntdll + 8);
                trace.Sample(left + 300, App, Main, Ntdll + 4);
            }

            if (hasReady)
                trace.Ready(back, Marker);
            trace.Switch(back + 30, 0, Marker, waits: true);

            // The stack of a switch is that of the thread that comes: the kernel's half at once, the program's when it leaves the kernel.
            trace.Stack(back + 31, back + 30, App, Marker, [Kernel + 4, Kernel + 8]);
            trace.Stack(back + 35, back + 30, App, Marker, [Ntdll + 16, frame + 0x20, Ntdll + 8]);
        }
    }
}
