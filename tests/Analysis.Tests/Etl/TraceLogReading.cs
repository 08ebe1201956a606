using EtwSerializerProfiler.Etl.Tests;
using EtwSerializerProfiler.Traces.TraceEventFeed;
using Microsoft.Diagnostics.Tracing.Etlx;
using Microsoft.Diagnostics.Tracing.Parsers.Kernel;

namespace EtwSerializerProfiler.Analysis.Tests.Etl;

/// <summary>TraceLog's result for a real trace, and the trace's own events for what TraceLog lacks.</summary>
public sealed class TraceLogReading : IDisposable
{
    public const string Trace = "net.4.5.2.x64.etl.zip";

    private readonly TempFolder _folder = new();
    private readonly TraceLog? _log;

    /// <summary>Images with the interval in which they were loaded; process 0 has those of the kernel.</summary>
    private readonly List<(int Process, ulong Start, ulong End, long From, long To, string File)> _images = [];

    /// <summary>When the session listed each thread (ThreadDCStart), by thread id.</summary>
    private readonly Dictionary<long, long> _listed = [];

    /// <summary>Stack events without a frame of the kernel, by thread.</summary>
    private readonly ILookup<long, (long Time, ulong[] Frames)>? _programHalves;

    public TraceLogReading()
    {
        if (!RealTraces.Has(Trace))
            return; // the tests skip
        var path = RealTraces.Get(Trace);
        var etlx = Path.Combine(_folder.Path, "trace.etlx");
        using (var source = EtlTraceEventSource.Open(path))
            TraceLog.CreateFromEventTraceLogFile(source, etlx);
        _log = new TraceLog(etlx);

        var halves = new List<(long Thread, long Time, ulong[] Frames)>();
        using var events = EtlTraceEventSource.Open(path, new EtlTraceEventSourceOptions { DescribeTraceLogging = false });
        events.Kernel.ImageLoad += data => Image(data, Time(data));
        events.Kernel.ImageDCStart += data => Image(data, long.MinValue);
        events.Kernel.ImageDCStop += data =>
        {
            if (!_images.Exists(image => image.Process == data.ProcessID && image.Start == data.ImageBase && image.To == long.MaxValue))
                Image(data, long.MinValue);
        };
        events.Kernel.ImageUnload += data =>
        {
            var image = _images.FindIndex(image =>
                image.Process == data.ProcessID && image.Start == data.ImageBase && image.To == long.MaxValue
            );
            if (image >= 0)
                _images[image] = _images[image] with { To = Time(data) };
        };
        events.Kernel.ThreadDCStart += data => _listed[data.ThreadID] = Time(data);
        events.Kernel.StackWalkStack += data =>
        {
            if (data.FrameCount > 0 && !IsKernel(data.InstructionPointer(0)))
                halves.Add((data.ThreadID, Time(data), [.. Enumerable.Range(0, data.FrameCount).Select(data.InstructionPointer)]));
        };
        events.Process();
        _programHalves = halves.ToLookup(half => half.Thread, half => (half.Time, half.Frames));
    }

    public static bool IsKernel(ulong address) => address >= 0xFFFF_8000_0000_0000;

    /// <summary>Samples of a process: frames and their names, leaf first.</summary>
    public IEnumerable<(long Time, int Thread, List<ulong> Frames, List<string> Names)> Samples(int process)
    {
        foreach (var data in _log!.Events)
        {
            if (data is not SampledProfileTraceData sample || sample.ProcessID != process)
                continue;
            var frames = new List<ulong>();
            var names = new List<string>();
            for (var stack = sample.CallStack(); stack is not null; stack = stack.Caller)
            {
                frames.Add(stack.CodeAddress.Address);
                names.Add(Name(stack.CodeAddress, process, Time(sample)));
            }

            yield return (Time(sample), sample.ThreadID, frames, names);
        }
    }

    /// <summary>When the session listed a thread; <see cref="long.MinValue"/> for an unlisted one.</summary>
    public long ListedAt(int thread) => _listed.GetValueOrDefault(thread, long.MinValue);

    /// <summary>The program's half of the stack of a thread in the kernel, logged when it left the kernel.</summary>
    public ulong[] NextProgramHalf(int thread, long time) => _programHalves![thread].First(half => half.Time > time).Frames;

    /// <summary>TraceLog's names of addresses of a process.</summary>
    public IEnumerable<string> Names(int process, IEnumerable<ulong> addresses)
    {
        var known = Samples(process).SelectMany(sample => sample.Frames.Zip(sample.Names)).DistinctBy(frame => frame.First).ToDictionary();
        return addresses.Select(address => known[address]);
    }

    /// <summary>
    /// TraceLog's PDB files of the images of a process: address, name, GUID, age. (Assemblies loaded only by the runtime have no address.)
    /// </summary>
    public IEnumerable<(ulong Start, string Pdb, Guid Guid, int Age)> Pdbs(int process) =>
        _log!
            .Processes.Where(each => each.ProcessID == process)
            .SelectMany(each => each.LoadedModules)
            .Where(module => module.ImageBase != 0 && module.ModuleFile.PdbSignature != Guid.Empty)
            .Select(module => (module.ImageBase, module.ModuleFile.PdbName, module.ModuleFile.PdbSignature, module.ModuleFile.PdbAge))
            .Distinct();

    public void Dispose()
    {
        _log?.Dispose();
        _folder.Dispose();
    }

    /// <summary>
    /// The full name of a method without its signature, or the file of other code; if TraceLog has neither, the file by the trace.
    /// </summary>
    private string Name(TraceCodeAddress code, int process, long time)
    {
        if (code.Method is { } method)
        {
            var name = method.FullMethodName;
            var end = name.IndexOf('(', StringComparison.Ordinal);
            return end < 0 ? name : name[..end];
        }

        if (code.ModuleFile is { } file)
            return FileName(file.FilePath);
        var owner = IsKernel(code.Address) ? 0 : process;
        var image = _images.Find(image =>
            image.Process == owner && image.Start <= code.Address && code.Address < image.End && image.From <= time && time < image.To
        );
        return image.File ?? (IsKernel(code.Address) ? "Kernel" : "Unknown");
    }

    private void Image(ImageLoadTraceData data, long from) =>
        _images.Add((data.ProcessID, data.ImageBase, data.ImageBase + (ulong)data.ImageSize, from, long.MaxValue, FileName(data.FileName)));

    private static string FileName(string path) => path[(path.LastIndexOfAny(['/', '\\']) + 1)..];

    private static long Time(Microsoft.Diagnostics.Tracing.TraceEvent data)
    {
#pragma warning disable CS0618 // "Discouraged": it is the only exact time
        return data.TimeStampQPC;
#pragma warning restore CS0618
    }
}
