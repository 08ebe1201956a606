namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>A user session of a plan: providers that write to one file.</summary>
/// <param name="Role">Its role: <c>clr</c>, <c>code</c>, <c>alloc</c>, <c>rundown</c>; also the stem of its file name.</param>
/// <param name="Name">Name of the session on the machine.</param>
/// <param name="Providers">Its providers. A provider has one level, one set of keywords and one set of filters per session.</param>
/// <param name="Buffers">Its buffers.</param>
/// <param name="Purpose">Its purpose in a few words.</param>
public sealed record EtwUserSession(string Role, string Name, IReadOnlyList<EtwProvider> Providers, EtwBuffers Buffers, string Purpose)
{
    /// <summary>GCs, exceptions, locks, run marks.</summary>
    public const string Clr = "clr";

    /// <summary>JIT compilation, waits, method names.</summary>
    public const string Code = "code";

    /// <summary>Allocation events.</summary>
    public const string Allocation = "alloc";

    /// <summary>Method names of processes that are running at the end.</summary>
    public const string Rundown = "rundown";

    /// <summary>File name in the recording's folder.</summary>
    public string FileName => Role + ".etl";
}
