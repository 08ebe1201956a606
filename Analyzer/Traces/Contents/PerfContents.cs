using System.Text;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Traces.Contents;

/// <summary>Counts and decodes the records of a perf.data file: its events are the record types, with samples by sampled event.</summary>
internal static class PerfContents
{
    private const string Provider = "perf";

    /// <summary>Maximum number of listed call chain addresses.</summary>
    private const int MaxAddresses = 16;

    /// <summary>Names of record types as perf prints them, without PERF_RECORD_.</summary>
    private static readonly Dictionary<PerfRecordType, string> s_names = new()
    {
        [PerfRecordType.LostSamples] = "LOST_SAMPLES",
        [PerfRecordType.SwitchCpuWide] = "SWITCH_CPU_WIDE",
        [PerfRecordType.ItraceStart] = "ITRACE_START",
        [PerfRecordType.BpfEvent] = "BPF_EVENT",
        [PerfRecordType.TextPoke] = "TEXT_POKE",
        [PerfRecordType.AuxOutputHardwareId] = "AUX_OUTPUT_HW_ID",
        [PerfRecordType.HeaderAttribute] = "HEADER_ATTR",
        [PerfRecordType.HeaderTracingData] = "HEADER_TRACING_DATA",
        [PerfRecordType.HeaderBuildId] = "HEADER_BUILD_ID",
        [PerfRecordType.FinishedRound] = "FINISHED_ROUND",
        [PerfRecordType.IdIndex] = "ID_INDEX",
        [PerfRecordType.ThreadMap] = "THREAD_MAP",
        [PerfRecordType.CpuMap] = "CPU_MAP",
        [PerfRecordType.FinishedInit] = "FINISHED_INIT",
    };

    /// <summary>Counts the records of a file.</summary>
    /// <exception cref="TraceFormatException">It is not a perf.data file.</exception>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static TraceContents Read(string path, bool byProcess)
    {
        using var reader = PerfDataReader.Open(path);
        var counts = new Dictionary<EventCountKey, EventCount>();
        var processes = byProcess ? PerfDataProcesses.Read(path).ToDictionary(process => process.ProcessId, process => process.Name) : [];
        var lost = 0L;
        var (firstTime, lastTime) = (long.MaxValue, 0L);
        while (reader.TryRead(out var record))
        {
            lost += record.LostCount;
            lastTime = TimeOf(record, lastTime);
            firstTime = lastTime > 0 ? Math.Min(firstTime, lastTime) : firstTime;
            var key = KeyOf(record, reader.Events, byProcess);
            if (!counts.TryGetValue(key, out var count))
            {
                counts.Add(
                    key,
                    count = new EventCount(key, lastTime)
                    {
                        ProviderName = Provider,
                        EventName = NameOf(record),
                        ProcessName = processes.GetValueOrDefault(key.ProcessId, ""),
                    }
                );
            }

            count.Count++;
            count.PayloadBytes += record.Bytes.Length - RecordHeaderBytes;
            count.RecordBytes += record.Bytes.Length;
            count.LastTime = lastTime;
        }

        // Records before the first one with a time get that time.
        firstTime = firstTime == long.MaxValue ? reader.Features.FirstTime : firstTime;
        foreach (var count in counts.Values)
            (count.FirstTime, count.LastTime) = (Math.Max(count.FirstTime, firstTime), Math.Max(count.LastTime, firstTime));
        var sampling = reader.Events.FirstOrDefault(item => item.SamplesCpuTime)?.Settings;
        return new TraceContents
        {
            Files = [path],
            Format = "perf.data",
            Clock = new TraceClock(firstTime, TicksPerSecond),
            FileBytes = new FileInfo(path).Length,
            LostEvents = lost,
            Damage = reader.Damage is { } damage ? new TraceDamage(path, damage.Offset, new FileInfo(path).Length, damage.Reason) : null,
            Kinds = TraceContentsReader.Ordered(counts.Values),
            SampleIntervalMs =
                sampling is null ? null
                : (sampling.Bits & PerfEventBits.Frequency) != 0 ? 1e3 / sampling.SamplePeriod
                : sampling.SamplePeriod / 1e6,
        };
    }

    /// <summary>Decodes the records of a query in time order.</summary>
    /// <returns>Content of the file, for its losses.</returns>
    /// <exception cref="NoEventMatchesException">The file has no matching record.</exception>
    public static TraceContents Decode(string path, EventQuery query, Action<DecodedEvent> receive)
    {
        var byProcess = query.Process.Length > 0;
        var contents = Read(path, byProcess);
        var wanted = EventSelection.Of(contents, query);
        var clock = contents.Clock;
        var (first, last) = (Time(query.From, long.MinValue), Time(query.To, long.MaxValue));
        using var reader = PerfDataReader.Open(path);
        var received = 0L;
        var time = clock.OriginTicks;
        while (received < (query.Top ?? long.MaxValue) && reader.TryRead(out var record))
        {
            time = TimeOf(record, time);
            if (time < first || time > last || !wanted.Contains(KeyOf(record, reader.Events, byProcess)))
                continue;
            var origin = record.Origin;
            receive(
                new DecodedEvent(
                    clock.SinceOriginMilliseconds(time),
                    time,
                    Provider,
                    NameOf(record),
                    (int)record.Type,
                    0,
                    0,
                    ProcessOf(record),
                    origin.ThreadId,
                    origin.Cpu,
                    record.Bytes.Length - RecordHeaderBytes,
                    FieldsOf(record)
                )
            );
            received++;
        }

        return contents;

        long Time(TimeSpan? since, long otherwise) =>
            since is { } span ? clock.OriginTicks + (span.Ticks * TimeSpan.NanosecondsPerTick) : otherwise;
    }

    private const int RecordHeaderBytes = 8;
    private const long TicksPerSecond = 1_000_000_000;

    /// <summary>A record without a time gets that of the previous record.</summary>
    private static long TimeOf(in PerfRecord record, long before) => record.Time > 0 ? record.Time : before;

    private static EventCountKey KeyOf(in PerfRecord record, IReadOnlyList<PerfEvent> events, bool byProcess)
    {
        ushort schema = 0;
        if (record.Type == PerfRecordType.Sample)
        {
            while (schema < events.Count && !ReferenceEquals(events[schema], record.Event))
                schema++;
            schema++;
        }

        return new EventCountKey(
            Guid.Empty,
            false,
            (ushort)record.Type,
            0,
            schema,
            byProcess ? ProcessOf(record) : EventCountKey.AnyProcess
        );
    }

    private static int ProcessOf(in PerfRecord record) =>
        record.TryReadMapping(out var mapping) ? mapping.ProcessId
        : record.TryReadComm(out var process, out _, out _) ? process
        : record.TryReadTask(out var task) ? task.ProcessId
        : record.Origin.ProcessId;

    private static string NameOf(in PerfRecord record)
    {
        if (record.Type == PerfRecordType.Sample)
            return record.Event.Name.Length > 0 ? $"SAMPLE {record.Event.Name}" : "SAMPLE";
        return s_names.TryGetValue(record.Type, out var name) ? name
            : Enum.IsDefined(record.Type) ? record.Type.ToString().ToUpperInvariant()
            : FormattableString.Invariant($"Type({(int)record.Type})");
    }

    private static List<(string Name, object? Value)> FieldsOf(in PerfRecord record)
    {
        if (record.TryReadMapping(out var mapping))
        {
            return
            [
                ("Address", mapping.Address),
                ("Length", mapping.Length),
                ("PageOffset", mapping.PageOffset),
                ("Protection", mapping.Protection),
                ("FileName", Encoding.UTF8.GetString(mapping.Path)),
                ("BuildId", Convert.ToHexStringLower(mapping.BuildId)),
            ];
        }

        if (record.TryReadComm(out _, out var thread, out var name))
            return [("ThreadId", thread), ("Name", Encoding.UTF8.GetString(name)), ("IsExec", record.IsExec)];
        if (record.TryReadTask(out var task))
            return [("ThreadId", task.ThreadId), ("ParentProcessId", task.ParentProcessId), ("ParentThreadId", task.ParentThreadId)];
        if (record.TryReadCount(out var count))
            return [("Value", count.Value), ("EnabledTime", count.EnabledTime), ("RunningTime", count.RunningTime)];
        return record.Type switch
        {
            PerfRecordType.Switch or PerfRecordType.SwitchCpuWide => [("IsOut", record.IsSwitchOut), ("IsPreempted", record.IsPreempted)],
            PerfRecordType.Lost or PerfRecordType.LostSamples => [("Lost", record.LostCount)],
            PerfRecordType.Sample when record.TryReadSample(out var sample) => SampleFields(sample),
            _ => [],
        };
    }

    private static List<(string Name, object? Value)> SampleFields(in PerfSample sample)
    {
        List<(string, object?)> fields =
        [
            ("Ip", sample.Ip),
            ("Period", (long)sample.Period),
            ("IsKernelMode", sample.IsKernelMode),
            ("Frames", sample.CallChain.Length),
            ("CallChain", sample.CallChain[..Math.Min(sample.CallChain.Length, MaxAddresses)].ToArray()),
        ];
        if (sample.UserStack.Length > 0)
            fields.Add(("UserStackBytes", sample.UserStack.Length));
        foreach (var field in sample.Event.Format?.Fields ?? [])
        {
            if (field.TryRead(sample.Raw, out var number))
                fields.Add((field.Name, number));
            else
                fields.Add((field.Name, Encoding.UTF8.GetString(field.ReadText(sample.Raw))));
        }

        return fields;
    }
}
