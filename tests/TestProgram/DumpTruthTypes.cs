/// <summary>The type with many objects.</summary>
internal sealed class TruthItem
{
    public TruthItem? Previous;
    public long Number;
}

/// <summary>Allocated last: generation 0.</summary>
internal sealed class YoungItem
{
    public long First,
        Second;
}

/// <summary>Objects that are locked.</summary>
internal sealed class TruthLock(string name)
{
    public override string ToString() => name;
}

/// <summary>Elements of the array that a handle pins.</summary>
internal struct TruthPoint
{
    public int X,
        Y;
}

/// <summary>Has a finalizer, and may block the thread of finalizers.</summary>
internal sealed class TruthFinalizable
{
    public static readonly ManualResetEventSlim Blocked = new();

    public bool Blocks;

    ~TruthFinalizable()
    {
        if (!Blocks)
            return;
        Blocked.Set();
        Thread.Sleep(Timeout.Infinite);
    }
}

/// <summary>Has its own HRESULT.</summary>
internal sealed class TruthException : Exception
{
    public TruthException(string message)
        : base(message) => HResult = DumpTruth.HResult;
}

/// <summary>Cannot be deserialized: its setter throws.</summary>
internal sealed class TruthData
{
    public int Value
    {
        get;
        set
        {
            field = value;
            throw new InvalidOperationException(
                "outer exception",
                new FormatException("inner exception", new TruthException("innermost exception"))
            );
        }
    }
}
