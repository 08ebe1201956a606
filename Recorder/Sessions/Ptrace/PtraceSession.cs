using System.Buffers.Binary;
using System.Diagnostics;
using System.IO.Pipes;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Writing;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>
/// The recorder's side of the ptrace sampler. Starts the sampler in place of the program, and on a thread of its own moves the received
/// records to a perf.data file or into memory (<see cref="PerfSinkFactory"/>).
/// </summary>
internal sealed unsafe class PtraceSession : IKernelSession
{
    private const int BufferBytes = 1 << 20;

    private const int HeaderSize = 8;

    /// <summary>Maximum time that records stay in the writer's buffer.</summary>
    private const long FlushMilliseconds = 1000;

    /// <summary>
    /// Variables of the sampler: other tools need not see it as a .NET program, and it must start fast because its start delays the
    /// program's.
    /// </summary>
    private static readonly IReadOnlyDictionary<string, string?> s_variables = new Dictionary<string, string?>
    {
        ["DOTNET_DiagnosticPorts"] = null,
        ["DOTNET_EnableDiagnostics"] = "0",
        ["DOTNET_STARTUP_HOOKS"] = null,
        ["DOTNET_gcServer"] = "0",
        ["DOTNET_gcConcurrent"] = "0",
    };

    private readonly AnonymousPipeServerStream _pipe = new(PipeDirection.In, HandleInheritability.None, BufferBytes);
    private readonly TaskCompletionSource<int> _program = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly PtracePlan _plan;
    private readonly IReadOnlyList<string> _command;
    private readonly Thread _thread;
    private IPerfRecordSink? _writer;
    private RecordCounter? _counter;
    private volatile string _error = "";
    private bool _hasEnded;
    private bool _stopped;

    /// <summary>Prepares the launch of a program.</summary>
    /// <param name="plan">The plan.</param>
    /// <param name="command">Program and arguments.</param>
    /// <exception cref="LaunchException">The program does not exist or may not be run.</exception>
    public PtraceSession(PtracePlan plan, IReadOnlyList<string> command)
    {
        _plan = plan;
        _command = [GatedLaunch.FindProgram(command[0]), .. command.Skip(1)];
        _thread = new Thread(Run) { IsBackground = true, Name = "ptrace samples" };
    }

    /// <summary>Process id of the program after the sampler has started it; 0 when it could not.</summary>
    public Task<int> Program => _program.Task;

    /// <inheritdoc />
    public PerfSessionStatistics Statistics => _counter?.Read(_writer!) ?? default;

    /// <inheritdoc />
    public string Error => _error;

    /// <inheritdoc />
    public bool CouldNotWrite { get; private set; }

    /// <summary>Starts the sampler, which starts the program after attaching to it.</summary>
    /// <param name="workingDirectory">Working directory of the program.</param>
    /// <param name="environment">Variables of the program that differ from the recorder's own; a null value removes one.</param>
    /// <param name="output">Target of the program's standard output; null to inherit the recorder's.</param>
    /// <exception cref="LaunchException">The sampler cannot be started.</exception>
    public ChildProcess Launch(string workingDirectory, IReadOnlyDictionary<string, string?> environment, TextWriter? output)
    {
        var variables = new Dictionary<string, string?>(environment);
        foreach (var (name, _) in s_variables)
            variables.TryAdd(name, Environment.GetEnvironmentVariable(name));
        var arguments = new SamplerArguments(
            $"/proc/{Environment.ProcessId}/fd/{_pipe.ClientSafePipeHandle.DangerousGetHandle()}",
            _plan.SampleRateHz,
            _plan.StackDumpBytes,
            variables,
            _command
        );

        // The sampler's threads inherit this thread's blocked signals, and none of them may receive the signals that its main thread waits
        // for.
        var blocked = stackalloc byte[PtraceNative.SignalSetBytes];
        PtraceNative.BlockChildSignal(blocked);
        try
        {
            return ChildProcess.Start([.. _plan.SamplerCommand, .. arguments.Write()], workingDirectory, s_variables, output);
        }
        finally
        {
            PtraceNative.RestoreSignals(blocked);
        }
    }

    /// <summary>Opens the file and starts reading.</summary>
    /// <exception cref="IOException">The file cannot be created.</exception>
    public void Start(string path, string toolVersion, IReadOnlyList<string> commandLine, PerfSinkFactory? open)
    {
        open ??= (file, events, features, tracingData, bufferBytes) => new PerfDataWriter(file, events, features, tracingData, bufferBytes);
        IReadOnlyList<PerfEvent> events =
        [
            .. _plan.Events.Select(
                (item, index) => new PerfEvent(item.Name, item.Settings.WithUnlistedDump(), [PtraceSampler.EventId + (ulong)index])
            ),
        ];
        try
        {
            _writer = open(path, events, PerfEventSession.Describe(Stopwatch.GetTimestamp(), toolVersion, commandLine), [], BufferBytes);
            _counter = new RecordCounter(_writer.BuildIds);
        }
        finally
        {
            _thread.Start(); // even without a file, because the program must not wait for a pipe that nobody reads
        }
    }

    /// <inheritdoc />
    public void Stop()
    {
        if (_stopped)
            return;
        _stopped = true;
        _pipe.DisposeLocalCopyOfClientHandle();
        if (_thread.IsAlive)
            _thread.Join();
        try
        {
            _writer?.Dispose();
        }
        catch (IOException exception)
        {
            GiveUp(exception);
        }
    }

    public void Dispose()
    {
        Stop();
        _pipe.Dispose();
    }

    /// <summary>Reads until the sampler has ended.</summary>
    private void Run()
    {
        var buffer = new byte[BufferBytes];
        var filled = 0;
        var flushed = Environment.TickCount64;
        int read;
        while ((read = _pipe.Read(buffer, filled, buffer.Length - filled)) > 0)
        {
            filled += read;
            var taken = Take(buffer.AsSpan(0, filled));
            buffer.AsSpan(taken, filled - taken).CopyTo(buffer);
            filled -= taken;
            if (Environment.TickCount64 - flushed < FlushMilliseconds)
                continue;
            flushed = Environment.TickCount64;
            Use(static writer => writer.Flush());
        }

        if (!_hasEnded && _error.Length == 0)
            _error = "ended early: the sampler was killed";
        _program.TrySetResult(0);
    }

    /// <summary>Processes the complete records in the buffer.</summary>
    /// <returns>Number of bytes processed.</returns>
    private int Take(ReadOnlySpan<byte> bytes)
    {
        var at = 0;
        var begin = 0;
        while (
            bytes.Length - at >= HeaderSize
            && BinaryPrimitives.ReadUInt16LittleEndian(bytes[(at + 6)..]) is var size
            && size >= HeaderSize
            && size <= bytes.Length - at
        )
        {
            var record = bytes.Slice(at, size);
            var type = BinaryPrimitives.ReadInt32LittleEndian(record);
            if (type is (int)PerfRecordType.FinishedRound or >= SamplerMessage.Started)
            {
                Add(bytes[begin..at]);
                begin = at + size;
            }

            at += size;
            switch (type)
            {
                case (int)PerfRecordType.FinishedRound:
                    Use(static writer => writer.WriteFinishedRound());
                    break;
                case SamplerMessage.Started:
                    _pipe.DisposeLocalCopyOfClientHandle(); // now the pipe closes when the sampler ends
                    _program.TrySetResult(SamplerMessage.ProcessId(record));
                    break;
                case SamplerMessage.Problem:
                    _error = SamplerMessage.Text(record);
                    break;
                case SamplerMessage.Ended:
                    _hasEnded = true;
                    break;
            }
        }

        Add(bytes[begin..at]);
        return at;
    }

    private void Add(ReadOnlySpan<byte> records)
    {
        if (records.IsEmpty || _writer is null || CouldNotWrite)
            return;
        try
        {
            _counter!.Count(records);
            records.CopyTo(_writer.GetBuffer(records.Length));
            _writer.Advance(records.Length);
            (_writer.FirstTime, _writer.LastTime) = (_counter.FirstTime, _counter.LastTime);
        }
        catch (IOException exception)
        {
            GiveUp(exception);
        }
    }

    private void Use(Action<IPerfRecordSink> action)
    {
        if (_writer is null || CouldNotWrite)
            return;
        try
        {
            action(_writer);
        }
        catch (IOException exception)
        {
            GiveUp(exception);
        }
    }

    private void GiveUp(IOException exception)
    {
        CouldNotWrite = true;
        _error = $"ended early: {exception.Message}";
    }
}
