using System.Runtime.InteropServices;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Foundation;

namespace EtwSerializerProfiler.Analysis.Profiles;

/// <summary>
/// The different stacks of a profile, as a tree: a stack is a node below its caller's node, and has a higher number. Memory grows with the
/// different paths, not with the samples.
/// </summary>
public sealed class ProfileStacks
{
    /// <summary>Caller of the outermost nodes.</summary>
    public const int Root = -1;

    private readonly Interner<ProfileFrame> _frames = new();

    /// <summary>Nodes by caller and frame, both in one number.</summary>
    private readonly Dictionary<long, int> _numbers = [];
    private readonly List<(int Parent, int Frame)> _nodes = [];

    /// <summary>All frames.</summary>
    public IReadOnlyList<ProfileFrame> Frames => _frames.Items;

    /// <summary>Number of different stacks, including those that are the outer part of others.</summary>
    public int Count => _nodes.Count;

    /// <summary>The number of the caller's stack, <see cref="Root"/> for none.</summary>
    public int ParentOf(int stack) => _nodes[stack].Parent;

    /// <summary>The number of a stack's leaf in <see cref="Frames"/>.</summary>
    public int FrameOf(int stack) => _nodes[stack].Frame;

    /// <summary>Puts the frames of a stack into a list, outermost first.</summary>
    /// <param name="stack">The stack.</param>
    /// <param name="frames">Receives the numbers of the frames; cleared before.</param>
    public void Walk(int stack, List<int> frames)
    {
        ArgumentNullException.ThrowIfNull(frames);
        frames.Clear();
        for (var node = stack; node != Root; node = _nodes[node].Parent)
            frames.Add(_nodes[node].Frame);
        frames.Reverse();
    }

    /// <summary>The number of a frame; looked up once per symbol.</summary>
    internal int GetOrAdd(ProfileFrame frame) => _frames.GetOrAdd(frame);

    /// <summary>The frame of a row of the CPU report.</summary>
    internal int GetOrAdd(CpuRowKey key) => GetOrAdd(new ProfileFrame(key.Name, key.Module, key.Kind, key.IsInlined, key.Line));

    /// <summary>The stack of a frame below another stack.</summary>
    internal int Enter(int parent, int frame)
    {
        ref var number = ref CollectionsMarshal.GetValueRefOrAddDefault(_numbers, ((long)parent << 32) | (uint)frame, out var known);
        if (!known)
        {
            number = _nodes.Count;
            _nodes.Add((parent, frame));
        }

        return number;
    }
}
