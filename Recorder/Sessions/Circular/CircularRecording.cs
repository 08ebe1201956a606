using System.Diagnostics;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Writing;
using EtwSerializerProfiler.Traces.Recordings;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Sessions.Circular;

/// <summary>The newest part of all sessions of a recording, in one memory with one cut; written at the end or as a snapshot.</summary>
internal sealed class CircularRecording : IDisposable
{
    private const int FileBufferBytes = 128 << 10;

    private readonly CircularMemory _memory;
    private readonly List<CircularNetTrace> _traces = [];
    private readonly Func<string, Stream> _openFile;
    private readonly RecordingMode _mode;
    private readonly long _startTime = Stopwatch.GetTimestamp();

    /// <summary>Dropped bytes of traces that were removed.</summary>
    private long _forgottenBytes;
    private long _forgottenEvents;

    /// <summary>The memory's pages on disk; null when they are in memory.</summary>
    private CircularFile? _file;

    private CircularPerfData? _kernel;
    private string _kernelFile = "";

    /// <summary>Creates the recording.</summary>
    /// <param name="mode">A circular mode.</param>
    /// <param name="openFile">Opens a trace file for writing.</param>
    public CircularRecording(RecordingMode mode, Func<string, Stream> openFile)
    {
        _mode = mode;
        _memory = new CircularMemory(mode.CircularBytes);
        _openFile = openFile;
    }

    /// <summary>Takes the space on disk, if the mode says so.</summary>
    /// <param name="folder">Folder of the recording.</param>
    /// <exception cref="ProblemException">The disk does not have the space.</exception>
    public void Begin(string folder)
    {
        if (!_mode.IsOnDisk)
            return;
        try
        {
            _memory.StoreIn(_file = CircularFile.Create(Path.Combine(folder, ".newest"), _mode.CircularBytes));
        }
        catch (IOException exception)
        {
            throw new ProblemException(
                new Problem(
                    $"the disk has no room for {RecordingMode.MaxSizeName} {ByteSize.Format(_mode.MaxBytesOnDisk)}: {exception.Message}",
                    folder,
                    "make room, choose another disk with --out, or a smaller size"
                )
            );
        }
    }

    /// <inheritdoc />
    public void Dispose() => _file?.Dispose();

    /// <summary>Opens the target of an EventPipe session's stream.</summary>
    /// <param name="path">Path of the output file.</param>
    public Stream OpenTrace(string path)
    {
        var trace = new CircularNetTrace(_memory, Path.GetFileName(path));
        lock (_memory.Gate)
        {
            // Removes traces of processes that ended before the cut: a recording may start any number of processes.
            foreach (var old in _traces.Where(old => !old.HasContent && old.HasEnded))
            {
                _forgottenBytes += old.DroppedBytes;
                _forgottenEvents += old.DroppedEvents;
                old.Forget();
            }

            _traces.RemoveAll(old => !old.HasContent && old.HasEnded);
            _traces.Add(trace);
        }

        return trace;
    }

    /// <summary>Opens the target of the kernel session's records.</summary>
    public IPerfRecordSink OpenPerfData(
        string path,
        IReadOnlyList<PerfEvent> events,
        PerfDataFeatures features,
        ReadOnlySpan<byte> tracingData,
        int bufferBytes
    )
    {
        var kernel = new CircularPerfData(_memory, events, features, tracingData, bufferBytes);
        _kernelFile = Path.GetFileName(path);
        return _kernel = kernel;
    }

    /// <summary>
    /// Whether every session has delivered something newer than a time, and therefore everything older. A session without events looks like
    /// a late one.
    /// </summary>
    public bool IsCompleteUpTo(long time)
    {
        lock (_memory.Gate)
            return (_kernel is null || _kernel.LastTime > time) && _traces.TrueForAll(trace => trace.HasEnded || trace.NewestTime > time);
    }

    /// <summary>Writes all sessions. The memory is locked meanwhile, so all files end at the same moment.</summary>
    /// <param name="folder">Folder for the files.</param>
    /// <param name="stopTime">Time up to which the sessions are complete.</param>
    /// <param name="trigger">Name of the trigger.</param>
    public CircularPart Write(string folder, long stopTime, string trigger)
    {
        var files = new Dictionary<string, long>();
        var problems = new List<string>();
        var couldNotWrite = false;
        if (trigger == KeptInterval.AtEnd) // snapshots need the pages and the space for the files of the end
            _file?.FreeOtherHalf();
        lock (_memory.Gate)
        {
            var droppedBytes = _forgottenBytes;
            var droppedEvents = _forgottenEvents;
            foreach (var trace in _traces)
            {
                droppedBytes += trace.DroppedBytes;
                droppedEvents += trace.DroppedEvents;
                if (!trace.HasContent)
                    continue;
                Try(trace.Name, () => WriteTrace(trace, folder));
                if (trace.LostStackBlocks > 0)
                    problems.Add(
                        $"{trace.Name}: {trace.LostStackBlocks} stack blocks did not fit into the memory, so events may lack their stacks; record with a larger size"
                    );
            }

            if (_kernel is { } kernel)
            {
                droppedBytes += kernel.DroppedBytes;
                var dropped = kernel.Dropped;
                droppedEvents += dropped.Samples + dropped.Switches + dropped.Others;
                Try(_kernelFile, () => kernel.WriteTo(Path.Combine(folder, _kernelFile)));
            }

            if (_memory.CutTime >= stopTime)
                problems.Add(
                    $"no events before {trigger} remain: more data arrives while the sessions deliver their last events than the memory can hold; record with a larger size"
                );
            var interval = new KeptInterval(
                _mode.CircularBytes,
                Math.Min(Math.Max(_startTime, _memory.CutTime), stopTime),
                stopTime,
                Stopwatch.Frequency,
                trigger,
                files.Values.Sum(),
                droppedBytes,
                droppedEvents
            );
            return new CircularPart(interval, files, problems) { CouldNotWrite = couldNotWrite };
        }

        void Try(string name, Func<long> write)
        {
            try
            {
                files[name] = write();
            }
            catch (Exception exception) when (WriteFailure.Is(exception) || exception is UnauthorizedAccessException)
            {
                couldNotWrite = true;
                problems.Add($"{name} could not be written: {exception.Message}");

                // The written part can be read up to its end.
                if (File.Exists(Path.Combine(folder, name)))
                    files[name] = new FileInfo(Path.Combine(folder, name)).Length;
            }
        }
    }

    private long WriteTrace(CircularNetTrace trace, string folder)
    {
        using var file = new BufferedStream(_openFile(Path.Combine(folder, trace.Name)), FileBufferBytes);
        return trace.WriteTo(file);
    }
}
