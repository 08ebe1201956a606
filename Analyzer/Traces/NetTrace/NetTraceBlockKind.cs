namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Kinds of block after the first object of a .nettrace stream.</summary>
public enum NetTraceBlockKind
{
    /// <summary>EventBlock: events. Each block can be decoded without the others, but for metadata and stacks.</summary>
    Event = 0,

    /// <summary>MetadataBlock: what events of an id are. An id is valid up to the end of the stream.</summary>
    Metadata = 1,

    /// <summary>StackBlock: stacks by id. An id is valid up to the next sequence point.</summary>
    Stack = 2,

    /// <summary>SPBlock: sequence point. All events before it in the stream are older than those after it; stack ids begin anew.</summary>
    SequencePoint = 3,

    /// <summary>Of format 6: process and thread of indexes.</summary>
    Thread = 4,

    /// <summary>Of format 6: indexes of threads that are not used any more.</summary>
    RemoveThread = 5,

    /// <summary>Of format 6: lists of labels by id. An id is valid up to the next sequence point.</summary>
    LabelList = 6,
}
