using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Stores;
using EtwSerializerProfiler.Stores.Export;
using EtwSerializerProfiler.Stores.Reading;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze export STORE</c>: the tables of a store as files.</summary>
internal static class StoreExportAction
{
    /// <summary>Checks that the command line applies to a store.</summary>
    /// <param name="result">The command line.</param>
    /// <param name="paths">The store, followed by the folder.</param>
    /// <param name="file">Option for the folder.</param>
    /// <param name="to">Format.</param>
    /// <param name="others">Options that do not apply to a store.</param>
    public static void Check(
        CommandResult result,
        Argument<string[]> paths,
        Option<string?> file,
        ExportFormat to,
        IReadOnlyList<Option> others
    )
    {
        var given = result.GetResult(paths)!.Tokens.Count;
        var isNamed = result.GetResult(file) is { Implicit: false };
        if (to is not (ExportFormat.Csv or ExportFormat.Jsonl))
            result.AddError(
                "a store has no stacks and exports only as csv or jsonl",
                "choose --to csv or --to jsonl, or name the recording itself"
            );
        else if (given + (isNamed ? 1 : 0) != 2)
            result.AddError(
                given == 1 ? "the folder for the tables is missing" : "only one store can be exported, into one folder",
                "name the store and a folder: esp-analyze export all.db --to csv tables"
            );
        else if (others.FirstOrDefault(option => result.GetResult(option) is { Implicit: false }) is { } other)
            result.AddError(
                $"{other.Name} selects samples, and a store has none",
                $"leave out {other.Name}; select traces after the store's name: all.db#branch=main,last=20"
            );
    }

    /// <summary>Writes the files and lists them.</summary>
    /// <param name="names">The store, and the folder unless <paramref name="folder"/> names it.</param>
    /// <param name="folder">The folder; null when it follows the store.</param>
    /// <param name="to">Format.</param>
    /// <param name="overwrite">Whether to replace existing files.</param>
    /// <param name="output">Receives the list of files.</param>
    /// <param name="cancellation">Cancels the export.</param>
    public static void Run(
        string[] names,
        string? folder,
        ExportFormat to,
        bool overwrite,
        TextWriter output,
        CancellationToken cancellation
    )
    {
        var address = StoreAddress.Parse(names[0]);
        var selection = TraceSelection.Parse(address);
        using var store = TraceStores.Open(address);
        var traces = address.Selection.Length > 0 ? selection.Of(store.Traces()).Select(trace => trace.Trace).ToList() : null;
        foreach (
            var (path, rows) in StoreExport.Write(
                store,
                traces,
                folder ?? names[1],
                to == ExportFormat.Csv ? StoreFileFormat.Csv : StoreFileFormat.JsonLines,
                overwrite,
                cancellation
            )
        )
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Written: {path} ({Plural.Of(rows, "row")})"));
    }
}
