namespace EtwSerializerProfiler.TestSupport;

/// <summary>
/// An .etl of the original SerializerTests suite, which marks no runs: its marker thread waits in a method named after the operation, and
/// the samples inside show whose run it is. Each sample is 1 ms.
/// </summary>
/// <remarks>
/// Runs: 1 Newtonsoft.Json Serialize, 2 Serialize without samples of a serializer, 3 and 4 protobuf-net Deserialize, 5 Newtonsoft.Json
/// Serialize.
/// </remarks>
public static class SerializerTestsEtl
{
    /// <summary>Its process.</summary>
    public const int App = 4000;

    /// <summary>The measuring thread.</summary>
    public const int Main = 4001;

    private const int Marker = 4002;
    private const int Worker = 4003;
    private const int Service = 900;
    private const int ServiceThread = 901;

    private const ulong SerializeWait = 0x7FF8_0000_1000;
    private const ulong DeserializeWait = 0x7FF8_0000_2000;
    private const ulong Idle = 0x7FF8_0000_3000;
    private const ulong Test = 0x7FF8_0000_4000;
    private const ulong Touch = 0x7FF8_0000_5000;
    private const ulong JsonEntry = 0x7FF8_0001_0000;
    private const ulong Json = 0x7FF8_0001_1000;
    private const ulong ProtobufEntry = 0x7FF8_0002_0000;
    private const ulong Protobuf = 0x7FF8_0002_1000;
    private const ulong SetValue = 0x7FF8_0003_0000;
    private const ulong Format = 0x7FF8_0003_1000;
    private const ulong Ntdll = 0x7FF9_0000_0000;
    private const ulong Kernel = 0xFFFF_F800_0000_0000;

    /// <summary>Return addresses lie this far in a method.</summary>
    private const ulong Into = 0x10;

    private const string TestType = "SerializerTests.TestBase`2[System.__Canon,System.__Canon]";

    /// <summary>Writes the trace.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="hasReady">Whether the session logged ready events.</param>
    public static void Write(string path, bool hasReady = true)
    {
        using var trace = new SyntheticEtl(path);
        trace.SampleInterval(1);
        trace.Process(App, "SerializerTests.exe");
        trace.Process(Service, "service.exe");
        foreach (var thread in (int[])[Main, Marker, Worker])
            trace.Thread(thread, App);
        trace.Thread(ServiceThread, Service);
        trace.Thread(0, 0); // idle
        trace.Image(App, Ntdll, 0x10_0000, @"\Windows\System32\ntdll.dll");
        trace.Image(0, Kernel, 0x10_0000, @"\SystemRoot\system32\ntoskrnl.exe");
        trace.Module(10, App, Main, 1, @"C:\suite\SerializerTests.exe");
        trace.Module(11, App, Main, 2, @"C:\suite\Newtonsoft.Json.dll");
        trace.Module(12, App, Main, 3, @"C:\suite\protobuf-net.dll");
        trace.Module(13, App, Main, 4, @"C:\Windows\Microsoft.NET\Framework64\v4.0.30319\mscorlib.dll");
        Method(20, Idle, TestType, "WaitForWork", 1);
        Method(21, Test, TestType, "TestAll", 1);
        Method(22, Touch, TestType, "TouchDataNoInline", 1);
        Method(23, JsonEntry, "SerializerTests.Serializers.JsonNet`1[System.__Canon]", "Serialize", 1);
        Method(24, ProtobufEntry, "SerializerTests.Protobuf_net`1[System.__Canon]", "Deserialize", 1);
        Method(25, Json, "Newtonsoft.Json.JsonSerializer", "SerializeInternal", 2);
        Method(26, Protobuf, "ProtoBuf.Serializer", "Deserialize", 3);
        Method(27, SetValue, "System.Reflection.RtFieldInfo", "SetValue", 4);
        Method(28, Format, "System.Number", "FormatInt32", 4);
        trace.Switch(500, 0, Main, waits: true);

        Wait(1000, 5000, Idle, []); // for the first run
        Wait(
            10_000,
            15_000,
            SerializeWait,
            [
                [Json, JsonEntry, Test],
                [Format, Json, JsonEntry, Test],
                [Test],
            ],
            () =>
            {
                trace.Sample(11_000, App, Worker, Json + 4, Ntdll + 8);
                trace.Sample(11_100, Service, ServiceThread, Ntdll + 8);
                trace.Sample(11_200, Service, ServiceThread, Ntdll + 8);
                trace.BareSample(11_300, 0, Kernel + 4);

                // The measuring thread waits for a lock, 200 µs of it ready to run again.
                trace.Switch(12_000, Main, 0, waits: true);
                if (hasReady)
                    trace.Ready(12_800, Main);
                trace.Switch(13_000, 0, Main, waits: true);
                trace.Stack(13_001, 13_000, App, Main, [Kernel + 4]);
                trace.Stack(13_005, 13_000, App, Main, [Ntdll + 16, Json + Into, JsonEntry + Into, Test + Into, Ntdll + 8]);
            }
        );
        Wait(15_100, 19_000, Idle, []);
        Wait(
            20_000,
            22_000,
            SerializeWait,
            [
                [Test],
            ]
        );
        Wait(
            30_000,
            36_000,
            DeserializeWait,
            [
                [Protobuf, ProtobufEntry, Test],
                [SetValue, Protobuf, ProtobufEntry, Test],
                [SetValue, Protobuf, ProtobufEntry, Test],
                [Touch, Test],
            ]
        );
        Wait(
            40_000,
            44_000,
            DeserializeWait,
            [
                [Json, JsonEntry, Test],
                [Json, JsonEntry, Test],
                [Protobuf, ProtobufEntry, Test],
            ]
        );
        Wait(
            50_000,
            53_000,
            SerializeWait,
            [
                [Json, JsonEntry, Test],
            ]
        );
        trace.Sample(54_000, Service, ServiceThread, Ntdll + 8);

        // Only the rundown at the end of the session names the waiting methods.
        trace.Method(60_000, App, Main, 1, SerializeWait, 0x100, TestType, "SerializeDuration", isRundown: true);
        trace.Method(60_001, App, Main, 2, DeserializeWait, 0x100, TestType, "DeserializeDuration", isRundown: true);

        void Method(int at, ulong start, string type, string name, long module) =>
            trace.Method(at, App, Main, at, start, 0x100, type, name, module: module);

        // The marker waits; meanwhile the samples of the other thread.
        void Wait(long left, long back, ulong frame, ulong[][] stacks, Action? more = null)
        {
            trace.Switch(left, Marker, 0, waits: true);
            for (var i = 0; i < stacks.Length; i++)
                trace.Sample(
                    left + 100 + (100 * i),
                    App,
                    Main,
                    [stacks[i][0] + 4, .. stacks[i].Skip(1).Select(code => code + Into), Ntdll + 8]
                );
            more?.Invoke();
            if (hasReady)
                trace.Ready(back, Marker);
            trace.Switch(back + 30, 0, Marker, waits: true);

            // The stack of a switch is that of the incoming thread: the kernel's half at once, the program's when it leaves the kernel.
            trace.Stack(back + 31, back + 30, App, Marker, [Kernel + 4, Kernel + 8]);
            trace.Stack(back + 35, back + 30, App, Marker, [Ntdll + 16, frame + 0x20, Ntdll + 8]);
        }
    }
}
