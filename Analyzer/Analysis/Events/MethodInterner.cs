using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Indexes of methods, shared by all processes; <see cref="None"/> represents an event without method.</summary>
/// <param name="byLine">Whether lines of a method are separate entries.</param>
internal sealed class MethodInterner(bool byLine = false)
{
    /// <summary>The event has no managed frame, or no recorded stack.</summary>
    public const int None = -1;

    /// <summary>Whether lines of a method are separate entries.</summary>
    public bool ByLine { get; } = byLine;

    private readonly Interner<MethodName> _methods = new();

    /// <summary>Lines of a method on event stacks, by index, when lines are not separate entries.</summary>
    private readonly Dictionary<int, HashSet<SourceLine>> _lines = [];

    /// <summary>The method at an index, with its line if it is the same on all stacks; null for <see cref="None"/>.</summary>
    public MethodName? this[int number] =>
        number < 0 ? null
        : _lines.GetValueOrDefault(number) is { Count: 1 } lines ? _methods[number] with { Line = lines.Single() }
        : _methods[number];

    /// <summary>Index of a method.</summary>
    public int GetOrAdd(MethodName method) => _methods.GetOrAdd(method);

    /// <summary>Records the line of a method on an event's stack.</summary>
    /// <param name="number">Index of the method.</param>
    /// <param name="line">The line; null when unknown.</param>
    public void AddLine(int number, SourceLine? line)
    {
        if (ByLine || line is null || number < 0)
            return;
        if (!_lines.TryGetValue(number, out var lines))
            _lines.Add(number, lines = []);
        lines.Add(line);
    }
}
