using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Async;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>
/// Gives a continued async method its callers: the methods that await it take the place of the code that continued it. The stack and the
/// events must name the same method, else the stack stays as it is: a wrong caller is worse than none.
/// </summary>
/// <param name="resolver">Symbols of the process.</param>
/// <param name="calls">Calls of its async methods.</param>
internal sealed class AsyncJoin(SymbolResolver resolver, AsyncCalls calls)
{
    /// <summary>The task library's type that continues a state machine (AsyncTaskMethodBuilderT.cs of dotnet/runtime).</summary>
    private const string Box = "System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1";

    /// <summary>Runs a continuation with its execution context, between the box and the method.</summary>
    private const string Context = "System.Threading.ExecutionContext";

    /// <summary>Awaiting methods of a call. More come only from recursion, which would make trees and stacks unreadable.</summary>
    private const int MaxAwaiters = 200;

    /// <summary>By symbol index.</summary>
    private readonly List<Frame> _frames = [];

    /// <summary>Methods of state machines by name; null when no single method has it.</summary>
    private readonly Dictionary<string, int?> _methods = [];
    private int[] _symbols = new int[256];
    private int _length;

    private enum Frame
    {
        Other,
        Box,
        Context,
    }

    /// <summary>Whether the last stack has callers by awaits.</summary>
    public bool IsJoined { get; private set; }

    /// <summary>Whether an awaiting method of the last joined stack is not known, so that its callers are missing.</summary>
    public bool IsCut { get; private set; }

    /// <summary>The last joined stack, leaf first.</summary>
    public ReadOnlySpan<int> Symbols => _symbols.AsSpan(0, _length);

    /// <summary>Forgets the last stack.</summary>
    public void Clear() => IsJoined = false;

    /// <summary>Joins a stack; leaves it alone when its innermost continued method is not known to be awaited by one method.</summary>
    /// <param name="walked">Symbol indexes, leaf first.</param>
    /// <param name="at">Time and thread.</param>
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
