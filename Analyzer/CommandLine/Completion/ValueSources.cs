using System.CommandLine;
using System.CommandLine.Completions;

namespace EtwSerializerProfiler.CommandLine.Completion;

/// <summary>Values that options and arguments are completed with.</summary>
public static class ValueSources
{
    /// <summary>Folder that recordings are looked for in.</summary>
    private const string RecordingsFolder = "recordings";

    /// <summary>File that makes a folder a recording, or several.</summary>
    private static readonly string[] s_descriptions = ["recording.json", "index.json"];

    /// <summary>Completes a list that is separated by commas.</summary>
    /// <param name="option">The option.</param>
    /// <param name="values">What its entries may be; asked when something is completed.</param>
    public static void CompleteList(this Option option, Func<IEnumerable<string>> values)
    {
        ArgumentNullException.ThrowIfNull(option);
        option.CompletionSources.Clear();
        option.CompletionSources.Add(context => List(context.WordToComplete, values()));
    }

    /// <summary>Completes with the recordings of the current folder's sub-folder for them, the newest first.</summary>
    public static void CompleteRecordings(this Argument argument)
    {
        ArgumentNullException.ThrowIfNull(argument);
        argument.CompletionSources.Add(_ => Recordings(Environment.CurrentDirectory));
    }

    /// <summary>The recordings of a folder, as they would be typed in it.</summary>
    public static IReadOnlyList<string> Recordings(string folder)
    {
        try
        {
            return
            [
                .. new DirectoryInfo(Path.Combine(folder, RecordingsFolder)).EnumerateDirectories()
                    .Where(item => s_descriptions.Any(name => File.Exists(Path.Combine(item.FullName, name))))
                    .OrderByDescending(item => item.LastWriteTimeUtc).ThenBy(item => item.Name, StringComparer.Ordinal).Select(item => $"{RecordingsFolder}/{item.Name}"),
            ];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return []; // none here
        }
    }

    private static IEnumerable<CompletionItem> List(string word, IEnumerable<string> values)
    {
        var kept = word[..(word.LastIndexOf(',') + 1)];
        var used = kept.Split(',');
        return values.Where(value => !used.Contains(value, StringComparer.OrdinalIgnoreCase)).Select(value => new CompletionItem(kept + value));
    }
}
