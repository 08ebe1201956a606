using System.Runtime.InteropServices;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>The inline trees of a process, by the code they belong to.</summary>
/// <remarks>
/// A tree has the ids of its method and code, but not the code's address. It follows the code's load event on the compiling thread (6,682
/// of 6,682 in a recording of the built-in suite), so a tree belongs to the code that its thread loaded last, and both ids must match. The
/// code's id is missing in load events of generic instances and dynamic methods, where only the method's id is compared. A tree that
/// matches no code, lacks a chunk or contradicts itself is counted, and its method keeps its plain frame. The rundown of an ETW session may
/// repeat trees on its own thread; known ones are skipped.
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

    /// <summary>Methods and codes whose trees are complete.</summary>
    private PagedList<(long MethodId, long NativeCodeId)> _complete = new();

    /// <summary>How many of them are in <see cref="_known"/>.</summary>
    private int _examined;

    /// <summary>Those that were complete when a tree without its code came.</summary>
    private readonly HashSet<(long MethodId, long NativeCodeId)> _known = [];

    /// <summary>Number of complete trees that belong to code.</summary>
    public int Count { get; private set; }

    /// <summary>Number of refused trees.</summary>
    public int Refused { get; private set; }

    /// <summary>A thread loaded jitted code, whose tree may follow.</summary>
    /// <param name="code">The code.</param>
    /// <param name="number">Its number; negative when it has none.</param>
    public void OnCodeLoaded(in MethodCode code, int number)
    {
        if (!_threads.TryGetValue(code.At.ThreadId, out var thread))
            _threads.Add(code.At.ThreadId, thread = new Compilation());
        if (thread.NextChunk > 0)
            Refused++; // the rest of the tree of the code before is missing
        thread.Begin(code, number);
    }

    /// <summary>Adds a chunk of a tree.</summary>
    public void OnChunk(in InlineTreeChunk chunk)
    {
        if (!_threads.TryGetValue(chunk.At.ThreadId, out var thread) || !thread.Accepts(chunk))
        {
            if (IsComplete(chunk))
                return;

            // A refused tree counts once; its further chunks are ignored.
            if (chunk.Number <= 0 || thread is { Number: >= 0 })
                Refused++;
            thread?.End();
            return;
        }

        if (!chunk.IsLast)
        {
            if (thread.Data.Length + chunk.Data.Length <= MaxTreeBytes)
            {
                thread.Append(chunk.Data);
                return;
            }

            Refused++;
            thread.End();
            return;
        }

        if (chunk.Number > 0)
            thread.Append(chunk.Data);
        var data = chunk.Number > 0 ? thread.Data : chunk.Data;
        if (_decoder.TryDecode(data, thread.MethodId, thread.CodeBytes))
        {
            Count++;
            _complete.Add((chunk.MethodId, chunk.NativeCodeId));
            if (_decoder.HasInlinees || points is not null)
                Keep(thread.Number, points?.Of(_decoder.Points(data)));
        }
        else
        {
            Refused++;
        }

        thread.End();
    }

    /// <summary>All events were read: frees what only reading needs.</summary>
    public void Complete()
    {
        _threads.Clear();
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

    /// <summary>A thread's last compiled code, and the chunks of its tree so far.</summary>
    private sealed class Compilation
    {
        private byte[] _data = [];
        private int _length;
        private long? _nativeCodeId;

        /// <summary>Number of the code; negative when no tree can belong to it.</summary>
        public int Number { get; private set; } = -1;

        public long MethodId { get; private set; }

        public uint CodeBytes { get; private set; }

        /// <summary>Number of the next expected chunk.</summary>
        public int NextChunk { get; private set; }

        public ReadOnlySpan<byte> Data => _data.AsSpan(0, _length);

        public void Begin(in MethodCode code, int number)
        {
            End();
            (Number, MethodId, _nativeCodeId, CodeBytes) = (number, code.MethodId, code.NativeCodeId, code.Size);
        }

        public bool Accepts(in InlineTreeChunk chunk) =>
            Number >= 0
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
            Number = -1;
            NextChunk = 0;
            _length = 0;
        }
    }
}
