using System.CommandLine;
using System.CommandLine.Completions;

namespace EtwSerializerProfiler.CommandLine.Completion;

/// <summary>Completions for values of options and arguments.</summary>
public static class ValueSources
{
    /// <summary>Sub-folder that is searched for recordings.</summary>
    private const string RecordingsFolder = "recordings";

    /// <summary>Files that identify a folder as a recording or a series.</summary>
    private static readonly string[] s_descriptions = ["recording.json", "index.json"];

    /// <summary>Completes a comma-separated list.</summary>
    /// <param name="option">The option.</param>
    /// <param name="values">Returns the possible entries; called when something is completed.</param>
    public static void CompleteList(this Option option, Func<IEnumerable<string>> values)
    {
        ArgumentNullException.ThrowIfNull(option);
        option.CompletionSources.Clear();
        option.CompletionSources.Add(context => List(context.WordToComplete, values()));
    }

    /// <summary>Completes with the recordings in the sub-folder <c>recordings</c> of the current folder, newest first.</summary>
    public static void CompleteRecordings(this Argument argument)
    {
        ArgumentNullException.ThrowIfNull(argument);
        argument.CompletionSources.Add(_ => Recordings(Environment.CurrentDirectory));
    }

    /// <summary>The recordings in a folder, as users type them there.</summary>
    public static IReadOnlyList<string> Recordings(string folder)
    {
        try
        {
            return
            [
                .. new DirectoryInfo(Path.Combine(folder, RecordingsFolder))
                    .EnumerateDirectories()
                    .Where(item => s_descriptions.Any(name => File.Exists(Path.Combine(item.FullName, name))))
                    .OrderByDescending(item => item.LastWriteTimeUtc)
                    .ThenBy(item => item.Name, StringComparer.Ordinal)
                    .Select(item => $"{RecordingsFolder}/{item.Name}"),
            ];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return []; // no such folder
        }
    }

    private static IEnumerable<CompletionItem> List(string word, IEnumerable<string> values)
    {
        var kept = word[..(word.LastIndexOf(',') + 1)];
        var used = kept.Split(',');
        return values
            .Where(value => !used.Contains(value, StringComparer.OrdinalIgnoreCase))
            .Select(value => new CompletionItem(kept + value));
    }
}
