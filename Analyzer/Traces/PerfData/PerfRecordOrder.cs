namespace EtwSerializerProfiler.Traces.PerfData;

/// <summary>Order in which records are read.</summary>
public enum PerfRecordOrder
{
    /// <summary>By time; equal times as in the file. Records without a time come first in their round.</summary>
    Time,

    /// <summary>As in the file: blocks of one CPU after the other.</summary>
    File,
}
