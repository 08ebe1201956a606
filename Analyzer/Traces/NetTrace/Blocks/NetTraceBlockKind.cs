namespace EtwSerializerProfiler.Traces.NetTrace.Blocks;

/// <summary>Kinds of block after the first object of a .nettrace stream.</summary>
public enum NetTraceBlockKind
{
    /// <summary>EventBlock: events. Each block can be decoded without the others, except metadata and stacks.</summary>
    Event = 0,

    /// <summary>MetadataBlock: descriptions of events by id. An id is valid until the end of the stream.</summary>
    Metadata = 1,

    /// <summary>StackBlock: stacks by id. An id is valid until the next sequence point.</summary>
    Stack = 2,

    /// <summary>SPBlock: sequence point. All events before it in the stream are older than those after it; stack ids restart.</summary>
    SequencePoint = 3,

    /// <summary>Format 6: process and thread of indexes.</summary>
    Thread = 4,

    /// <summary>Format 6: indexes of threads no longer used.</summary>
    RemoveThread = 5,

    /// <summary>Format 6: label lists by id. An id is valid until the next sequence point.</summary>
    LabelList = 6,
}
