namespace EtwSerializerProfiler.Analysis.Collections;

/// <summary>What the rows of a report on collections stand for.</summary>
public enum CollectionGrouping
{
    /// <summary>A single collection.</summary>
    Collection = 0,

    /// <summary>The method that triggered them, beside reason, generation and the runs' serializer and test.</summary>
    Method = 1,

    /// <summary>The whole stack, from the method that triggered them outwards.</summary>
    Stack = 2,
}
