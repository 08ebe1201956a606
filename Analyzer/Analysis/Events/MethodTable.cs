using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces.Symbols.Lines;

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

    /// <summary>By number the lines at which the method stood on events' stacks, where lines are not different methods.</summary>
    private readonly Dictionary<int, HashSet<SourceLine>> _lines = [];

    /// <summary>The method of a number, with its line when that is the same on all stacks; null for <see cref="None"/>.</summary>
    public MethodName? this[int number] => number < 0 ? null : _lines.GetValueOrDefault(number) is { Count: 1 } lines ? _methods[number] with { Line = lines.Single() } : _methods[number];

    /// <summary>The number of a method.</summary>
    public int NumberOf(MethodName method) => _methods.GetOrAdd(method);

    /// <summary>Notes the line of a method on an event's stack.</summary>
    /// <param name="number">Number of the method.</param>
    /// <param name="line">The line; null when it is not known.</param>
    public void AddLine(int number, SourceLine? line)
    {
        if (ByLine || line is null || number < 0)
            return;
        if (!_lines.TryGetValue(number, out var lines))
            _lines.Add(number, lines = []);
        lines.Add(line);
    }
}
