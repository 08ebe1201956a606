namespace EtwSerializerProfiler.Traces.Export;

/// <summary>Counts of what was written and omitted.</summary>
internal sealed class ExportCounts
{
    public long Processes { get; set; }

    public long Threads { get; set; }

    public long ThreadNames { get; set; }

    public long Images { get; set; }

    public long Samples { get; set; }

    /// <summary>Stacks of samples and switches.</summary>
    public long Stacks { get; set; }

    public long Switches { get; set; }

    public long ReadyEvents { get; set; }

    /// <summary>EventPipe events.</summary>
    public long RuntimeEvents { get; set; }

    public long NamedRanges { get; set; }

    /// <summary>Events that an earlier session of the same process has, too.</summary>
    public long RepeatedEvents { get; set; }

    /// <summary>Events with labels other than activities.</summary>
    public long LabelsLeftOut { get; set; }

    /// <summary>Events too large for a record of an .etl.</summary>
    public long TooLarge { get; set; }

    /// <summary>Events written without their stack, which was too large.</summary>
    public long StacksTooLarge { get; set; }

    /// <summary>Addresses with several meanings over time; they have the name of the first.</summary>
    public long AmbiguousAddresses { get; set; }

    /// <summary>Records that could not be decoded.</summary>
    public long Undecodable { get; set; }

    /// <summary>Stacks of threads that were not switched in again: Windows logs the stack at the switch-in.</summary>
    public long StacksWithoutReturn { get; set; }

    /// <summary>Waits whose stack was not recorded because threads switched too often.</summary>
    public long UnsampledSwitchStacks { get; set; }

    /// <summary>Kinds and counts for people.</summary>
    public IReadOnlyList<(string Kind, long Count)> ByKind =>
        [
            .. new (string Kind, long Count)[]
            {
                ("processes", Processes),
                ("threads", Threads),
                ("names of threads", ThreadNames),
                ("images", Images),
                ("CPU samples", Samples),
                ("context switches", Switches),
                ("ready events (ReadyThread)", ReadyEvents),
                ("stacks of samples and switches", Stacks),
                ("events of the runtime and of event sources", RuntimeEvents),
                ("names of native and kernel code", NamedRanges),
            }.Where(pair => pair.Count > 0),
        ];
}
