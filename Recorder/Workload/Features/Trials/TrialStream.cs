namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Keeps what is written up to a limit, and remembers whether it was closed.</summary>
public sealed class TrialStream : MemoryStream
{
    // A serializer that never ends, in a cycle, must not take the machine's memory.
    private const long MaxBytes = 512L << 20;

    /// <summary>An empty stream.</summary>
    public TrialStream()
    {
    }

    private TrialStream(byte[] bytes, int length)
        : base(bytes, 0, length, writable: false, publiclyVisible: true)
    {
    }

    /// <summary>Whether someone closed it.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>Bytes written; also when it is closed.</summary>
    public int ByteCount { get; private set; }

    /// <summary>What was written, to be read; also when it is closed.</summary>
    public TrialStream Reopen() => new(GetBuffer(), ByteCount) { ByteCount = ByteCount };

    /// <summary>What was written.</summary>
    public byte[] Bytes() => [.. new ArraySegment<byte>(GetBuffer(), 0, ByteCount)];

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count)
    {
        Check(count);
        base.Write(buffer, offset, count);
        ByteCount = (int)Length;
    }

    /// <inheritdoc/>
    public override void WriteByte(byte value)
    {
        Check(1);
        base.WriteByte(value);
        ByteCount = (int)Length;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        IsClosed = true;
        base.Dispose(disposing);
    }

    private void Check(int count)
    {
        if (Position + count > MaxBytes)
            throw new IOException("It wrote more than 512 MB and was stopped.");
    }
}
