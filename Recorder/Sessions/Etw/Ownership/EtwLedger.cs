using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Sessions.Etw.Ownership;

/// <summary>The session ledger of this machine: one file per recorder, named by its process id.</summary>
/// <param name="folder">Folder of the ledger; need not exist.</param>
public sealed class EtwLedger(string folder)
{
    private static readonly JsonSerializerOptions s_options = new()
    {
        WriteIndented = true,
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        Converters = { new JsonStringEnumConverter() },
    };

    /// <summary>Maximum difference between two readings of a process's start time.</summary>
    private static readonly TimeSpan s_startTolerance = TimeSpan.FromSeconds(2);

    /// <summary>One folder for all users of the machine, because sessions also belong to the machine.</summary>
    public static string DefaultFolder { get; } =
        Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.CommonApplicationData), "EtwSerializerProfiler", "sessions");

    /// <summary>Writes an entry.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder may not be written.</exception>
    public void Write(EtwLedgerEntry entry)
    {
        ArgumentNullException.ThrowIfNull(entry);
        Directory.CreateDirectory(folder);
        File.WriteAllText(PathOf(entry.ProcessId), JsonSerializer.Serialize(entry, s_options));
    }

    /// <summary>Removes a recorder's entry, if it exists.</summary>
    public void Remove(int processId) => File.Delete(PathOf(processId));

    /// <summary>All readable entries.</summary>
    /// <param name="problems">Unreadable files, a sentence each.</param>
    public IReadOnlyList<EtwLedgerEntry> Read(out IReadOnlyList<string> problems)
    {
        var entries = new List<EtwLedgerEntry>();
        var unreadable = new List<string>();
        problems = unreadable;
        if (!Directory.Exists(folder))
            return entries;
        foreach (var path in Directory.EnumerateFiles(folder, "*.json").Order(StringComparer.Ordinal))
        {
            try
            {
                if (
                    JsonSerializer.Deserialize<EtwLedgerEntry>(File.ReadAllText(path), s_options) is
                    { Sessions: not null, Folder: not null } entry
                )
                    entries.Add(entry);
                else
                    unreadable.Add($"{path} is not an entry of a recorder; delete it");
            }
            catch (Exception exception) when (exception is JsonException or IOException or UnauthorizedAccessException)
            {
                unreadable.Add($"{path}: {exception.Message}");
            }
        }

        return entries;
    }

    /// <summary>Whether the recorder of an entry is still running.</summary>
    public static bool IsAlive(EtwLedgerEntry entry)
    {
        ArgumentNullException.ThrowIfNull(entry);
        return OtherProcess.Read<DateTime?>(entry.ProcessId, process => process.StartTime.ToUniversalTime(), null) is { } started
            ? (started - entry.ProcessStartedUtc).Duration() < s_startTolerance
            : !OtherProcess.HasEnded(entry.ProcessId); // it exists but may not be queried, so it counts as running
    }

    private string PathOf(int processId) => Path.Combine(folder, processId.ToString(CultureInfo.InvariantCulture) + ".json");
}
