namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>
/// Finds the gaps of a perf.data file. Only in the file's order does a loss stand between the records around it in its processor's ring: by
/// time, the record after it can come before it, because the kernel takes a record's time before it finds room. So this is a pass of its
/// own, made only for files with losses.
/// </summary>
internal static class PerfDataGaps
{
    /// <summary>Reads the gaps.</summary>
    /// <exception cref="IOException">The file became unreadable.</exception>
    public static IReadOnlyList<EventGap> Read(string path)
    {
        var gaps = new GapCollector();
        var lastOfCpu = new Dictionary<int, long>();
        var (newest, drained, drainedBefore) = (0L, 0L, 0L);
        using var reader = PerfDataReader.Open(path, new PerfReadOptions { Order = PerfRecordOrder.File });
        while (reader.TryRead(out var record))
        {
            if (record.Type == PerfRecordType.FinishedRound)
                (drainedBefore, drained) = (drained, newest);
            var cpu = record.Origin.Cpu;
            if (record.Type == PerfRecordType.Lost)
                gaps.Add(lastOfCpu.GetValueOrDefault(cpu, record.Time), record.Time, record.LostCount);
            else if (record.Type == PerfRecordType.LostSamples)
                // Of a ring that was full at the end: since it was drained before.
                gaps.Add(drained == newest ? drainedBefore : drained, Math.Max(newest, record.Time), record.LostCount);
            if (record.Time == 0)
                continue;
            newest = Math.Max(newest, record.Time);
            if (cpu >= 0)
                lastOfCpu[cpu] = record.Time;
        }

        return gaps.Gaps();
    }
}
