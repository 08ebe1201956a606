namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>Decides which inlined method a frame represents, by the mapping of its code and by what the IL there can call.</summary>
/// <remarks>
/// <para>
/// The mapping alone is not enough. The JIT gives the location of an IL statement to the first tree of that statement; later trees have
/// none, and a range has no end. In <c>Sort(keys.Slice(n))</c> the inlined Slice has mappings and the call of Sort has none, so Slice's
/// range covers the call. Nothing in the mapping marks it.
/// </para>
/// <para>
/// The call decides. For every frame but the leaf the callee is known. Starting at the mapped method, the search goes outwards to the first
/// one whose IL names the callee. On its way it searches the methods that were inlined there: most are single expressions without mappings
/// of their own. Delegates, function pointers and unreadable IL may call anything and are the second choice. If several methods without
/// mappings may have called it, none is shown: the frame is the physical method alone.
/// </para>
/// <para>
/// IL does not name runtime helpers and native code: for them, and for callees without metadata, the mapping is used. Where the purpose of
/// the call is known, its instruction (an allocation, a throw) decides as a call does. A callee that no method here can call
/// means that the stack lacks a frame: that of a tail call, or of a small method without a frame pointer. Then the mapping is used, too,
/// with a gap.
/// </para>
/// <para>
/// An inlined method is shown below its caller only when the caller's IL can call it. A leaf called nothing: if a range is much longer than
/// the method's IL can explain, the rest belongs to the caller.
/// </para>
/// </remarks>
/// <param name="facts">What the methods can call.</param>
internal sealed class InlineExpansion(MethodFacts facts)
{
    /// <summary>
    /// Maximum bytes of code per IL byte, and per method, when nothing in it loops. Generous: a bound that is too small would take code
    /// from the inlined method, one that is too large gives it some of its caller's.
    /// </summary>
    private const int CodeBytesForIlByte = 8;
    private const int CodeBytesForMethod = 64;

    private readonly Dictionary<(InlineTree Tree, int Node), int> _possible = [];
    private readonly Dictionary<(InlineTree Tree, int Node), ulong?> _maxRanges = [];

    /// <summary>Decides for a frame that called a function.</summary>
    /// <param name="tree">Tree of the frame's code.</param>
    /// <param name="mapped">The node that the call is mapped to.</param>
    /// <param name="atLeaf">The result of <see cref="AtLeaf"/> for the address.</param>
    /// <param name="callee">What was called.</param>
    public FrameExpansion AtCall(InlineTree tree, int mapped, int atLeaf, CodeSymbol callee)
    {
        if (Identity(callee) is not { } called)
            return new FrameExpansion(atLeaf);
        if (called.Type == MethodIdentity.Throwing)
            return AtInstruction(tree, mapped, atLeaf, calls => calls.Throws);
        var (node, isAmbiguous) = (Possible(tree, mapped), false);
        if (
            (
                Nearest(tree, node, method => facts.Calls(method)?.Names(called) ?? false, ref isAmbiguous)
                ?? (called.IsHelper ? null : Nearest(tree, node, method => facts.Calls(method)?.CallsUnknown ?? true, ref isAmbiguous))
            ) is
            { } caller
        )
        {
            return new FrameExpansion(caller);
        }

        if (isAmbiguous)
            return new FrameExpansion(0) { IsUndecided = true };
        if (called.IsHelper)
            return new FrameExpansion(atLeaf);
        while (atLeaf > 0 && facts.Calls(tree.Method(atLeaf)) is { CallsUnknown: false, Targets.Count: 0 })
            atLeaf = tree.Parent(atLeaf);
        return new FrameExpansion(atLeaf) { HasGap = atLeaf > 0 };
    }

    /// <summary>Decides for a frame that called the runtime's allocator.</summary>
    /// <inheritdoc cref="AtCall"/>
    public FrameExpansion AtAllocation(InlineTree tree, int mapped, int atLeaf)
    {
        // The mapping is used where its method can allocate; in the search for another one, methods that allocate only exceptions come
        // last.
        var isMapped = facts.Calls(tree.Method(Possible(tree, mapped))) is { Allocates: true };
        var kept = AtInstruction(tree, mapped, -1, calls => calls.AllocatesToKeep);
        return isMapped || kept.Node < 0 ? AtInstruction(tree, mapped, atLeaf, calls => calls.Allocates) : kept;
    }

    /// <summary>The node of a leaf frame.</summary>
    /// <param name="tree">Tree of the frame's code.</param>
    /// <param name="mapped">The node that its address is mapped to.</param>
    /// <param name="distance">Bytes from the begin of the node's range.</param>
    public int AtLeaf(InlineTree tree, int mapped, ulong distance)
    {
        var node = Possible(tree, mapped);
        while (node > 0 && MaxRange(tree, node) is { } maxBytes && distance >= maxBytes)
            node = tree.Parent(node);
        return node;
    }

    /// <summary>The nearest method whose IL has an instruction of a kind; else the mapped one.</summary>
    private FrameExpansion AtInstruction(InlineTree tree, int mapped, int atLeaf, Func<MethodCalls, bool> has)
    {
        var isAmbiguous = false;
        var node = Nearest(tree, Possible(tree, mapped), method => facts.Calls(method) is { } calls && has(calls), ref isAmbiguous);
        return isAmbiguous ? new FrameExpansion(0) { IsUndecided = true } : new FrameExpansion(node ?? atLeaf);
    }

    /// <summary>
    /// The first node on the way to the root for which the rule holds, or exactly one method without mappings inlined there for which it
    /// holds.
    /// </summary>
    private int? Nearest(InlineTree tree, int node, Func<long, bool> applies, ref bool isAmbiguous)
    {
        for (var (at, below) = (node, -1); at >= 0; (at, below) = (tree.Parent(at), at))
        {
            if (applies(tree.Method(at)))
                return at;
            if (OnlyOneBelow(tree, at, below, applies, ref isAmbiguous) is { } inner)
                return inner;
        }

        return null;
    }

    /// <summary>The node below another one for which the rule holds; null when there is none, or several of different methods.</summary>
    private int? OnlyOneBelow(InlineTree tree, int top, int searched, Func<long, bool> applies, ref bool isAmbiguous)
    {
        int? found = null;
        for (var node = 1; node < tree.Count; node++)
        {
            if (
                node == top
                || !IsBelow(tree, node, top, searched)
                || (found is { } first && tree.Method(first) == tree.Method(node))
                || !applies(tree.Method(node))
                || Possible(tree, node) != node
            )
                continue;
            isAmbiguous |= found is not null;
            if (isAmbiguous)
                return null;
            found = node;
        }

        return found;
    }

    private static bool IsBelow(InlineTree tree, int node, int top, int searched)
    {
        for (var at = node; at >= 0; at = tree.Parent(at))
        {
            if (at == searched)
                return false;
            if (at == top)
                return true;
        }

        return false;
    }

    /// <summary>
    /// The node itself; or, if a node on the way to it cannot be called by its caller's IL, the caller of the outermost such node.
    /// </summary>
    private int Possible(InlineTree tree, int node)
    {
        if (node == 0)
            return 0;
        if (_possible.TryGetValue((tree, node), out var known))
            return known;
        var parent = tree.Parent(node);
        var possible = Possible(tree, parent);
        if (
            possible == parent
            && (facts.Identity(tree.Method(node)) is not { } method || facts.Calls(tree.Method(parent))?.CanReach(method) is null or true)
        )
            possible = node;
        _possible.Add((tree, node), possible);
        return possible;
    }

    /// <summary>Maximum contiguous bytes of code of a node; null when unknown.</summary>
    private ulong? MaxRange(InlineTree tree, int node)
    {
        if (_maxRanges.TryGetValue((tree, node), out var known))
            return known;
        ulong? bytes = 0;
        for (var at = 1; at < tree.Count && bytes is not null; at++)
        {
            // Nodes with mappings of their own are not part of the range.
            if (at == node || (IsBelow(tree, at, node, -1) && !tree.HasRange(at)))
                bytes += facts.Calls(tree.Method(at)) is { HasLoop: false } calls
                    ? (ulong)(CodeBytesForMethod + (CodeBytesForIlByte * calls.IlBytes))
                    : null;
        }

        _maxRanges.Add((tree, node), bytes);
        return bytes;
    }

    /// <summary>The method of a symbol; null when IL does not name it: native code, runtime stubs, dynamic methods.</summary>
    public MethodIdentity? Identity(CodeSymbol symbol)
    {
        if (
            symbol.Kind != CodeKind.Managed
            || symbol.MethodId == 0
            || symbol.TypeName.Length == 0
            || symbol.Module == AddressNames.Dynamic
        )
            return null;
        return facts.Identity(symbol.MethodId)
            ?? new MethodIdentity(symbol.TypeName.Split('[')[0], symbol.Name[(symbol.TypeName.Length + 1)..], null, true);
    }
}

/// <summary>What a frame represents.</summary>
/// <param name="Node">The innermost method, a node of the code's tree; 0 for the physical method alone.</param>
internal readonly record struct FrameExpansion(int Node)
{
    /// <summary>Whether several methods may have called the callee, so that none is shown.</summary>
    public bool IsUndecided { get; init; }

    /// <summary>Whether a frame is missing between the node and the callee.</summary>
    public bool HasGap { get; init; }
}
