namespace EtwSerializerProfiler.Analysis.Allocation;

/// <summary>What the rows of an allocation report stand for, beside the runs' serializer and test.</summary>
public enum AllocationGrouping
{
    /// <summary>A type and the heap its objects lie on.</summary>
    Type = 0,

    /// <summary>The method that allocates.</summary>
    Method = 1,

    /// <summary>Nothing more: all allocations of a serializer and test.</summary>
    Serializer = 2,

    /// <summary>The whole stack, from the method that allocates outwards.</summary>
    Stack = 3,
}
