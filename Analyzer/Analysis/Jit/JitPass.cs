using System.Runtime.InteropServices;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Runs.Costs;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Jit;

/// <summary>Adds the compilations of one process to rows. Allocates for new methods, not per compilation.</summary>
/// <param name="scope">The process.</param>
/// <param name="rows">The rows.</param>
/// <param name="names">Names of methods.</param>
internal sealed class JitPass(EventScope scope, EventRows<JitAnalysis.Key, JitAnalysis.Tally> rows, NameIndex names)
    : IEventSubscriber,
        ISpanSink
{
    private readonly Compilations _compilations = new();
    private readonly SampleStack _stack = new(scope.Symbols!.Resolver);

    /// <summary>Data of a compilation's start, by thread and method.</summary>
    private readonly Dictionary<(long Thread, long Method), (int? IlBytes, bool HasCaller)> _begun = [];

    /// <summary>Kinds of threads, by their names.</summary>
    private readonly Dictionary<long, JitThreadKinds> _named = [];
    private char[] _name = new char[256];

    /// <summary>Row and thread kind of the ending compilation.</summary>
    private JitAnalysis.Key _ending;
    private JitThreadKinds _endingThread;

    /// <inheritdoc />
    public void Subscribe(EventHub hub)
    {
        hub.Subscribe<JitStarted>(OnJitStarted, withStack: true);
        hub.Subscribe<MethodLoaded>(OnMethodLoaded);
    }

    private void OnJitStarted(in JitStarted compilation)
    {
        var (at, method) = (compilation.At, compilation.MethodId);
        _compilations.Of(at.ThreadId).Begin(method, at.Time);
        _begun[(at.ThreadId, method)] = (compilation.IlBytes, HasManagedFrame(compilation.Stack, at));
    }

    private void OnMethodLoaded(in MethodLoaded method)
    {
        if (!method.IsJitted)
            return;
        var at = method.At;
        _ending = new JitAnalysis.Key(NameOf(method), method.Tier);
        if (!_begun.Remove((at.ThreadId, method.MethodId), out var begun))
            begun = (null, false);
        _endingThread = KindOf(at.ThreadId, begun.HasCaller);
        if (scope.GroupAt(at) is >= 0 and var group)
        {
            var tally = rows.At(group, _ending);
            tally.Count++;
            tally.IlBytes += begun.IlBytes ?? 0;
            tally.LacksIl |= begun.IlBytes is null;
            tally.NativeBytes += method.CodeBytes;
            tally.Threads |= _endingThread;
        }

        _compilations.Of(at.ThreadId).End(method.MethodId, at.Time, this);
    }

    /// <inheritdoc />
    public void Add(long start, long stop, int sign)
    {
        foreach (var (run, ticks) in scope.Windows.Clip(start, stop))
        {
            if (scope.GroupOf(run) is not (>= 0 and var group))
                continue;
            var tally = rows.At(group, _ending);
            tally.Ticks += sign * ticks;
            tally.Threads |= _endingThread;
        }
    }

    /// <summary>
    /// A compilation for managed code has that code's frames on its stack; the tiered compilation worker is known only by name.
    /// </summary>
    private JitThreadKinds KindOf(long thread, bool hasCaller)
    {
        ref var kind = ref CollectionsMarshal.GetValueRefOrAddDefault(_named, thread, out var known);
        if (!known)
            kind =
                scope.ThreadName(thread) is not { Length: > 0 } name ? JitThreadKinds.None
                : RuntimeThreads.RoleOf(name) == ThreadRole.Compilation ? JitThreadKinds.TieredWorker
                : JitThreadKinds.Caller;
        return kind == JitThreadKinds.None && hasCaller ? JitThreadKinds.Caller : kind;
    }

    /// <summary>EventPipe's stacks have only managed frames, named or not; those of ETW end in native frames.</summary>
    private bool HasManagedFrame(ReadOnlySpan<ulong> stack, in EventAt at)
    {
        _stack.Walk(stack, at);
        foreach (var symbol in _stack.Symbols)
        {
            if (scope.Symbols!.Resolver.Symbols[symbol].Kind is CodeKind.Managed or CodeKind.Unknown)
                return true;
        }

        return false;
    }

    private int NameOf(in MethodLoaded method)
    {
        var type = method.Namespace;
        var name = method.Name;
        if (type.IsEmpty || name.IsEmpty)
            return names.GetOrAdd(name);
        var length = type.Length + 1 + name.Length;
        if (_name.Length < length)
            _name = new char[2 * length];
        type.CopyTo(_name);
        _name[type.Length] = '.';
        name.CopyTo(_name.AsSpan(type.Length + 1));
        return names.GetOrAdd(_name.AsSpan(0, length));
    }
}
