using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests.Etl;

/// <summary>An .etl of our own with known samples: exclusive and inclusive counts by method and run.</summary>
public sealed class SyntheticStacksTests : IDisposable
{
    private const int App = 4000;
    private const int Other = 5000;
    private const int Main = 4001;
    private const int Marker = 4002;

    private const ulong Serialize = 0x7FF8_0000_1000;
    private const ulong Write = 0x7FF8_0000_2000;
    private const ulong Reused = 0x7FF8_0000_3000;
    private const ulong Listed = 0x7FF8_0000_4000;
    private const ulong Made = 0x7FF8_0000_5000;
    private const ulong Ntdll = 0x7FF9_0000_0000;
    private const ulong Unloaded = 0x7FF9_1000_0000;
    private const ulong Kernel = 0xFFFF_F800_0000_0000;

    private readonly TempFolder _folder = new();
    private readonly string _path;

    public SyntheticStacksTests() => _path = Path.Combine(_folder.Path, "stacks.etl");

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Methods_have_the_samples_of_their_runs()
    {
        using (var trace = Begin())
        {
            Run(
                trace,
                1,
                10_000,
                () =>
                {
                    trace.Sample(10_100, App, Main, Write + 4, Serialize + 0x10, Ntdll + 8);
                    trace.Sample(10_200, App, Main, Write + 8, Write + 0x20, Serialize + 0x10, Ntdll + 8); // recursion: inclusive once
                    trace.Sample(10_300, App, Main, Reused + 4, Ntdll + 8);
                    trace.Sample(10_400, Other, Other + 1, Write + 4, Ntdll + 8); // another process
                }
            );
            trace.Sample(15_000, App, Main, Write + 4, Ntdll + 8); // between the runs
            trace.MethodFreed(16_000, App, Main, 3, Reused, 0x100, "Suite.Old", "Gone");
            trace.Method(16_100, App, Main, 4, Reused, 0x100, "Suite.New", "Came");
            trace.ImageUnloaded(16_200, App, Unloaded, 0x1000, @"\Windows\System32\gone.dll");
            Run(
                trace,
                2,
                20_000,
                () =>
                {
                    trace.Sample(20_100, App, Main, Reused + 4, Serialize + 0x10, Ntdll + 8);
                    trace.Sample(20_200, App, Main, Listed + 4, Ntdll + 8);
                    trace.Sample(20_300, App, Main, Unloaded + 4, Ntdll + 8);
                }
            );
            Listing(trace, 30_000);
        }

        Assert.Equal(["ntdll.dll+? 0/3", "Suite.Old.Gone 1/1", "Suite.Serializer.Serialize 0/2", "Suite.Writer.Write 2/2"], Rows(1));
        Assert.Equal(
            ["ntdll.dll+? 0/3", "Suite.Listed.Hot 1/1", "Suite.New.Came 1/1", "Suite.Serializer.Serialize 0/1", "[unknown]+? 1/1"],
            Rows(2)
        );
    }

    [Fact]
    public void Halves_of_kernel_and_program_are_one_stack()
    {
        using (var trace = Begin())
        {
            Run(
                trace,
                1,
                10_000,
                () =>
                {
                    // Two samples in one stay in the kernel: one program half, under the time of the first; a callback into the program
                    // lies in it.
                    trace.BareSample(10_100, Main, Kernel + 4);
                    trace.Stack(10_101, 10_100, App, Main, [Kernel + 4, Kernel + 0x20]);
                    trace.BareSample(10_200, Main, Kernel + 8);
                    trace.Stack(10_201, 10_200, App, Main, [Kernel + 8, Kernel + 0x20]);
                    trace.Stack(10_250, 10_100, App, Main, [Write + 4, Kernel + 0x40, Serialize + 0x10, Ntdll + 8]);

                    // In user mode afterwards; and a sample without any stack.
                    trace.Sample(10_300, App, Main, Write + 4, Serialize + 0x10, Ntdll + 8);
                    trace.BareSample(10_400, Main, Serialize + 4);

                    // The thread does not leave the kernel before the trace ends.
                    trace.BareSample(11_500, Main, Kernel + 4);
                    trace.Stack(11_501, 11_500, App, Main, [Kernel + 4, Kernel + 0x20]);
                }
            );
            Listing(trace, 30_000);
        }

        Assert.Equal(["ntdll.dll+? 0/3", "ntoskrnl.exe+? 3/3", "Suite.Serializer.Serialize 1/4", "Suite.Writer.Write 1/3"], Rows(1));
    }

    [Fact]
    public void Stacks_under_keys_are_those_the_keys_stood_for()
    {
        using (var trace = Begin())
        {
            Run(
                trace,
                1,
                10_000,
                () =>
                {
                    Keyed(10_100, program: 7, kernel: null);
                    Keyed(10_200, program: 7, kernel: 7); // one key, a stack of the kernel and one of the program
                }
            );
            trace.StackDefinition(15_000, 7, atEnd: false, Write + 4, Serialize + 0x10, Ntdll + 8);
            Run(trace, 2, 20_000, () => Keyed(20_100, program: 7, kernel: null)); // the key was released and now means another stack
            trace.StackDefinition(29_000, 7, atEnd: true, Listed + 4, Ntdll + 8);
            trace.StackDefinition(29_001, 7, atEnd: true, Kernel + 4, Kernel + 0x20);
            Listing(trace, 30_000);

            void Keyed(long at, ulong program, ulong? kernel)
            {
                trace.BareSample(at, Main, kernel is null ? Write + 4 : Kernel + 4);
                if (kernel is { } key)
                    trace.StackKey(at + 1, at, App, Main, key, isKernel: true);
                trace.StackKey(at + 2, at, App, Main, program, isKernel: false);
            }
        }

        Assert.Equal(["ntdll.dll+? 0/2", "ntoskrnl.exe+? 1/1", "Suite.Serializer.Serialize 0/2", "Suite.Writer.Write 1/2"], Rows(1));
        Assert.Equal(["ntdll.dll+? 0/1", "Suite.Listed.Hot 1/1"], Rows(2));
    }

    [Fact]
    public void The_programs_half_of_a_32_bit_process_has_short_addresses()
    {
        using (var trace = Begin())
        {
            // Code above 2 GB, which 32-bit programs on a 64-bit system may use, is not kernel code.
            trace.Method(500, App, Main, 9, 0x9000_0000, 0x100, "Suite.Short", "Code");
            trace.Image(App, 0x7700_0000, 0x10_0000, @"\Windows\SysWOW64\ntdll.dll");
            Run(
                trace,
                1,
                10_000,
                () =>
                {
                    trace.BareSample(10_100, Main, Kernel + 4);
                    trace.Stack(10_101, 10_100, App, Main, [Kernel + 4, Kernel + 0x20]);
                    trace.Stack32(10_150, 10_100, App, Main, 0x9000_0010, 0x7700_0100);
                    trace.BareSample(10_200, Main, 0x9000_0020);
                    trace.Stack32(10_201, 10_200, App, Main, 0x9000_0020, 0x7700_0100);
                }
            );
            Listing(trace, 30_000);
        }

        Assert.Equal(["ntdll.dll+? 0/2", "ntoskrnl.exe+? 1/1", "Suite.Short.Code 1/2"], Rows(1));
    }

    [Fact]
    public void Samples_read_with_the_runs_are_those_read_afterwards()
    {
        Methods_have_the_samples_of_their_runs();
        var input = TraceInputReader.Open([_path]);
        var query = new CpuQuery(CpuGrouping.Method, ByInclusive: false, new RunFilter(), null);
        var reading = new CpuReading(query, new SymbolReading(Files()));

        var result = RunAnalysis.Run(input.Processes, [], null, reading);

        var together = reading.Result();
        Assert.Equal(6, together.Samples);
        Assert.Equal(CpuAnalysis.Run(input.Processes, result.Runs, query, Files()).Rows, together.Rows);
    }

    /// <summary>The module's name is meaningless: a program can choose any.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Code_of_a_module_that_the_runtime_flags_as_dynamic_is_emitted(bool isRundown)
    {
        using (var trace = Begin())
        {
            trace.Module(isRundown ? 30_000 : 210, App, Main, 2, "Suite.Writers", dynamic: true, isRundown);
            trace.Method(211, App, Main, 6, Made, 0x100, "Suite.BookWriter1", "Write", module: 2);
            Run(
                trace,
                1,
                10_000,
                () =>
                {
                    trace.Sample(10_100, App, Main, Made + 4, Serialize + 0x10, Ntdll + 8);
                    trace.Sample(10_200, App, Main, Write + 4, Made + 0x10, Serialize + 0x10, Ntdll + 8);
                }
            );
        }

        var causes = Assert.Single(RunAnalysis.Run(TraceInputReader.Open([_path]).Processes, []).Runs).Causes!;
        Assert.Equal((1.0, 1.0), (causes.ToMilliseconds(causes.Group("Emitted")), causes.ToMilliseconds(causes.Own)));
    }

    private SyntheticEtl Begin()
    {
        var trace = new SyntheticEtl(_path);
        trace.SampleInterval(1);
        trace.Process(App, "MyApp.exe");
        trace.Process(Other, "Other.exe");
        trace.Thread(Main, App);
        trace.Thread(Marker, App);
        trace.Thread(Other + 1, Other);
        trace.Image(0, Kernel, 0x10_0000, @"\SystemRoot\system32\ntoskrnl.exe");
        trace.Image(App, Ntdll, 0x10_0000, @"\Windows\System32\ntdll.dll");
        trace.Image(App, Unloaded, 0x1000, @"\Windows\System32\gone.dll");
        trace.Module(100, App, Main, 1, @"C:\suite\Suite.dll");
        trace.Method(200, App, Main, 1, Serialize, 0x100, "Suite.Serializer", "Serialize");
        trace.Method(201, App, Main, 2, Write, 0x100, "Suite.Writer", "Write");
        trace.Method(202, App, Main, 3, Reused, 0x100, "Suite.Old", "Gone");
        return trace;
    }

    /// <summary>The rundown also lists a method without a load event, and one whose place was reused.</summary>
    private static void Listing(SyntheticEtl trace, long at)
    {
        trace.Method(at, App, Main, 2, Write, 0x100, "Suite.Writer", "Write", isRundown: true);
        trace.Method(at + 1, App, Main, 4, Reused, 0x100, "Suite.New", "Came", isRundown: true);
        trace.Method(at + 2, App, Main, 5, Listed, 0x100, "Suite.Listed", "Hot", isRundown: true);
    }

    private static void Run(SyntheticEtl trace, int number, long start, Action content)
    {
        trace.BeginRun(App, Main, Marker, number, "Fast", start);
        content();
        trace.EndRun(App, Main, Marker, number, "Fast", start, start + 2000, 0);
    }

    private List<string> Rows(int run)
    {
        var reading = new CpuReading(
            new CpuQuery(CpuGrouping.Method, ByInclusive: false, new RunFilter { RunId = run }, null),
            new SymbolReading(Files())
        );
        RunAnalysis.Run(TraceInputReader.Open([_path]).Processes, [], null, reading);
        return
        [
            .. reading
                .Result()
                .Rows.Select(row => $"{row.Name} {row.Samples}/{row.InclusiveSamples}")
                .Order(StringComparer.OrdinalIgnoreCase),
        ];
    }

    private static SymbolFiles Files() => new("", DateTime.MinValue, TimeSpan.Zero);
}
