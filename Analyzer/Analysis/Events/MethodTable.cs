using EtwSerializerProfiler.Foundation;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Methods by number, the same for all processes; <see cref="None"/> stands for an event that tells none.</summary>
/// <param name="byLine">Whether the lines of a method are different ones.</param>
internal sealed class MethodTable(bool byLine = false)
{
    /// <summary>The event has no managed frame, or stacks were not recorded.</summary>
    public const int None = -1;

    /// <summary>Whether the lines of a method are different ones.</summary>
    public bool ByLine { get; } = byLine;

    private readonly Interner<MethodName> _methods = new();

    /// <summary>The method of a number, null for <see cref="None"/>.</summary>
    public MethodName? this[int number] => number >= 0 ? _methods[number] : null;

    /// <summary>The number of a method.</summary>
    public int NumberOf(MethodName method) => _methods.GetOrAdd(method);
}
