using System.Buffers.Binary;
using System.CommandLine;
using System.Globalization;
using EtwSerializerProfiler.Etl;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.TestSupport;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// Writes a large .etl file like that of a profiled machine: two .NET processes whose marked runs fill the time, and other processes;
/// samples with stacks (some in a kernel's and a program's half), context switches and ready events, GCs, and methods that are compiled
/// during the trace and listed at its end. The other events have the mean sizes of net.4.5.2.x64.etl, a PerfView recording of a .NET
/// program.
/// </summary>
internal static class EtlMake
{
    private const int Processors = 8;
    private const int Threads = 64;

    /// <summary>Threads of a process; the first two processes are .NET's.</summary>
    private const int ThreadsOfProcess = 8;
    private const int DotNetProcesses = 2;
    private const int FirstMethods = 2000;
    private const int Stacks = 4000;
    private const ulong KernelStart = 0xFFFF_F800_0000_0000;
    private const ulong NativeStart = 0x7FF9_0000_0000;
    private const ulong CodeStart = 0x7FF8_0000_0000;
    private const uint CodeBytes = 0x400;

    private static readonly Guid s_runtime = new("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
    private static readonly Guid s_rundown = new("a669021c-c450-4609-a035-5af59af4df18");
    private static readonly Guid s_application = new("5c4b6d3e-0f1a-4b8c-9d2e-7a6f5e4d3c2b");

    /// <summary>Names as they are in payloads: UTF-16.</summary>
    private static readonly byte[] s_text = System.Text.Encoding.Unicode.GetBytes(
        "System.Collections.Generic.Dictionary`2[System.__Canon,System.Int32]\0TryInsert\0instance bool (!0,!1,value class InsertionBehavior)\0"
    );

    /// <summary>Events other than those of processors and stacks.</summary>
    private static readonly Kind[] s_others =
    [
        new(92, EtlHeaderType.Event64, s_rundown, 150, 117), // MethodILToNativeMapDCStop
        new(58, EtlHeaderType.Event64, s_runtime, 10, 66), // GCAllocationTick
        new(40, EtlHeaderType.Full64, s_application, 0, 46), // events of an application
    ];

    public static Command Create()
    {
        var file = new Argument<string>("file") { Description = "The .etl file to write." };
        file.Validators.Add(result =>
        {
            if (File.Exists(result.Tokens[0].Value))
                result.AddError($"{result.Tokens[0].Value} exists; name a new file");
        });
        var size = new Argument<long>("size")
        {
            Description = "Minimum size of the file: 500MB, 2GB.",
            CustomParser = parsed =>
            {
                if (!ByteSize.TryParse(parsed.Tokens[0].Value, out var bytes))
                    parsed.AddError($"size is {ByteSize.Form}");
                return bytes;
            },
        };
        var compress = new Option<bool>("--compress") { Description = "Compressed buffers." };
        var command = new Command("etl-make", "Writes a large .etl file with samples, stacks, switches and CLR events in real proportions.")
        {
            file,
            size,
            compress,
        };
        command.SetAction((parsed, _) => RunAsync(parsed.GetValue(file)!, parsed.GetValue(size), parsed.GetValue(compress), Console.Out));
        return command;
    }

    /// <summary>Writes the file.</summary>
    /// <param name="path">Path; must not exist.</param>
    /// <param name="bytes">Minimum size.</param>
    /// <param name="compress">Whether its buffers are compressed.</param>
    /// <param name="output">Where the result is printed.</param>
    private static async Task RunAsync(string path, long bytes, bool compress, TextWriter output)
    {
        long samples;
        using (var trace = new SyntheticEtl(path, new EtlWriteOptions { Processors = Processors, Compress = compress }))
            samples = new Machine(trace).Run(bytes);
        await output
            .WriteLineAsync(
                string.Create(CultureInfo.InvariantCulture, $"{path}: {new FileInfo(path).Length / 1e6:F1} MB, {samples:N0} samples")
            )
            .ConfigureAwait(false);
    }

    /// <summary>The machine that is recorded.</summary>
    private sealed class Machine(SyntheticEtl trace)
    {
        private readonly Random _random = new(1);
        private readonly int[] _running = [.. Enumerable.Range(0, Processors)];
        private readonly bool[] _onProcessor = new bool[Threads];
        private readonly byte[] _payload = new byte[256];
        private readonly int[] _kinds = [.. s_others.SelectMany((kind, number) => Enumerable.Repeat(number, kind.Share))];
        private readonly ulong[][] _programStacks = new ulong[Stacks][];
        private readonly ulong[][] _kernelStacks = new ulong[200][];
        private long _time = 1000;
        private long _samples;
        private int _methods;
        private int _gcs;
        private int _runs;

        /// <summary>Writes until the file has its size.</summary>
        /// <returns>Samples written.</returns>
        public long Run(long bytes)
        {
            Begin();
            while (trace.FileBytes < bytes)
            {
                // Each .NET process makes runs of half a second, one after the other; the last one ends with the file.
                var start = _time += 100;
                _runs++;
                for (var process = 0; process < DotNetProcesses; process++)
                    trace.BeginRun(
                        ProcessId(process),
                        ThreadId(process * ThreadsOfProcess),
                        MarkerId(process),
                        _runs,
                        $"Serializer{_runs % 20}",
                        start
                    );
                _time += 10;
                while (_time - start < 500_000 && trace.FileBytes < bytes)
                    Next();
                for (var process = 0; process < DotNetProcesses; process++)
                    trace.EndRun(
                        ProcessId(process),
                        ThreadId(process * ThreadsOfProcess),
                        MarkerId(process),
                        _runs,
                        $"Serializer{_runs % 20}",
                        start,
                        _time,
                        0
                    );
                _time += 200;
            }

            for (var method = 0; method < _methods; method++)
                Method(method, isRundown: true);
            return _samples;
        }

        private static int ProcessId(int process) => 500 + (4 * process);

        private static int ThreadId(int thread) => 1000 + (4 * thread);

        private static int MarkerId(int process) => 4000 + (4 * process);

        private static bool IsDotNet(int thread) => thread < DotNetProcesses * ThreadsOfProcess;

        private void Begin()
        {
            trace.SampleInterval(1);
            trace.Drive(@"\Device\HarddiskVolume2", "C:");
            trace.Image(0, KernelStart, 0x100_0000, @"\Device\HarddiskVolume2\Windows\system32\ntoskrnl.exe");
            for (var process = 0; process < Threads / ThreadsOfProcess; process++)
            {
                trace.Process(ProcessId(process), process < DotNetProcesses ? $"Suite{process}.exe" : $"other{process}.exe");
                trace.Image(ProcessId(process), NativeStart, 0x20_0000, @"\Device\HarddiskVolume2\Windows\System32\ntdll.dll");
                trace.Image(
                    ProcessId(process),
                    NativeStart + 0x100_0000,
                    0x100_0000,
                    @"\Device\HarddiskVolume2\Program Files\dotnet\shared\Microsoft.NETCore.App\10.0.0\coreclr.dll"
                );
                for (var thread = 0; thread < ThreadsOfProcess; thread++)
                    trace.Thread(ThreadId((process * ThreadsOfProcess) + thread), ProcessId(process));
            }

            for (var process = 0; process < DotNetProcesses; process++)
            {
                trace.Thread(MarkerId(process), ProcessId(process));
                trace.Module(500, ProcessId(process), ThreadId(process * ThreadsOfProcess), 1, @"C:\suite\Serializers.dll");
            }

            for (; _methods < FirstMethods; _methods++)
                Method(_methods, isRundown: false);
            for (var processor = 0; processor < Processors; processor++)
                _onProcessor[_running[processor]] = true;

            // Stacks share their outer frames, as calls do.
            for (var stack = 0; stack < Stacks; stack++)
                _programStacks[stack] = ProgramStack(stack);
            for (var stack = 0; stack < _kernelStacks.Length; stack++)
                _kernelStacks[stack] =
                [
                    .. Enumerable.Range(0, _random.Next(2, 15)).Select(_ => KernelStart + (ulong)_random.Next(0x100_0000)),
                ];
        }

        private ulong[] ProgramStack(int stack)
        {
            var frames = new List<ulong> { NativeStart + 0x2F3, NativeStart + 0x100_0000 + 0x511 };
            var depth = _random.Next(10, 34);
            if (stack > 100)
                frames.AddRange(_programStacks[_random.Next(stack)].Reverse().Skip(2).Take(_random.Next(5, 20)));
            while (frames.Count < depth)
                frames.Add(CodeStart + ((ulong)_random.Next(FirstMethods) * CodeBytes) + (ulong)(16 * _random.Next(1, 6)));
            if (_random.Next(4) == 0)
                frames.Add(NativeStart + 0x100_0000 + (ulong)_random.Next(0x100_0000));
            frames.Reverse();
            return [.. frames];
        }

        private void Next()
        {
            _time += _random.Next(6);
            var processor = _random.Next(Processors);
            trace.Processor = processor;
            switch (_random.Next(1000))
            {
                case < 480:
                    Sample(_running[processor]);
                    break;
                case < 700:
                    Switch(processor);
                    break;
                case < 703:
                    trace.Gc(_time, ProcessId(_random.Next(DotNetProcesses)), ThreadId(_random.Next(ThreadsOfProcess)), ++_gcs, 0, 300);
                    break;
                case < 705:
                    Method(_methods++, isRundown: false);
                    break;
                default:
                    Other(s_others[_kinds[_random.Next(_kinds.Length)]]);
                    break;
            }
        }

        private void Sample(int thread)
        {
            _samples++;
            var program = _programStacks[_random.Next(Stacks)];
            var process = ProcessId(thread / ThreadsOfProcess);
            var at = _time;
            if (_random.Next(5) == 0)
            {
                var kernel = _kernelStacks[_random.Next(_kernelStacks.Length)];
                trace.BareSample(at, ThreadId(thread), kernel[0]);
                trace.Stack(++_time, at, process, ThreadId(thread), kernel);
            }
            else
            {
                trace.BareSample(at, ThreadId(thread), program[0]);
            }

            trace.Stack(++_time, at, process, ThreadId(thread), program);
        }

        private void Switch(int processor)
        {
            int next;
            do
            {
                next = _random.Next(Threads);
            } while (_onProcessor[next]);
            var waits = _random.Next(3) > 0;
            if (waits)
                trace.Ready(_time, ThreadId(next));
            trace.Switch(++_time, ThreadId(_running[processor]), ThreadId(next), waits);
            _onProcessor[_running[processor]] = false;
            _onProcessor[next] = true;
            _running[processor] = next;
        }

        private void Method(int method, bool isRundown)
        {
            for (var process = 0; process < DotNetProcesses; process++)
            {
                trace.Method(
                    _time,
                    ProcessId(process),
                    ThreadId(process * ThreadsOfProcess),
                    1 + method,
                    CodeStart + ((ulong)method * CodeBytes),
                    CodeBytes,
                    $"Suite.Serializers.Type{method / 20}",
                    $"Method{method}",
                    isRundown
                );
            }
        }

        private void Other(Kind kind)
        {
            var data = _payload.AsSpan(0, kind.Payload);
            for (var at = 0; at < data.Length; at += s_text.Length)
                s_text.AsSpan(0, Math.Min(s_text.Length, data.Length - at)).CopyTo(data[at..]);
            BinaryPrimitives.WriteUInt64LittleEndian(data, CodeStart + ((ulong)_random.Next(FirstMethods) * CodeBytes));
            BinaryPrimitives.WriteUInt64LittleEndian(data[8..], (ulong)_random.Next(4096));
            if (kind.Id == 150)
                BinaryPrimitives.WriteUInt16LittleEndian(data[17..], 12); // entries of the map
            var thread = _random.Next(Threads);
            trace.Write(
                new EtlEventFields
                {
                    HeaderType = kind.Type,
                    Timestamp = SyntheticEtl.StartTicks + (10 * _time),
                    Processor = trace.Processor,
                    ThreadId = ThreadId(thread),
                    ProcessId = ProcessId(IsDotNet(thread) ? thread / ThreadsOfProcess : 0),
                    ProviderId = kind.Provider,
                    Id = kind.Id,
                    Opcode = (byte)(kind.Type == EtlHeaderType.Full64 ? 10 : 0),
                    Version = 2,
                    Level = 4,
                    Keywords = 0x8000_0000_0000_0001,
                },
                data
            );
        }
    }

    /// <summary>A kind of event: its share and content.</summary>
    private sealed record Kind(int Share, EtlHeaderType Type, Guid Provider, ushort Id, int Payload);
}
