using System.Runtime.InteropServices;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Async;
using EtwSerializerProfiler.Traces.Symbols.Inlining;
using EtwSerializerProfiler.Traces.Symbols.Instructions;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// Resolves the addresses of a process to numbers of symbols, with the methods that were inlined there. Repeated lookups of an address are
/// served from a cache without allocating.
/// </summary>
public sealed class SymbolResolver
{
    /// <summary>Missing frame between an inlined method and a callee that it cannot have called itself.</summary>
    public const string MissingFrame = "[missing frame]";

    /// <summary>The runtime's code memory (two mappings of one memory file, or anonymous memory if that is switched off).</summary>
    public const string CodeHeap = "[code heap]";

    private static readonly CodeSymbol s_missingFrame = new(
        CodeKind.Unknown,
        AddressNames.UnknownModule,
        "",
        MissingFrame,
        true,
        0,
        CodeTier.Unknown
    );

    private readonly ManagedCodeMap _methods;
    private readonly ProcessCode _code;
    private readonly SymbolFiles _files;
    private readonly AddressNames _names;
    private readonly InlineExpansion _expansion;
    private readonly MethodFacts _facts;
    private readonly LineFinder _lines;
    private readonly AddressCache _cache = new();
    private readonly Interner<CodeSymbol> _symbols = new();

    /// <summary>Chains of inlined methods, one after the other.</summary>
    private readonly List<int> _inlinees = [];
    private readonly Dictionary<(InlineTree Tree, FrameExpansion Expansion), Chain> _chains = [];

    /// <summary>Addresses of code with an inline tree.</summary>
    private readonly List<CodeAddress> _inlining = [];
    private readonly Dictionary<(int Symbol, InlineTree Tree, int Mapped, int AtLeaf, int Point), int> _inliningNumbers = [];

    /// <summary>Symbols of inlined methods by id and tier; null when nothing names them.</summary>
    private readonly Dictionary<(long MethodId, CodeTier Tier), int?> _inlineeNumbers = [];
    private StateMachines? _stateMachines;

    /// <summary>Creates a resolver.</summary>
    /// <param name="processId">The process.</param>
    /// <param name="methods">Its managed code.</param>
    /// <param name="layout">Its files.</param>
    /// <param name="files">Symbols of files.</param>
    public SymbolResolver(int processId, ManagedCodeMap methods, ProcessLayout layout, SymbolFiles files)
    {
        (_methods, _files) = (methods, files);
        _code = new ProcessCode(methods, layout, files);
        _names = new AddressNames(processId, methods, _code, layout, files);
        _facts = new MethodFacts(_code);
        var places = new CodePlaces(_code, methods, layout, files);
        _expansion = new InlineExpansion(_facts);
        _lines = new LineFinder(_code, _facts, files);
        Recovery = new CallerRecovery(places, new FramelessMethods(places, _facts));
        Instructions = new ProcessInstructions(
            _code,
            layout,
            files,
            _expansion,
            _facts,
            _lines,
            (method, tier) => InlineeNumber(method, tier) is not null,
            NameOfCode
        );
    }

    /// <summary>Assemblies and namespaces that the user calls own code; empty for the program and its libraries.</summary>
    public IReadOnlyList<NamePattern> MyCode => _files.MyCode;

    /// <summary>The symbols that the numbers returned by <see cref="Resolve(ulong, long, bool)"/> refer to.</summary>
    public IReadOnlyList<CodeSymbol> Symbols => _symbols.Items;

    /// <summary>Finds callers that frame pointer chains lack.</summary>
    public CallerRecovery Recovery { get; }

    /// <summary>Instructions of the methods.</summary>
    public ProcessInstructions Instructions { get; }

    /// <summary>Calls of async methods; null when not recorded.</summary>
    public AsyncCalls? AsyncCalls { get; init; }

    /// <summary>Callee argument for a leaf, which calls nothing.</summary>
    public const int NoCallee = -1;

    /// <summary>Callee argument for the runtime's allocator, which stacks of managed frames lack.</summary>
    public const int Allocator = -2;

    /// <summary>Number of frames shown as their physical method alone, because several inlined methods may have made the call.</summary>
    public long UnexpandedFrames { get; private set; }

    /// <summary>Resolves an address.</summary>
    /// <param name="address">The address; for a caller, an address inside its call instruction.</param>
    /// <param name="time">Time of execution, in ticks of the trace's clock.</param>
    /// <param name="isKernel">Whether it is a kernel address.</param>
    /// <returns>Index in <see cref="Symbols"/> of a symbol without a line.</returns>
    public int Resolve(ulong address, long time, bool isKernel) => At(address, time, isKernel).Symbol;

    /// <summary>
    /// Resolves the address of a frame, with the methods that were inlined there. Stacks are resolved from the leaf outwards, so that each
    /// frame's callee is known.
    /// </summary>
    /// <param name="address">The address; for a caller, an address inside its call instruction.</param>
    /// <param name="time">Time of execution, in ticks of the trace's clock.</param>
    /// <param name="isKernel">Whether it is a kernel address.</param>
    /// <param name="callee">
    /// What this method returned for the frame that was called; <see cref="NoCallee"/> for a leaf, <see cref="Allocator"/> where that was
    /// called.
    /// </param>
    /// <param name="inlinees">
    /// Indexes in <see cref="Symbols"/> of the inlined methods, innermost first, preceded by a missing frame if none of them can have
    /// called the callee; valid until the next call.
    /// </param>
    /// <returns>Index in <see cref="Symbols"/> of the physical method.</returns>
    public int Resolve(ulong address, long time, bool isKernel, int callee, out ReadOnlySpan<int> inlinees)
    {
        var (symbol, inlining) = At(address, time, isKernel);
        inlinees = default;
        if (inlining is not { } at)
            return symbol;
        if (at.LastCallee != callee)
        {
            // Most addresses have one callee only.
            if (at.LastCallee != CodeAddress.NoneYet)
                (at.Chains ??= [])[at.LastCallee] = at.LastChain;
            (at.LastCallee, at.LastChain) = (callee, ChainAt(at, callee));
        }

        if (at.LastChain.IsUndecided)
            UnexpandedFrames++;
        inlinees = CollectionsMarshal.AsSpan(_inlinees).Slice(at.LastChain.Start, at.LastChain.Count);
        return at.LastChain.Symbol;
    }

    /// <summary>The method of a state machine (<see cref="AsyncCalls.StateMachine"/>), without a line.</summary>
    /// <returns>Index in <see cref="Symbols"/>; null when no method or more than one has the name.</returns>
    public int? Resolve(string stateMachine) =>
        (_stateMachines ??= new StateMachines(_methods.Codes)).TryFind(stateMachine, out var code) ? NumberOf(_names.OfMethod(code)) : null;

    /// <summary>Whether a symbol is the method of a state machine.</summary>
    public bool IsOf(string stateMachine, int symbol) => StateMachines.IsOf(stateMachine, _symbols[symbol]);

    /// <summary>Number of methods inlined at the resolved addresses.</summary>
    public int InlinedMethods => _inlineeNumbers.Keys.Select(key => key.MethodId).Distinct().Count();

    /// <summary>How many of them have a name; the time of the others counts for their callers.</summary>
    public int NamedInlinedMethods =>
        _inlineeNumbers.Where(pair => pair.Value is not null).Select(pair => pair.Key.MethodId).Distinct().Count();

    /// <summary>
    /// The meaning of an address. The cache has twice the symbol's number for it or, where its code has an inline tree, twice its number in
    /// <see cref="_inlining"/> plus 1.
    /// </summary>
    private (int Symbol, CodeAddress? Inlining) At(ulong address, long time, bool isKernel)
    {
        var answer = _cache.Find(address, time);
        if (answer < 0)
        {
            var found = isKernel || _names.IsInKernelOfWindows(address) ? FindInKernel(address, time) : Find(address, time);
            answer = found.Tree is { } tree ? 2 * GetOrAdd(found, tree) + 1 : 2 * found.Symbol;
            _cache.Set(address, answer, found.From, found.To);
        }

        if (answer % 2 == 0)
            return (answer / 2, null);
        var inlining = _inlining[answer / 2];
        return (inlining.Symbol, inlining);
    }

    /// <summary>The inlined methods of a caller's frame.</summary>
    private Chain ChainAt(CodeAddress at, int callee)
    {
        if (at.Chains is { } chains && chains.TryGetValue(callee, out var known))
            return known;
        var expansion = callee switch
        {
            NoCallee => new FrameExpansion(at.AtLeaf),
            Allocator => _expansion.AtAllocation(at.Tree, at.Mapped, at.AtLeaf),
            _ => _expansion.AtCall(at.Tree, at.Mapped, at.AtLeaf, _symbols[callee]),
        };
        return at.Tree.Points is { } points ? WithLines(at, at.Tree, points, expansion, callee) : Inlinees(at.Tree, expansion, at.Symbol);
    }

    private Answer FindInKernel(ulong address, long time)
    {
        var symbol = _names.InKernel(address, time, out var from, out var to);
        return new Answer(NumberOf(symbol), from, to);
    }

    private Answer Find(ulong address, long time)
    {
        if (!_code.TryFind(address, time, out var code, out var tree, out var from, out var to))
        {
            var other = _names.OutsideMethods(address, time, out var mappedFrom, out var mappedTo);
            return new Answer(NumberOf(other), Math.Max(from, mappedFrom), Math.Min(to, mappedTo));
        }

        var symbol = NumberOf(_names.OfMethod(code));
        if (tree is null)
            return new Answer(symbol, from, to);
        var mapped = tree.NodeAt(address - code.Start, out var start);
        return new Answer(symbol, from, to)
        {
            Tree = tree,
            Mapped = mapped,
            AtLeaf = _expansion.AtLeaf(tree, mapped, address - code.Start - start),
            Point = tree.Points?.At(address - code.Start) ?? 0,
        };
    }

    /// <summary>The chain from a node of a tree up to the method, which is not included; inlinees without a name are omitted.</summary>
    private Chain Inlinees(InlineTree tree, FrameExpansion expansion, int symbol)
    {
        ref var chain = ref CollectionsMarshal.GetValueRefOrAddDefault(_chains, (tree, expansion), out var known);
        if (known)
            return chain;
        var start = _inlinees.Count;
        if (expansion.HasGap)
            _inlinees.Add(NumberOf(s_missingFrame));
        for (var at = expansion.Node; at > 0; at = tree.Parent(at))
        {
            if (InlineeNumber(tree.Method(at), _symbols[symbol].Tier) is { } number)
                _inlinees.Add(number);
        }

        return chain = new Chain(start, _inlinees.Count - start, symbol, expansion.IsUndecided);
    }

    /// <summary>The same with the line of each frame: the innermost one's by its callee, the others' by the next inner frame.</summary>
    private Chain WithLines(CodeAddress at, InlineTree tree, CodePoints points, FrameExpansion expansion, int callee)
    {
        var start = _inlinees.Count;
        var symbol = _symbols[at.Symbol];
        var called = callee < 0 || expansion.HasGap ? null : _expansion.Identity(_symbols[callee]);
        var isLeaf = callee == NoCallee;
        var inlined = 0;
        if (expansion.HasGap)
            _inlinees.Add(NumberOf(s_missingFrame));
        for (var node = expansion.Node; node > 0; node = tree.Parent(node))
        {
            var method = tree.Method(node);
            if (InlineeNumber(method, symbol.Tier) is { } number)
                _inlinees.Add(NumberOf(_symbols[number] with { Line = LineOf(node, method) }));
            (isLeaf, called, inlined) = (false, _facts.Identity(method), node);
        }

        return new Chain(
            start,
            _inlinees.Count - start,
            NumberOf(symbol with { Line = LineOf(0, symbol.MethodId) }),
            expansion.IsUndecided
        );

        SourceLine? LineOf(int node, long method) =>
            isLeaf ? _lines.AtLeaf(points, at.Point, node, method) : _lines.AtCall(tree, points, at.Point, node, method, called, inlined);
    }

    private int? InlineeNumber(long methodId, CodeTier tier)
    {
        if (!_inlineeNumbers.TryGetValue((methodId, tier), out var number))
        {
            number = _names.OfInlinee(methodId, tier) is { } symbol ? NumberOf(symbol) : null;
            _inlineeNumbers.Add((methodId, tier), number);
        }

        return number;
    }

    private string? NameOfCode(ulong address, long time) =>
        _symbols[Resolve(address, time, isKernel: false)] is { IsNamed: true } symbol ? symbol.Name : null;

    /// <summary>Number of a symbol. Its texts are shared with the other processes, which run much of the same code.</summary>
    private int NumberOf(CodeSymbol symbol)
    {
        if (_symbols.TryGet(symbol, out var number))
            return number;
        var texts = _files.Texts;
        return _symbols.GetOrAdd(
            symbol with
            {
                Module = texts.Of(symbol.Module),
                Namespace = texts.Of(symbol.Namespace),
                Name = texts.Of(symbol.Name),
                TypeName = texts.Of(symbol.TypeName),
            }
        );
    }

    private int GetOrAdd(in Answer answer, InlineTree tree)
    {
        var key = (answer.Symbol, tree, answer.Mapped, answer.AtLeaf, answer.Point);
        if (!_inliningNumbers.TryGetValue(key, out var number))
        {
            number = _inlining.Count;
            _inliningNumbers.Add(key, number);
            _inlining.Add(
                new CodeAddress
                {
                    Symbol = answer.Symbol,
                    Tree = tree,
                    Mapped = answer.Mapped,
                    AtLeaf = answer.AtLeaf,
                    Point = answer.Point,
                }
            );
        }

        return number;
    }

    /// <summary>A meaning of an address, and the interval in which it holds.</summary>
    private readonly record struct Answer(int Symbol, long From, long To)
    {
        public InlineTree? Tree { get; init; }

        public int Mapped { get; init; }

        public int AtLeaf { get; init; }

        public int Point { get; init; }
    }

    /// <summary>Position of a chain of inlined methods in <see cref="_inlinees"/>, and the physical method.</summary>
    private readonly record struct Chain(int Start, int Count, int Symbol, bool IsUndecided);

    /// <summary>The common data of addresses with the same meaning, in code with an inline tree.</summary>
    private sealed class CodeAddress
    {
        /// <summary>Last callee of an address without callees so far.</summary>
        public const int NoneYet = int.MinValue;

        public required int Symbol { get; init; }

        public required InlineTree Tree { get; init; }

        /// <summary>The node that the address is mapped to.</summary>
        public required int Mapped { get; init; }

        /// <summary>The node of a leaf.</summary>
        public required int AtLeaf { get; init; }

        /// <summary>The address's statement, a point of the tree; 0 when lines are not requested.</summary>
        public required int Point { get; init; }

        /// <summary>Inlined methods by callee, without the last one; null where there was only one.</summary>
        public Dictionary<int, Chain>? Chains { get; set; }

        public int LastCallee { get; set; } = NoneYet;

        public Chain LastChain { get; set; }
    }
}
