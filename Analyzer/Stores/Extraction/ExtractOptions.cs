using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;

namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>What to extract from each trace.</summary>
public sealed record ExtractOptions
{
    /// <summary>
    /// Requested tables, separated by commas, in the order of the schema; empty for all. Excludes those of
    /// <see cref="StoreSchema.Always"/>.
    /// </summary>
    public string Tables { get; init; } = "";

    /// <summary>Branch of all traces; null to use each trace's own.</summary>
    public string? Branch { get; init; }

    /// <summary>Commit of all traces; null to use each trace's own.</summary>
    public string? Commit { get; init; }

    /// <summary>Converts names of tables to the form of <see cref="Tables"/>; ignores unknown names.</summary>
    public static string TablesOf(IReadOnlyCollection<string> names)
    {
        ArgumentNullException.ThrowIfNull(names);
        if (names.Count == 0)
            return "";
        var found = names.SelectMany(StoreSchema.MeantBy).ToHashSet();
        var wanted = StoreSchema.Tables.Except(StoreSchema.Always).Where(found.Contains).Select(table => table.Name).ToList();
        return wanted.Count == StoreSchema.Tables.Count - StoreSchema.Always.Count ? ""
            : wanted.Count > 0 ? string.Join(',', wanted)
            : TraceTable.Table.Name;
    }

    /// <summary>Whether a table is requested.</summary>
    public bool Wants(StoreTable table) =>
        Tables.Length == 0 || StoreSchema.Always.Contains(table) || Tables.Split(',').Contains(table?.Name);

    /// <summary>Whether an extract with some tables contains all requested ones.</summary>
    /// <param name="stored">Tables of the extract, in the form of <see cref="Tables"/>.</param>
    /// <param name="wanted">Requested tables.</param>
    public static bool Covers(string stored, string wanted)
    {
        ArgumentNullException.ThrowIfNull(stored);
        ArgumentNullException.ThrowIfNull(wanted);
        return stored.Length == 0
            || (wanted.Length > 0 && wanted.Split(',').All(table => table == TraceTable.Table.Name || stored.Split(',').Contains(table)));
    }
}

/// <summary>A request to <c>esp-analyze extract</c>.</summary>
/// <param name="Paths">Files and folders.</param>
/// <param name="Store">The target store.</param>
public sealed record ExtractRequest(IReadOnlyList<string> Paths, StoreAddress Store)
{
    /// <summary>What to extract from each trace.</summary>
    public ExtractOptions Options { get; init; } = new();

    /// <summary>Maximum number of worker processes; null for as many as processors and memory permit.</summary>
    public int? Jobs { get; init; }

    /// <summary>Whether to search sub-folders.</summary>
    public bool Recursive { get; init; }

    /// <summary>Whether to retry traces that failed.</summary>
    public bool RetryFailed { get; init; }
}

/// <summary>Progress of an extract.</summary>
/// <param name="TracesDone">Number of completed traces.</param>
/// <param name="Traces">Total number of traces.</param>
/// <param name="BytesDone">Number of bytes done, including parts of traces in progress.</param>
/// <param name="Bytes">Total number of bytes, without traces that turn out to be in the store.</param>
public sealed record ExtractProgress(int TracesDone, int Traces, long BytesDone, long Bytes);
