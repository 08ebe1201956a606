using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Async;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>
/// Gives a continued async method its callers: on its stack, the methods that await it replace the code that continued it. The stack and
/// the events must name the same method, else the stack stays as it is: a wrong caller is worse than none.
/// </summary>
/// <param name="resolver">Symbols of the process.</param>
/// <param name="calls">Calls of its async methods.</param>
internal sealed class AsyncJoin(SymbolResolver resolver, AsyncCalls calls)
{
    /// <summary>The task library's type that continues a state machine (AsyncTaskMethodBuilderT.cs of dotnet/runtime).</summary>
    private const string Box = "System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1";

    /// <summary>Runs a continuation with its execution context, between the box and the method.</summary>
    private const string Context = "System.Threading.ExecutionContext";

    /// <summary>Maximum awaiting methods of a stack. Only recursion has more, and would make trees and stacks unreadable.</summary>
    private const int MaxAwaiters = 200;

    /// <summary>Kind of each symbol's frame, by symbol index.</summary>
    private readonly List<Frame> _frames = [];

    /// <summary>Symbol of each state machine's method, by the machine's name; null when it is unknown or not unique.</summary>
    private readonly Dictionary<string, int?> _methods = [];
    private int[] _symbols = new int[256];
    private int _length;

    private enum Frame
    {
        Other,
        Box,
        Context,
    }

    /// <summary>Whether the last stack got awaiting callers.</summary>
    public bool IsJoined { get; private set; }

    /// <summary>Whether the last joined stack lacks its outer callers, because an awaiting method is unknown.</summary>
    public bool IsCut { get; private set; }

    /// <summary>The last joined stack, leaf first.</summary>
    public ReadOnlySpan<int> Symbols => _symbols.AsSpan(0, _length);

    /// <summary>Forgets the last stack.</summary>
    public void Clear() => IsJoined = false;

    /// <summary>Joins a stack, if exactly one known method awaits its innermost continued method.</summary>
    /// <param name="walked">Symbol indexes, leaf first.</param>
    /// <param name="at">Time and thread of the stack.</param>
    /// <returns>Whether <see cref="Symbols"/> has the joined stack.</returns>
    public bool TryJoin(ReadOnlySpan<int> walked, in EventAt at)
    {
        IsJoined = false;
        var method = ContinuedBelowBox(walked);
        if (method < 0)
            return false;
        var call = calls.At(at.ThreadId, at.Time);
        if (call < 0 || !resolver.IsOf(calls.StateMachine(call), walked[method]))
            return false;
        var awaiter = calls.AwaiterOf(call);
        if (awaiter < 0 || MethodOf(awaiter) is null)
            return false;
        if (_symbols.Length < method + 1 + MaxAwaiters)
            Array.Resize(ref _symbols, 2 * (method + 1 + MaxAwaiters));
        walked[..(method + 1)].CopyTo(_symbols);
        _length = method + 1;
        for (var left = MaxAwaiters; left > 0 && awaiter >= 0 && MethodOf(awaiter) is { } symbol; left--)
        {
            _symbols[_length++] = symbol;
            awaiter = calls.AwaiterOf(awaiter);
        }

        (IsJoined, IsCut) = (true, awaiter != AsyncCalls.None);
        return true;
    }

    /// <summary>Index of the method that the innermost box continued; -1 without a box.</summary>
    private int ContinuedBelowBox(ReadOnlySpan<int> walked)
    {
        var method = -1;
        for (var i = 0; i < walked.Length; i++)
        {
            switch (FrameOf(walked[i]))
            {
                case Frame.Box:
                    return method;
                case Frame.Other:
                    method = i;
                    break;
            }
        }

        return -1;
    }

    private int? MethodOf(int call)
    {
        var name = calls.StateMachine(call);
        if (!_methods.TryGetValue(name, out var symbol))
            _methods.Add(name, symbol = resolver.Resolve(name));
        return symbol;
    }

    private Frame FrameOf(int symbol)
    {
        while (_frames.Count <= symbol)
        {
            var type = resolver.Symbols[_frames.Count].TypeName;
            _frames.Add(
                type.StartsWith(Box, StringComparison.Ordinal) ? Frame.Box
                : type == Context ? Frame.Context
                : Frame.Other
            );
        }

        return _frames[symbol];
    }
}
