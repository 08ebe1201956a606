using EtwSerializerProfiler.Traces.Symbols.Inlining;

namespace EtwSerializerProfiler.Traces.Symbols.Lines;

/// <summary>Finds the source line of a frame, including frames of inlined methods.</summary>
/// <remarks>
/// <para>
/// The JIT maps code offsets to IL statements and the method they come from. A leaf is at the statement that its address is mapped to. A
/// caller is at a call, and the statement that its address is mapped to may not be the call's: inlined arguments have statements of their
/// own before it, and the call has none (<see cref="InlineExpansion"/>). So a caller's line is that of the instruction in its IL that can
/// call the callee, in the caller's nearest statement before the address.
/// </para>
/// <para>
/// A statement of the JIT ends where the IL stack is empty, and compilers keep locals on it: <c>sum += F(1); sum += F(2);</c> can be one
/// statement. If a method's calls of another were all inlined, their order decides: the JIT numbers inlined methods in the order of their
/// calls. Otherwise, if calls in several lines match, the frame has no line: none is better than a wrong one.
/// </para>
/// <para>If no instruction names the callee (delegates, JIT helpers, native code), the statement's line is used.</para>
/// </remarks>
/// <param name="code">The process's methods.</param>
/// <param name="facts">What they call.</param>
/// <param name="files">Their PDB files.</param>
internal sealed class LineFinder(ProcessCode code, MethodFacts facts, SymbolFiles files)
{
    /// <summary>The line of a leaf frame; null when unknown.</summary>
    /// <param name="points">Points of the code.</param>
    /// <param name="point">The point that the address belongs to.</param>
    /// <param name="node">The node of the frame.</param>
    /// <param name="method">Its method.</param>
    public SourceLine? AtLeaf(CodePoints points, int point, int node, long method) =>
        points.StatementOf(point, node) is { } statement ? LineOf(method, statement) : null;

    /// <summary>The line of a caller's frame; null when unknown.</summary>
    /// <param name="tree">Tree of the frame's code.</param>
    /// <param name="points">Its points.</param>
    /// <param name="point">The point that the call belongs to.</param>
    /// <param name="node">The node of the frame.</param>
    /// <param name="method">Its method.</param>
    /// <param name="callee">The callee; null when IL cannot name it.</param>
    /// <param name="inlined">The callee's node if it was inlined; 0 if it was called.</param>
    public SourceLine? AtCall(InlineTree tree, CodePoints points, int point, int node, long method, MethodIdentity? callee, int inlined) =>
        StatementAtCall(tree, points, point, node, method, callee, inlined) is { } statement ? LineOf(method, statement) : null;

    /// <summary>The IL offset whose line <see cref="AtCall"/> returns; the first one of several calls in one line.</summary>
    /// <inheritdoc cref="AtCall"/>
    public int? StatementAtCall(InlineTree tree, CodePoints points, int point, int node, long method, MethodIdentity? callee, int inlined)
    {
        var statement = points.StatementOf(point, node);
        var calls = callee is null
            ? null
            : facts.Calls(method)?.Sites.Where(site => site.Target.CanReach(callee)).Select(site => site.Offset).ToList();
        if (calls is null or [])
            return statement;
        if (inlined > 0 && CallOf(tree, node, inlined, callee!, calls) is { } call)
            return call;
        var within = statement is { } from ? calls.FindAll(site => site >= from && site < points.NextStatement(node, from)) : [];
        var fitting = within.Count > 0 ? within : calls;
        return fitting.Select(site => LineOf(method, site)).Distinct().ToList() is [not null] ? fitting[0] : null;
    }

    /// <summary>The call that was inlined as a node: if all calls were inlined, they have the order of their nodes.</summary>
    private int? CallOf(InlineTree tree, int node, int inlined, MethodIdentity callee, List<int> calls)
    {
        var (count, before) = (0, 0);
        for (var other = 1; other < tree.Count; other++)
        {
            if (tree.Parent(other) != node || facts.Identity(tree.Method(other)) != callee)
                continue;
            count++;
            before += other < inlined ? 1 : 0;
        }

        return count == calls.Count ? calls[before] : null;
    }

    private SourceLine? LineOf(long method, int instruction) =>
        code.TryFindMetadata(method, out var module, out var token) ? files.Lines(module)?.Find(token, instruction) : null;
}
