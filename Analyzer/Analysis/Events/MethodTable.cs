using EtwSerializerProfiler.Foundation;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Methods by number, the same for all processes; <see cref="None"/> stands for an event that tells none.</summary>
internal sealed class MethodTable
{
    /// <summary>The event has no managed frame, or stacks were not recorded.</summary>
    public const int None = -1;

    private readonly Interner<MethodName> _methods = new();

    /// <summary>The method of a number, null for <see cref="None"/>.</summary>
    public MethodName? this[int number] => number >= 0 ? _methods[number] : null;

    /// <summary>The number of a method.</summary>
    public int NumberOf(MethodName method) => _methods.GetOrAdd(method);
}
