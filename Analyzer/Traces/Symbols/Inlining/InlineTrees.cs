using System.Runtime.InteropServices;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>The inline trees of a process, by the code they belong to.</summary>
/// <remarks>
/// A tree has the ids of its method and code, but not the code's address. It follows the code's load event on the compiling thread (6,682
/// of 6,682 in a recording of the built-in suite), so a tree belongs to the code that its thread loaded last, and both ids must match. The
/// code's id is missing in load events of generic instances and dynamic methods, where only the method's id is compared.
/// <para>
/// A session ends one provider after the other, the one with the load events first. A method that is compiled in between has a tree, but no
/// load event: one method at most in each of 80 recordings of a program whose 8 threads compile until it ends, in 19 of them. Its code is
/// in the rundown, so such a tree waits for it, and belongs to the code of these ids that had no load event. Where the rundown lacks the
/// code's id, several such trees or pieces of code of one method cannot be matched: no tree is better than a wrong one.
/// </para>
/// <para>
/// A tree that finds no code, lacks a chunk or contradicts itself is counted, and its method keeps its plain frame. The rundown of an ETW
/// session may repeat trees on its own thread; known ones are skipped.
/// </para>
/// </remarks>
/// <param name="points">Keeps the statements of the code, for lines; null when these are not requested.</param>
internal sealed class InlineTrees(CodePointsPool? points)
{
    /// <summary>A larger tree means damage: the largest one of the built-in suite has 21 KB.</summary>
    private const int MaxTreeBytes = 64 << 20;

    /// <summary>The trees as written, one after the other. Samples hit few of them.</summary>
    private readonly List<byte> _written = [];
    private readonly InlineTreeDecoder _decoder = new();

    /// <summary>Position and statements of each code's tree.</summary>
    private readonly Dictionary<int, (int Position, CodePoints? Points)> _trees = [];

    /// <summary>The trees that were looked up.</summary>
    private readonly Dictionary<int, InlineTree> _read = [];
    private readonly Dictionary<long, Compilation> _threads = [];

    /// <summary>Trees without a load event of their code, by method. The rundown may name the code.</summary>
    private readonly Dictionary<long, List<Orphan>> _orphans = [];

    /// <summary>Methods and codes whose trees are complete.</summary>
    private PagedList<(long MethodId, long NativeCodeId)> _complete = new();

    /// <summary>How many of them are in <see cref="_known"/>.</summary>
    private int _examined;

    /// <summary>Those that were complete when a tree without its code came.</summary>
    private readonly HashSet<(long MethodId, long NativeCodeId)> _known = [];

    /// <summary>Number of complete trees that belong to code.</summary>
    public int Count { get; private set; }

    /// <summary>Number of trees that are incomplete or damaged.</summary>
    public int Refused { get; private set; }

    /// <summary>Number of trees whose code was not recorded.</summary>
    public int WithoutCode { get; private set; }

    /// <summary>A thread loaded jitted code, whose tree may follow.</summary>
    /// <param name="code">The code.</param>
    /// <param name="number">Its number; negative when it has none.</param>
    public void OnCodeLoaded(in MethodCode code, int number)
    {
        var thread = ThreadOf(code.At);
        if (thread.NextChunk > 0)
            Refused++; // the rest of the tree of the code before is missing
        thread.Begin(code, number);
    }

    /// <summary>The rundown lists jitted code that had no load event.</summary>
    /// <param name="code">The code.</param>
    /// <param name="number">Its number.</param>
    public void OnCodeListed(in MethodCode code, int number)
    {
        foreach (var orphan in CollectionsMarshal.AsSpan(_orphans.GetValueOrDefault(code.MethodId)))
            orphan.OnCodeListed(code, number);
    }

    /// <summary>Adds a chunk of a tree.</summary>
    public void OnChunk(in InlineTreeChunk chunk)
    {
        var thread = ThreadOf(chunk.At);
        if (!thread.Accepts(chunk))
        {
            if (IsComplete(chunk))
                return;

            // A refused tree counts once; its further chunks are ignored.
            var isCut = thread.NextChunk > 0;
            if (isCut || chunk.Number < 0 || (chunk.Number > 0 && thread.IsOpen))
                Refused++;
            thread.End();
            if (isCut || chunk.Number != 0)
                return;
            thread.Begin(chunk);
        }

        if (thread.Data.Length + chunk.Data.Length > MaxTreeBytes)
        {
            Refused++;
            thread.End();
            return;
        }

        if (!chunk.IsLast)
        {
            thread.Append(chunk.Data);
            return;
        }

        if (chunk.Number > 0)
            thread.Append(chunk.Data);
        var data = chunk.Number > 0 ? thread.Data : chunk.Data;
        if (thread.Number >= 0)
            Add(data, chunk.MethodId, chunk.NativeCodeId, thread.CodeBytes, thread.Number);
        else
            KeepOrphan(data, chunk);
        thread.End();
    }

    /// <summary>All events were read: gives trees to code of the rundown, and frees what only reading needs.</summary>
    public void Complete()
    {
        foreach (var (method, orphans) in _orphans)
        {
            foreach (var orphan in orphans.Where(orphan => orphan.HasCode(isOnly: orphans.Count == 1)))
            {
                WithoutCode--;
                Add(orphan.Data, method, orphan.NativeCodeId, orphan.CodeBytes, orphan.Number);
            }
        }

        _threads.Clear();
        _orphans.Clear();
        _complete = new PagedList<(long, long)>();
        _known.Clear();
        _known.TrimExcess();
        _examined = 0;
        _written.TrimExcess();
    }

    /// <summary>Whether a piece of code has a tree.</summary>
    public bool Has(int code) => _trees.ContainsKey(code);

    /// <summary>The tree of a piece of code, the same instance each time; null when it has none, or none was recorded.</summary>
    public InlineTree? Of(int code)
    {
        if (!_trees.TryGetValue(code, out var place))
            return null;
        if (!_read.TryGetValue(code, out var tree))
            _read.Add(code, tree = Read(place.Position, place.Points));
        return tree;
    }

    /// <summary>All trees with inlined methods.</summary>
    public IEnumerable<InlineTree> All => _trees.Values.Select(place => Read(place.Position, place.Points));

    private void Add(ReadOnlySpan<byte> data, long method, long nativeCode, uint codeBytes, int number)
    {
        if (!_decoder.TryDecode(data, method, codeBytes))
        {
            Refused++;
            return;
        }

        Count++;
        _complete.Add((method, nativeCode));
        if (_decoder.HasInlinees || points is not null)
            Keep(number, points?.Of(_decoder.Points(data)));
    }

    private void KeepOrphan(ReadOnlySpan<byte> data, in InlineTreeChunk chunk)
    {
        if (!_orphans.TryGetValue(chunk.MethodId, out var orphans))
            _orphans.Add(chunk.MethodId, orphans = []);
        var nativeCode = chunk.NativeCodeId;
        if (orphans.Exists(orphan => orphan.NativeCodeId == nativeCode))
            return;
        WithoutCode++;
        orphans.Add(new Orphan(nativeCode, data.ToArray()));
    }

    private Compilation ThreadOf(EventAt at)
    {
        if (!_threads.TryGetValue(at.ThreadId, out var thread))
            _threads.Add(at.ThreadId, thread = new Compilation());
        return thread;
    }

    private void Keep(int code, CodePoints? statements)
    {
        _trees[code] = (_written.Count, statements);
        _read.Remove(code);
        _decoder.Write(_written);
    }

    private InlineTree Read(int position, CodePoints? statements) =>
        InlineTree.Read(CollectionsMarshal.AsSpan(_written)[position..], statements);

    private bool IsComplete(in InlineTreeChunk chunk)
    {
        for (; _examined < _complete.Count; _examined++)
            _known.Add(_complete[_examined]);
        return _known.Contains((chunk.MethodId, chunk.NativeCodeId));
    }

    /// <summary>A tree without a load event of its code, and the code that the rundown lists for it.</summary>
    private sealed class Orphan(long nativeCodeId, byte[] data)
    {
        private bool _isExact;
        private bool _isAmbiguous;

        public long NativeCodeId => nativeCodeId;

        public byte[] Data => data;

        /// <summary>Number of the code; negative for none so far.</summary>
        public int Number { get; private set; } = -1;

        public uint CodeBytes { get; private set; }

        public void OnCodeListed(in MethodCode code, int number)
        {
            if (_isExact || (code.NativeCodeId ?? nativeCodeId) != nativeCodeId)
                return;
            _isExact = code.NativeCodeId is not null;
            _isAmbiguous = Number >= 0 && !_isExact;
            (Number, CodeBytes) = (number, code.Size);
        }

        /// <summary>Whether exactly one piece of code can be its own.</summary>
        /// <param name="isOnly">Whether it is the only such tree of its method.</param>
        public bool HasCode(bool isOnly) => Number >= 0 && !_isAmbiguous && (isOnly || _isExact);
    }

    /// <summary>A thread's last compiled code, and the chunks of its tree so far.</summary>
    private sealed class Compilation
    {
        private byte[] _data = [];
        private int _length;
        private long? _nativeCodeId;

        /// <summary>Whether a chunk can follow.</summary>
        public bool IsOpen { get; private set; }

        /// <summary>Number of the code; negative when it had no load event.</summary>
        public int Number { get; private set; }

        public long MethodId { get; private set; }

        public uint CodeBytes { get; private set; }

        /// <summary>Number of the next expected chunk.</summary>
        public int NextChunk { get; private set; }

        public ReadOnlySpan<byte> Data => _data.AsSpan(0, _length);

        public void Begin(in MethodCode code, int number)
        {
            End();
            (Number, MethodId, _nativeCodeId, CodeBytes) = (number, code.MethodId, code.NativeCodeId, code.Size);
            IsOpen = number >= 0;
        }

        public void Begin(in InlineTreeChunk first) =>
            (IsOpen, Number, MethodId, _nativeCodeId) = (true, -1, first.MethodId, first.NativeCodeId);

        public bool Accepts(in InlineTreeChunk chunk) =>
            IsOpen
            && chunk.Number == NextChunk
            && chunk.MethodId == MethodId
            && (_nativeCodeId is null || _nativeCodeId == chunk.NativeCodeId);

        public void Append(ReadOnlySpan<byte> data)
        {
            if (_length + data.Length > _data.Length)
                Array.Resize(ref _data, Math.Max(_length + data.Length, 2 * _data.Length));
            data.CopyTo(_data.AsSpan(_length));
            _length += data.Length;
            NextChunk++;
        }

        /// <summary>The tree is complete or refused: no further chunk belongs to the code.</summary>
        public void End()
        {
            IsOpen = false;
            NextChunk = 0;
            _length = 0;
        }
    }
}
