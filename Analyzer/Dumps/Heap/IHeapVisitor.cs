namespace EtwSerializerProfiler.Dumps.Heap;

/// <summary>Hears of the objects that can mean more than their size, in the order of their addresses.</summary>
internal interface IHeapVisitor
{
    /// <summary>An exception, a lock, or an object whose header can hold a thin lock.</summary>
    /// <param name="address">Address of the object.</param>
    /// <param name="type">Its type.</param>
    /// <param name="header">The 32 bits before it.</param>
    void OnObject(ulong address, HeapType type, uint header);
}
