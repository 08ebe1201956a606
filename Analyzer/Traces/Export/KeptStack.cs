namespace EtwSerializerProfiler.Traces.Export;

/// <summary>The stack with which a thread was switched out, kept until it is switched in.</summary>
internal sealed class KeptStack
{
    private ulong[] _addresses = [];
    private int _count;

    /// <summary>Its addresses, leaf first; empty when none is kept.</summary>
    public ReadOnlySpan<ulong> Frames => _addresses.AsSpan(0, _count);

    /// <summary>Number of leading kernel addresses.</summary>
    public int KernelFrames { get; private set; }

    /// <summary>Keeps a stack.</summary>
    public void Keep(ReadOnlySpan<ulong> frames, int kernelFrames)
    {
        if (_addresses.Length < frames.Length)
            _addresses = new ulong[frames.Length];
        frames.CopyTo(_addresses);
        (_count, KernelFrames) = (frames.Length, kernelFrames);
    }

    /// <summary>Removes the stack.</summary>
    public void Clear() => _count = 0;
}
