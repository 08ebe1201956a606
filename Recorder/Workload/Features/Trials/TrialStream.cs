namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Stores written bytes up to a limit, and records whether it was closed.</summary>
public sealed class TrialStream : MemoryStream
{
    // A serializer that writes endlessly, for example in a cycle, must not exhaust the machine's memory.
    private const long MaxBytes = 512L << 20;

    /// <summary>Creates an empty stream.</summary>
    public TrialStream() { }

    private TrialStream(byte[] bytes, int length)
        : base(bytes, 0, length, writable: false, publiclyVisible: true) { }

    /// <summary>Whether it was closed.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>Number of written bytes; also valid after closing.</summary>
    public int ByteCount { get; private set; }

    /// <summary>Opens the written bytes for reading; also possible after closing.</summary>
    public TrialStream Reopen() => new(GetBuffer(), ByteCount) { ByteCount = ByteCount };

    /// <summary>The written bytes.</summary>
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
            throw new IOException("The serializer wrote more than 512 MB and was stopped.");
    }
}
