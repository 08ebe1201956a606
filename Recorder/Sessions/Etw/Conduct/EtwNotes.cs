using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Sessions.Etw.Conduct;

/// <summary>The session ledger of this machine: one file per recorder, named by its process id.</summary>
/// <param name="folder">Folder of the ledger; need not exist.</param>
public sealed class EtwNotes(string folder)
{
    private static readonly JsonSerializerOptions s_options = new() { WriteIndented = true, PropertyNamingPolicy = JsonNamingPolicy.CamelCase, Converters = { new JsonStringEnumConverter() } };

    /// <summary>Maximum difference between two readings of a process's start time.</summary>
    private static readonly TimeSpan s_startTolerance = TimeSpan.FromSeconds(2);

    /// <summary>One folder for all users of the machine, because sessions also belong to the machine.</summary>
    public static string DefaultFolder { get; } = Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.CommonApplicationData), "EtwSerializerProfiler", "sessions");

    /// <summary>Writes an entry.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder may not be written.</exception>
    public void Write(EtwNote note)
    {
        ArgumentNullException.ThrowIfNull(note);
        Directory.CreateDirectory(folder);
        File.WriteAllText(PathOf(note.ProcessId), JsonSerializer.Serialize(note, s_options));
    }

    /// <summary>Removes a recorder's entry, if it exists.</summary>
    public void Remove(int processId) => File.Delete(PathOf(processId));

    /// <summary>All readable entries.</summary>
    /// <param name="problems">Unreadable files, a sentence each.</param>
    public IReadOnlyList<EtwNote> Read(out IReadOnlyList<string> problems)
    {
        var notes = new List<EtwNote>();
        var unreadable = new List<string>();
        problems = unreadable;
        if (!Directory.Exists(folder))
            return notes;
        foreach (var path in Directory.EnumerateFiles(folder, "*.json").Order(StringComparer.Ordinal))
        {
            try
            {
                if (JsonSerializer.Deserialize<EtwNote>(File.ReadAllText(path), s_options) is { Sessions: not null, Folder: not null } note)
                    notes.Add(note);
                else
                    unreadable.Add($"{path} is not an entry of a recorder; delete it");
            }
            catch (Exception exception) when (exception is JsonException or IOException or UnauthorizedAccessException)
            {
                unreadable.Add($"{path}: {exception.Message}");
            }
        }

        return notes;
    }

    /// <summary>Whether the recorder of an entry is still running.</summary>
    public static bool IsAlive(EtwNote note)
    {
        ArgumentNullException.ThrowIfNull(note);
        return OtherProcess.Read<DateTime?>(note.ProcessId, process => process.StartTime.ToUniversalTime(), null) is { } started
            ? (started - note.ProcessStartedUtc).Duration() < s_startTolerance
            : !OtherProcess.HasEnded(note.ProcessId); // it exists but may not be queried, so it counts as running
    }

    private string PathOf(int processId) => Path.Combine(folder, processId.ToString(CultureInfo.InvariantCulture) + ".json");
}
