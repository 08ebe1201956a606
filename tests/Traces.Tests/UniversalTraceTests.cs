using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.NetTrace;
using EtwSerializerProfiler.Traces.NetTrace.Universal;
using EtwSerializerProfiler.Traces.PerfMaps;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers;

namespace EtwSerializerProfiler.Traces.Tests;

/// <summary>A machine-wide trace of record-trace, against TraceEvent's parsers of its providers.</summary>
public sealed class UniversalTraceTests
{
    private static readonly string s_path = TestFiles.Data("others/record-trace.nettrace");

    [Fact]
    public void The_process_with_a_runtime_is_the_input()
    {
        var input = TraceInputReader.Open([s_path]);

        var process = Assert.Single(input.Processes);
        Assert.Equal((27089, "TestProgram"), (process.ProcessId, process.Program));
        Assert.Equal(
            EventKinds.CpuSamples
                | EventKinds.OtherProcesses
                | EventKinds.ContextSwitches
                | EventKinds.SwitchOutStacks
                | EventKinds.ProcessLayout
                | EventKinds.MethodCode,
            process.Kinds
        );
        Assert.Equal(EventDetails.KernelSamples, process.Details);
        Assert.Empty(input.Problems);
    }

    [Fact]
    public void Samples_mappings_and_names_are_those_that_TraceEvent_reads()
    {
        var (samples, others, mappings, kernelMappings, symbols) = (
            0,
            0,
            new List<(ulong, ulong, string)>(),
            0,
            new List<(ulong, string)>()
        );
        using (var source = new EventPipeEventSource(s_path))
        {
            var (system, events) = (new UniversalSystemTraceEventParser(source), new UniversalEventsTraceEventParser(source));
            events.cpu += data =>
                (samples, others) = data.ProcessID == 27089 ? (samples + 1, others) : (samples, others + (data.ProcessID > 0 ? 1 : 0));
            system.ProcessMapping += data =>
            {
                if (data.ProcessID == 27089 && data.FileName != "vmlinux")
                    mappings.Add((data.StartAddress, data.EndAddress - data.StartAddress, data.FileName));
                else if (data.ProcessID == 27089)
                    kernelMappings++;
            };
            system.ProcessSymbol += data =>
            {
                if (data.ProcessID == 27089)
                    symbols.Add((data.StartAddress, data.Name));
            };
            source.Process();
        }

        var listener = new Listener();
        UniversalTrace.Open(NetTraceLayout.Scan(s_path)).Sources[0].Read(listener);

        Assert.Equal((samples, others), (listener.Samples.Count, listener.Others));
        Assert.All(listener.Samples, item => Assert.Equal(1_000_000, item.CpuTicks));
        Assert.Contains(listener.Samples, item => item is { IsKernel: true, KernelFrames: > 0 });
        Assert.Equal(mappings, listener.Mappings);
        Assert.Equal(kernelMappings, listener.KernelMappings);
        Assert.Equal(symbols.Where(symbol => DotNetMapName.Parse(symbol.Item2) is null), listener.Symbols);
        Assert.Equal(
            symbols
                .Where(symbol => DotNetMapName.Parse(symbol.Item2) is not null)
                .Select(symbol => (symbol.Item1, DotNetMapName.Parse(symbol.Item2)!.Value.Name)),
            listener.Methods
        );
        Assert.Contains(listener.Methods, method => method.Name == "Spin");
    }

    /// <summary>400 samples are 400 ms; the limit is 3 times 20 ms and 5 % above that.</summary>
    [Theory]
    [InlineData(400, false)]
    [InlineData(470, false)]
    [InlineData(490, true)]
    [InlineData(2000, true)]
    public void Switches_that_say_more_CPU_time_than_samples_by_more_than_chance_are_reported(int runningMs, bool isReported)
    {
        const int Ms = 1000,
            Samples = 400,
            Begin = 3 * Ms;
        var end = Begin + (runningMs * Ms);
        var samples = Enumerable.Range(0, Samples).Select(i => (1, 2, Begin + ((long)i * runningMs * Ms / Samples), 0, Variable(1)));
        using var folder = new TempFolder();
        var path = folder.Write(
            "x.nettrace",
            new NetTrace6Bytes()
                .EventType(1, "Universal.Events", 0, "cpu")
                .EventType(2, "Universal.Events", 0, "cswitch")
                .Thread(2, 84, 12)
                .Events(isCompressed: true, [(2, 2, Begin - Ms, 0, Variable(Ms)), .. samples, (2, 2, end, 0, Variable(Ms))])
                .ToArray()
        );

        var input = TraceInputReader.Open([path]);

        if (isReported)
            Assert.Equal(
                $"{path}: CPU time of process 84 (84) is {runningMs} ms by context switches but 400 ms by samples: switches were lost; rely on the samples ('Sampled ms' in 'esp-analyze table --detail')",
                Assert.Single(input.Problems)
            );
        else
            Assert.Empty(input.Problems);
        Assert.Equal(84, Assert.Single(input.Processes).ProcessId);
    }

    [Fact]
    public void A_thread_is_on_a_processor_as_long_as_it_was_sampled()
    {
        var listener = new Listener();
        var trace = UniversalTrace.Open(NetTraceLayout.Scan(s_path));
        trace.Sources[0].Read(listener);

        Assert.Equal(listener.Switches.Select(item => item.Time).Order(), listener.Switches.Select(item => item.Time));
        var running = 0L;
        foreach (var thread in listener.Switches.GroupBy(item => item.Thread))
        {
            var (onProcessor, since) = (0L, -1L);
            foreach (var (time, _, isIn) in thread)
            {
                Assert.Equal(isIn, since < 0); // each switch-in has its switch-out
                (onProcessor, since) = isIn ? (onProcessor, time) : (onProcessor + time - since, -1);
            }

            Assert.Equal(-1, since);
            running += onProcessor;
            var sampled = listener.Samples.Count(item => item.Thread == thread.Key);
            Assert.InRange(onProcessor / 1e6, sampled - 1 - (3 * Math.Sqrt(sampled)), sampled + 1 + (3 * Math.Sqrt(sampled)));
        }

        Assert.Equal(running, trace.Sources[0].RunningTicks);
    }

    [Fact]
    public void Damage_is_an_error_of_the_file_or_noted()
    {
        var whole = File.ReadAllBytes(s_path);
        var random = new Random(6);
        using var folder = new TempFolder();
        for (var round = 0; round < 200; round++)
        {
            var bytes = whole.ToArray();
            for (var flip = random.Next(1, 20); flip > 0; flip--)
                bytes[random.Next(round % 3 == 0 ? 3000 : bytes.Length)] ^= (byte)(1 << random.Next(8));
            if (round % 5 == 0)
                bytes = bytes[..random.Next(bytes.Length)];
            var path = folder.Write("x.nettrace", bytes);
            var before = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                foreach (var process in TraceInputReader.Open([path]).Processes)
                    process.Read(new Listener());
            }
            catch (TraceFormatException exception)
            {
                Assert.Equal(path, exception.TraceFile);
            }

            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 100_000_000);
        }
    }

    /// <summary>The payload of a sample or a switch: a number in groups of 7 bits.</summary>
    private static int Variable(int value)
    {
        var bytes = 0;
        for (var shift = 0; value > 0; shift += 8, value >>= 7)
            bytes |= (value > 0x7F ? 0x80 | (value & 0x7F) : value) << shift;
        return bytes;
    }

    private sealed class Listener : IEventSubscriber
    {
        public List<(int Thread, long CpuTicks, bool IsKernel, int KernelFrames)> Samples { get; } = [];

        public List<(ulong Start, ulong Length, string Path)> Mappings { get; } = [];

        public List<(ulong Start, string Name)> Symbols { get; } = [];

        public List<(ulong Start, string Name)> Methods { get; } = [];

        public List<(long Time, long Thread, bool IsIn)> Switches { get; } = [];

        public int Others { get; private set; }

        public int KernelMappings { get; private set; }

        public void Subscribe(EventHub hub)
        {
            hub.Subscribe((in CpuSample item) => Samples.Add(((int)item.At.ThreadId, item.CpuTicks, item.IsKernel, item.KernelFrames)));
            hub.Subscribe((in OtherProcessSample _) => Others++);
            hub.Subscribe((in FileMapping item) => Mappings.Add((item.Start, item.Length, item.Path)));
            hub.Subscribe((in KernelMapping _) => KernelMappings++);
            hub.Subscribe((in MethodCode item) => Methods.Add((item.Start, item.Name)));
            hub.Subscribe((in CodeName item) => Symbols.Add((item.Start, item.Name)));
            hub.Subscribe((in SwitchedIn item) => Switches.Add((item.At.Time, item.At.ThreadId, true)));
            hub.Subscribe((in SwitchedOut item) => Switches.Add((item.At.Time, item.At.ThreadId, false)));
        }
    }
}
