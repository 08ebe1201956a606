using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Tests.Symbols;

/// <summary>Handmade inline trees in the format of the runtime's events.</summary>
public sealed class InlineTreeTests
{
    private const ulong Start = 0x1000;
    private const int Size = 0x100;
    private const int Outer = 1;
    private static readonly Guid s_runtime = new("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
    private static readonly Guid s_rundown = new("a669021c-c450-4609-a035-5af59af4df18");
    private static readonly Guid s_private = new("763fd754-7086-4dfe-95eb-c01a46faf4ca");

    /// <summary>
    /// Method 1 with 2 and 3 inlined, and 4 inlined into 2. Methods 2 to 4 have code of their own elsewhere, which names them.
    /// </summary>
    private static readonly (long, int, int)[] s_nodes = [(1, 1, 0), (2, 3, 2), (3, 0, 0), (4, 0, 0)];
    private static readonly (int, int)[] s_mappings = [(0, 0x10), (1, 0x20), (3, 0x30), (1, 0x40), (2, 0x50), (0, 0x60)];

    private readonly ManagedCodeMap _map = new();

    public InlineTreeTests()
    {
        for (var method = 2; method <= 4; method++)
            Load(method, 0x10_0000UL * (ulong)method);
        Load(Outer, Start);
    }

    [Fact]
    public void An_address_means_the_inlined_methods_above_the_method_itself()
    {
        Send(InlineBytes.Tree(s_nodes, s_mappings));

        Assert.Equal((1, 0), (_map.InlineTrees, _map.RefusedInlineTrees));
        Assert.Equal(["T.M1"], At(0x00)); // before the first mapping
        Assert.Equal(["T.M1"], At(0x1f));
        Assert.Equal(["T.M2*", "T.M1"], At(0x20));
        Assert.Equal(["T.M4*", "T.M2*", "T.M1"], At(0x30));
        Assert.Equal(["T.M4*", "T.M2*", "T.M1"], At(0x3f));
        Assert.Equal(["T.M2*", "T.M1"], At(0x40));
        Assert.Equal(["T.M3*", "T.M1"], At(0x50));
        Assert.Equal(["T.M1"], At(0xff));
    }

    /// <summary>
    /// A call that was not inlined ends a list of siblings: node 1 was inlined first, so it is the method's own callee, and node 2 is its
    /// sibling; no link shows the caller of node 3.
    /// </summary>
    [Fact]
    public void Siblings_after_a_call_that_was_not_inlined_are_the_methods_own_where_the_first_node_is_among_them()
    {
        Send(InlineBytes.Tree([(1, 0, 0), (2, 0, 0), (3, 0, 1), (4, 0, 0)], s_mappings));

        Assert.Equal((1, 0), (_map.InlineTrees, _map.RefusedInlineTrees));
        Assert.Equal(["T.M2*", "T.M1"], At(0x20));
        Assert.Equal(["T.M1"], At(0x30));
        Assert.Equal(["T.M3*", "T.M1"], At(0x50));
    }

    [Fact]
    public void Of_mappings_at_one_offset_the_last_one_has_the_code()
    {
        Send(InlineBytes.Tree(s_nodes, (1, 0x20), (3, 0x20), (2, 0x20), (0, 0x30), (1, 0x30), (0, 0x30)));

        Assert.Equal(["T.M3*", "T.M1"], At(0x20));
        Assert.Equal(["T.M1"], At(0x30));
    }

    [Fact]
    public void An_inlined_method_has_the_tier_of_the_code_it_is_part_of_and_no_name_leaves_it_out()
    {
        Send(InlineBytes.Tree([(1, 1, 0), (2, 2, 0), (99, 0, 0)], (2, 0x20)));
        var resolver = Resolver();

        var symbol = resolver.Symbols[resolver.Resolve(Start + 0x20, 10, false, SymbolResolver.NoCallee, out var inlinees)];
        Assert.Equal(1, inlinees.Length);
        Assert.Equal(
            ("T.M2", true, CodeTier.Tier1),
            (resolver.Symbols[inlinees[0]].Name, resolver.Symbols[inlinees[0]].IsInlined, resolver.Symbols[inlinees[0]].Tier)
        );
        Assert.Equal(("T.M1", false), (symbol.Name, symbol.IsInlined));
        Assert.Equal((2, 1), (resolver.InlinedMethods, resolver.NamedInlinedMethods));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(40)]
    public void Chunks_make_one_tree(int bytes)
    {
        var tree = InlineBytes.Tree(s_nodes, s_mappings);
        var parts = tree.Chunk(bytes).ToList();
        for (var i = 0; i < parts.Count; i++)
            Dispatch(s_private, 189, InlineBytes.Chunk(Outer, 5, i, i == parts.Count - 1, parts[i]));

        Assert.Equal((1, 0), (_map.InlineTrees, _map.RefusedInlineTrees));
        Assert.Equal(["T.M4*", "T.M2*", "T.M1"], At(0x30));
    }

    [Theory]
    [InlineData(0, 2)] // one is missing
    [InlineData(1, 2)] // the first one is missing
    [InlineData(0, 0, 1, 2)] // one comes twice
    [InlineData(0, 1)] // the last one is missing
    [InlineData(2, 1, 0)]
    public void A_tree_that_lacks_a_chunk_leaves_the_plain_frame(params int[] order)
    {
        var parts = InlineBytes.Tree(s_nodes, s_mappings).Chunk(60).ToList();
        Assert.Equal(3, parts.Count);
        foreach (var part in order)
            Dispatch(s_private, 189, InlineBytes.Chunk(Outer, 5, part, part == 2, parts[part]));
        Load(7, 0x90_0000);

        Assert.Equal(0, _map.InlineTrees);
        Assert.InRange(_map.RefusedInlineTrees, 1, 2);
        Assert.Equal(["T.M1"], At(0x30));
    }

    [Theory]
    [InlineData(2, 5, 1)] // of another method than the thread compiled last
    [InlineData(1, 6, 1)] // of other code of the method
    [InlineData(1, 5, 2)] // on another thread
    public void A_tree_that_belongs_to_no_code_counts_as_one_without_it(long method, long code, int thread)
    {
        Dispatch(s_private, 189, InlineBytes.Chunk(method, code, 0, true, InlineBytes.Tree([(method, 1, 0), (2, 0, 0)], (1, 0))), thread);
        List(Outer, Start, 5); // it had a load event
        _map.Complete();

        Assert.Equal((0, 0, 1), (_map.InlineTrees, _map.RefusedInlineTrees, _map.InlineTreesWithoutCode));
        Assert.Equal(["T.M1"], At(0x30));
    }

    /// <summary>
    /// What a method compiled at the end of a session leaves: the provider of load events is switched off before that of the trees. The
    /// rundown lists its code, and other code of the same method.
    /// </summary>
    [Theory]
    [InlineData(1000, true)]
    [InlineData(60, true)] // in chunks
    [InlineData(1000, false)] // the rundown has no ids of code for generic instances and dynamic methods
    public void A_tree_without_a_load_event_belongs_to_the_code_that_only_the_rundown_lists(int bytes, bool hasCodeId)
    {
        const long Late = 9;
        var tree = InlineBytes.Tree([(Late, 1, 0), (2, 3, 2), (3, 0, 0), (4, 0, 0)], s_mappings);
        var parts = tree.Chunk(bytes).ToList();
        Load(Late, 0x60_0000);
        for (var i = 0; i < parts.Count; i++)
            Dispatch(s_private, 189, InlineBytes.Chunk(Late, 6, i, i == parts.Count - 1, parts[i]), thread: 2);
        Assert.Equal((0, 1), (_map.InlineTrees, _map.InlineTreesWithoutCode));

        List(Late, 0x60_0000, hasCodeId ? 5 : null);
        List(Outer, Start, 5);
        List(Late, 0x70_0000, hasCodeId ? 6 : null);
        _map.Complete();

        Assert.Equal((1, 0, 0), (_map.InlineTrees, _map.RefusedInlineTrees, _map.InlineTreesWithoutCode));
        Assert.Equal(["T.M9"], At(0x60_0030 - Start));
        Assert.Equal(["T.M4*", "T.M2*", "T.M9"], At(0x70_0030 - Start));
    }

    [Fact]
    public void A_tree_of_other_code_than_the_rundown_lists_stays_without_code()
    {
        var tree = InlineBytes.Tree([(9, 1, 0), (2, 0, 0)], (1, 0));
        Dispatch(s_private, 189, InlineBytes.Chunk(9, 6, 0, true, tree), thread: 2);
        Dispatch(s_private, 189, InlineBytes.Chunk(9, 6, 0, true, tree), thread: 3); // a repeat
        List(9, 0x60_0000, 7);
        _map.Complete();

        Assert.Equal((0, 0, 1), (_map.InlineTrees, _map.RefusedInlineTrees, _map.InlineTreesWithoutCode));
        Assert.Equal(["T.M9"], At(0x60_0000 - Start));
    }

    [Theory]
    [InlineData(2, 1, false, 0)] // which of two trees?
    [InlineData(1, 2, false, 0)] // which of two pieces of code?
    [InlineData(2, 2, false, 0)]
    [InlineData(2, 2, true, 2)]
    [InlineData(2, 1, true, 1)]
    public void Trees_of_one_method_belong_to_code_that_the_rundown_lists_by_its_id_or_to_none(int trees, int codes, bool hasIds, int used)
    {
        for (var i = 0; i < trees; i++)
        {
            var tree = InlineBytes.Tree([(9, 1, 0), (2 + i, 0, 0)], (1, 0));
            Dispatch(s_private, 189, InlineBytes.Chunk(9, 6 + i, 0, true, tree), thread: 2 + i);
        }

        for (var i = codes - 1; i >= 0; i--)
            List(9, 0x60_0000 + (0x10_0000 * (ulong)i), hasIds ? 6 + i : null);
        _map.Complete();

        Assert.Equal((used, 0, trees - used), (_map.InlineTrees, _map.RefusedInlineTrees, _map.InlineTreesWithoutCode));
        for (var i = 0; i < codes; i++)
        {
            string[] names = i < used ? [$"T.M{2 + i}*", "T.M9"] : ["T.M9"];
            Assert.Equal(names, At(0x60_0000 + (0x10_0000 * (ulong)i) - Start));
        }
    }

    [Fact]
    public void A_tree_that_contradicts_the_code_that_the_rundown_lists_is_refused()
    {
        var tree = InlineBytes.Tree([(9, 1, 0), (2, 0, 0)], (1, Size + 1));
        Dispatch(s_private, 189, InlineBytes.Chunk(9, 6, 0, true, tree), thread: 2);
        List(9, 0x60_0000, 6);
        _map.Complete();

        Assert.Equal((0, 1, 0), (_map.InlineTrees, _map.RefusedInlineTrees, _map.InlineTreesWithoutCode));
        Assert.Equal(["T.M9"], At(0x60_0000 - Start));
    }

    [Fact]
    public void A_load_event_without_the_id_of_the_code_is_matched_by_its_method()
    {
        Dispatch(s_runtime, 143, InlineBytes.Load(8, 7, 0x50_0000, Size, "T", "M8", code: null));
        Dispatch(s_private, 189, InlineBytes.Chunk(8, 77, 0, true, InlineBytes.Tree([(8, 1, 0), (2, 0, 0)], (1, 0))));

        Assert.Equal(["T.M2*", "T.M8"], At(0x50_0000 - Start));
    }

    [Fact]
    public void Bytes_that_contradict_themselves_are_refused()
    {
        var good = InlineBytes.Tree(s_nodes, s_mappings);
        byte[][] bad =
        [
            [],
            good[..7],
            good[..^1],
            [.. good, 0],
            InlineBytes.Tree([], (0, 0)), // not even the method
            InlineBytes.Tree([(2, 1, 0), (1, 0, 0)], (1, 0)), // of another method
            InlineBytes.Tree([(1, 1, 0), (2, 1, 0)], (1, 0)), // a circle
            InlineBytes.Tree([(1, 1, 0), (2, 0, 2), (3, 0, 1)], (1, 0)), // a circle of siblings
            InlineBytes.Tree([(1, 1, 0), (2, 2, 2), (3, 0, 0)], (1, 0)), // two parents
            InlineBytes.Tree([(1, 1, 1), (2, 0, 0)], (1, 0)), // a sibling of the method itself
            InlineBytes.Tree([(1, 2, 0), (2, 0, 0)], (1, 0)), // no such child
            InlineBytes.Tree([(1, -1, 0), (2, 0, 0)], (1, 0)),
            InlineBytes.Tree([(1, 1, 0), (2, 0, 0)], (2, 0)), // no such node
            InlineBytes.Tree([(1, 1, 0), (2, 0, 0)], (1, Size + 1)), // beyond the code
            InlineBytes.Tree([(1, 1, 0), (2, 0, 0)], (1, 8), (0, 4)), // backwards
            With(good, 0, int.MaxValue),
            With(good, 0, -1),
            With(good, 4, int.MaxValue),
            With(good, 4, -1),
        ];
        for (var i = 0; i < bad.Length; i++)
        {
            Load(Outer, Start);
            Send(bad[i]);
            Assert.Equal((i, 0, i + 1), (i, _map.InlineTrees, _map.RefusedInlineTrees));
        }

        Assert.Equal(["T.M1"], At(0x30));
    }

    [Fact]
    public void An_event_whose_sizes_do_not_fit_counts_as_a_lost_tree()
    {
        var payload = InlineBytes.Chunk(Outer, 5, 0, true, InlineBytes.Tree(s_nodes, s_mappings));
        foreach (
            var damaged in (byte[][])[payload[..20], payload[..^1], [.. payload, 0], With(payload, 30, -1), With(payload, 30, int.MaxValue)]
        )
        {
            Load(Outer, Start);
            Dispatch(s_private, 189, damaged);
        }

        Assert.Equal((0, 5), (_map.InlineTrees, _map.RefusedInlineTrees));
    }

    [Fact]
    public void Mutated_payloads_never_throw()
    {
        var random = new Random(20261121);
        (Guid Provider, int Id, byte[] Payload)[] events =
        [
            (s_private, 189, InlineBytes.Chunk(Outer, 5, 0, true, InlineBytes.Tree(s_nodes, s_mappings))),
            (s_private, 189, InlineBytes.Chunk(Outer, 5, 0, false, InlineBytes.Tree(s_nodes, s_mappings))),
            (s_runtime, 72, InlineBytes.Method(3, 30, 0x06000001)),
            (s_runtime, 15, InlineBytes.Types((30, 7, 0x02000002, false, [30]), (31, 7, 0x02000003, true, [31, 32]))),
            (s_runtime, 143, InlineBytes.Load(Outer, 7, Start, Size, "T", "M1", 5)),
            (s_runtime, 152, InlineBytes.Module(7, typeof(InlineTreeTests).Assembly.Location, Guid.Empty)),
        ];
        for (var round = 0; round < 20_000; round++)
        {
            var (provider, id, payload) = events[random.Next(events.Length)];
            var mutated = payload.ToArray();
            for (var change = random.Next(4); change > 0; change--)
                mutated[random.Next(mutated.Length)] = (byte)(random.Next(2) == 0 ? random.Next(256) : random.Next(3));
            Dispatch(provider, id, random.Next(8) == 0 ? mutated[..random.Next(mutated.Length)] : mutated);
            if (round % 100 == 0)
                Load(Outer, Start);
        }

        Assert.True(
            _map.InlineTrees > 100 && _map.RefusedInlineTrees > 100,
            $"{_map.InlineTrees} taken, {_map.RefusedInlineTrees} refused"
        );
        var resolver = Resolver();
        for (var offset = 0UL; offset < Size; offset++)
            resolver.Resolve(Start + offset, 10, false, SymbolResolver.NoCallee, out _);
    }

    private static byte[] With(byte[] bytes, int offset, int value)
    {
        var changed = bytes.ToArray();
        BinaryPrimitives.WriteInt32LittleEndian(changed.AsSpan(offset), value);
        return changed;
    }

    private void Load(long method, ulong start) => Dispatch(s_runtime, 143, InlineBytes.Load(method, 7, start, Size, "T", $"M{method}", 5));

    private void List(long method, ulong start, long? code) =>
        Dispatch(s_rundown, 144, InlineBytes.Load(method, 7, start, Size, "T", $"M{method}", code), thread: 3);

    private void Send(byte[] tree) => Dispatch(s_private, 189, InlineBytes.Chunk(Outer, 5, 0, true, tree));

    private void Dispatch(Guid provider, int id, byte[] payload, int thread = 1) =>
        new ClrEventDispatcher(EventHub.Of(_map)).Dispatch(provider, id, new EventAt(5, 1, thread), payload);

    private SymbolResolver Resolver() => new(1, _map, new ProcessLayout(), new SymbolFiles("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero));

    /// <summary>Names at an offset, the innermost first; inlined ones with an asterisk.</summary>
    private List<string> At(ulong offset)
    {
        var resolver = Resolver();
        var symbol = resolver.Resolve(Start + offset, 10, false, SymbolResolver.NoCallee, out var inlinees);
        var names = new List<string>();
        foreach (var number in inlinees)
            names.Add(resolver.Symbols[number].Name + (resolver.Symbols[number].IsInlined ? "*" : ""));
        names.Add(resolver.Symbols[symbol].Name + (resolver.Symbols[symbol].IsInlined ? "*" : ""));
        return names;
    }
}
