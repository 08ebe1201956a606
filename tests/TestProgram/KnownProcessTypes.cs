/// <summary>The type with many objects.</summary>
internal sealed class KnownItem
{
    public KnownItem? Previous;
    public long Number;
}

/// <summary>Allocated last: generation 0.</summary>
internal sealed class YoungItem
{
    public long First,
        Second;
}

/// <summary>Objects that are locked.</summary>
internal sealed class KnownLock(string name)
{
    public override string ToString() => name;
}

/// <summary>Elements of the array that a handle pins.</summary>
internal struct KnownPoint
{
    public int X,
        Y;
}

/// <summary>Has a finalizer, and may block the thread of finalizers.</summary>
internal sealed class KnownFinalizable
{
    public static readonly ManualResetEventSlim Blocked = new();

    public bool Blocks;

    ~KnownFinalizable()
    {
        if (!Blocks)
            return;
        Blocked.Set();
        Thread.Sleep(Timeout.Infinite);
    }
}

/// <summary>Has its own HRESULT.</summary>
internal sealed class KnownException : Exception
{
    public KnownException(string message)
        : base(message) => HResult = KnownProcess.HResult;
}

/// <summary>Cannot be deserialized: its setter throws.</summary>
internal sealed class KnownData
{
    public int Value
    {
        get;
        set
        {
            field = value;
            throw new InvalidOperationException(
                "outer exception",
                new FormatException("inner exception", new KnownException("innermost exception"))
            );
        }
    }
}
