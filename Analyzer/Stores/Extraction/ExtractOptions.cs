using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>What is extracted of each trace.</summary>
public sealed record ExtractOptions
{
    /// <summary>Tables asked for, separated by commas, in the schema's order; empty for all. Those of <see cref="StoreSchema.Always"/> are not named.</summary>
    public string Tables { get; init; } = "";

    /// <summary>Branch that all traces are of; null for what each says itself.</summary>
    public string? Branch { get; init; }

    /// <summary>Commit that all traces are of; null for what each says itself.</summary>
    public string? Commit { get; init; }

    /// <summary>Puts names of tables into the form of <see cref="Tables"/>; names that the schema does not have are ignored.</summary>
    public static string TablesOf(IReadOnlyCollection<string> names)
    {
        ArgumentNullException.ThrowIfNull(names);
        if (names.Count == 0)
            return "";
        var found = names.SelectMany(StoreSchema.MeantBy).ToHashSet();
        var wanted = StoreSchema.Tables.Except(StoreSchema.Always).Where(found.Contains).Select(table => table.Name).ToList();
        return wanted.Count == StoreSchema.Tables.Count - StoreSchema.Always.Count ? "" : wanted.Count > 0 ? string.Join(',', wanted) : TraceTable.Table.Name;
    }

    /// <summary>Whether rows of a table are wanted.</summary>
    public bool Wants(StoreTable table) => Tables.Length == 0 || StoreSchema.Always.Contains(table) || Tables.Split(',').Contains(table?.Name);

    /// <summary>Whether what was extracted into some tables holds what is wanted in others.</summary>
    /// <param name="stored">Tables that a trace was extracted into, in the form of <see cref="Tables"/>.</param>
    /// <param name="wanted">Tables that are asked for.</param>
    public static bool Covers(string stored, string wanted)
    {
        ArgumentNullException.ThrowIfNull(stored);
        ArgumentNullException.ThrowIfNull(wanted);
        return stored.Length == 0 || (wanted.Length > 0 && wanted.Split(',').All(table => table == TraceTable.Table.Name || stored.Split(',').Contains(table)));
    }
}

/// <summary>What <c>esp-analyze extract</c> is asked for.</summary>
/// <param name="Paths">Files and folders.</param>
/// <param name="Store">Where rows go.</param>
public sealed record ExtractRequest(IReadOnlyList<string> Paths, StoreAddress Store)
{
    /// <summary>What is extracted of each trace.</summary>
    public ExtractOptions Options { get; init; } = new();

    /// <summary>Worker processes at most; null for as many as processors and memory permit.</summary>
    public int? Jobs { get; init; }

    /// <summary>Whether sub-folders are searched.</summary>
    public bool Recursive { get; init; }

    /// <summary>Whether traces that failed are tried again.</summary>
    public bool RetryFailed { get; init; }
}

/// <summary>How far an extract is.</summary>
/// <param name="TracesDone">Traces that are done.</param>
/// <param name="Traces">Traces there are.</param>
/// <param name="BytesDone">Bytes done, in proportion of those that are under way.</param>
/// <param name="Bytes">Bytes there are to do; those of traces that turn out to be in the store are taken off.</param>
public sealed record ExtractProgress(int TracesDone, int Traces, long BytesDone, long Bytes);
