namespace EtwSerializerProfiler.Sessions.Etw.Plans;

/// <summary>A user session of a plan: providers that write into one file.</summary>
/// <param name="Role">What it is: <c>clr</c>, <c>code</c>, <c>alloc</c>, <c>rundown</c>; also the stem of its file.</param>
/// <param name="Name">Name of the session on the machine.</param>
/// <param name="Providers">Providers, each at one level: a provider has one level, one set of keywords and one set of filters in a session.</param>
/// <param name="Buffers">Buffers.</param>
/// <param name="Purpose">What it is for, a few words.</param>
public sealed record EtwUserSession(string Role, string Name, IReadOnlyList<EtwProvider> Providers, EtwBuffers Buffers, string Purpose)
{
    /// <summary>Collections, exceptions, locks, run marks.</summary>
    public const string Clr = "clr";

    /// <summary>JIT compilation, waits, names of methods.</summary>
    public const string Code = "code";

    /// <summary>Allocation events.</summary>
    public const string Allocation = "alloc";

    /// <summary>Names of methods of processes that still run at the end.</summary>
    public const string Rundown = "rundown";

    /// <summary>File in the recording's folder.</summary>
    public string FileName => Role + ".etl";
}
