namespace EtwSerializerProfiler.Traces.NetTrace;

/// <summary>Kinds of block behind the first object of a .nettrace stream of format 4 or 5.</summary>
public enum NetTraceBlockKind
{
    /// <summary>EventBlock: events. Each block can be decoded without the others, but for metadata and stacks.</summary>
    Event = 0,

    /// <summary>MetadataBlock: what events of an id are. An id is valid up to the end of the stream.</summary>
    Metadata = 1,

    /// <summary>StackBlock: stacks by id. An id is valid up to the next sequence point.</summary>
    Stack = 2,

    /// <summary>SPBlock: sequence point. All events before it in the stream are older than those behind it; stack ids begin anew.</summary>
    SequencePoint = 3,
}
