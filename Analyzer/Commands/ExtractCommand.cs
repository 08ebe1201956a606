using System.CommandLine;
using System.CommandLine.Completions;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Progress;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Stores;
using EtwSerializerProfiler.Stores.Extraction;
using EtwSerializerProfiler.Stores.Extraction.Workers;
using EtwSerializerProfiler.Stores.Schema;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze extract</c>: writes many traces to the tables of a store, in several processes.</summary>
internal static class ExtractCommand
{
    private const string DefaultStore = "sqlite:traces.db";

    public static Command Create()
    {
        var command = new Command(
            "extract",
            "Analyzes traces in several processes and writes the results to the tables of a store. Skips traces that the store already has."
        );
        command.WithExamples(
            ("esp-analyze extract recordings --store sqlite:all.db", "Put all recordings of a folder into a store."),
            (
                "esp-analyze extract traces --recursive --store clickhouse:http://host:8123/esp",
                "Put all traces below a folder into a server."
            ),
            (
                "esp-analyze extract nightly --set branch=main,commit=1a2b3c4 --only run,cause,gc",
                "Name the branch and commit of the recordings, and keep three tables."
            ),
            ("esp-analyze extract app.nettrace --runs My-App/Request", "Use the requests of an event source as runs.")
        );
        var paths = new Argument<string[]>("PATH")
        {
            Description = "Recordings, .etl files and archives of them, .nettrace and perf.data files, and folders of those.",
            Arity = ArgumentArity.OneOrMore,
        };
        var store = new Option<string>("--store")
        {
            Description = $"Store to write to: sqlite:FILE or clickhouse:URL (default: {DefaultStore}).",
            DefaultValueFactory = _ => DefaultStore,
            HelpName = "STORE",
        };
        store.Validators.Add(CheckStore);
        var jobs = new Option<int?>("--jobs", "-j")
        {
            Description = "Reading processes (default: as many as processors and free memory allow, 300 MB each).",
            HelpName = "N",
        };
        jobs.Validators.Add(result =>
        {
            if (
                result.Tokens.Count == 1
                && int.TryParse(result.Tokens[0].Value, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number)
                && number < 1
            )
                result.AddError("--jobs takes a number of 1 or more", "leave it out for as many as the machine allows");
        });
        var recursive = new Option<bool>("--recursive", "-r") { Description = "Also search sub-folders that are not recordings." };
        var only = new Option<string[]>("--only") { HelpName = "TABLE,…", Arity = ArgumentArity.OneOrMore }.DescribedBy(static () =>
            $"Keep only these tables, besides {string.Join(", ", StoreSchema.Always.Select(table => table.Name))}: {string.Join(", ", Selectable())}."
        );
        only.CompletionSources.Add(static _ => Selectable().Select(name => new CompletionItem(name)));
        only.Validators.Add(CheckTables);
        var retry = new Option<bool>("--retry-failed") { Description = "Retry traces that could not be read before." };
        var set = new Option<string[]>("--set")
        {
            Description = "Branch and commit of traces that do not record them: branch=NAME,commit=HASH.",
            HelpName = "KEY=VALUE,…",
            Arity = ArgumentArity.OneOrMore,
        };
        set.CompletionSources.Add("branch=", "commit=");
        set.Validators.Add(CheckSettings);
        var events = new RunsOption();
        command.Arguments.Add(paths);
        foreach (var option in (Option[])[store, jobs, recursive, only, retry, set])
            command.Options.Add(option);
        events.AddTo(command, paths, canList: false);
        command.SetAction(parsed =>
        {
            var named = events.Of(parsed, parsed.GetValue(paths)!);
            var settings = Settings(parsed.GetValue(set) ?? []).ToDictionary(pair => pair.Key, pair => pair.Value);
            var request = new ExtractRequest(named, StoreAddress.Parse(parsed.GetValue(store)!))
            {
                Options = new ExtractOptions
                {
                    Tables = ExtractOptions.TablesOf([.. Names(parsed.GetValue(only) ?? [])]),
                    Branch = settings.GetValueOrDefault("branch"),
                    Commit = settings.GetValueOrDefault("commit"),
                },
                Jobs = parsed.GetValue(jobs),
                Recursive = parsed.GetValue(recursive),
                RetryFailed = parsed.GetValue(retry),
            };
            return Run(parsed, named, request);
        });
        return command;
    }

    /// <summary>The hidden command that worker processes run.</summary>
    public static Command CreateWorker()
    {
        var command = new Command(WorkerProgram.Command, "Reads traces for 'esp-analyze extract'.") { Hidden = true };
        command.SetAction(parsed =>
        {
            // Ctrl+C reaches all processes of the terminal; the coordinator stops its workers itself.
            using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, context => context.Cancel = true);
            new ExtractWorker(Console.In, parsed.InvocationConfiguration.Output, () => Environment.Exit(ExitCode.Done)).Run();
            return ExitCode.Done;
        });
        return command;
    }

    private static int Run(ParseResult parsed, string[] paths, ExtractRequest request)
    {
        using var end = new CancellationTokenSource();
        using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, End);
        using var termination = PosixSignalRegistration.Create(PosixSignal.SIGTERM, End);
        ExtractSummary? summary = null;
        var progress = ReadProgress.Current;
        var code = ReportAction.Guarded(
            parsed,
            paths,
            () => summary = ExtractRun.Run(request, WorkerProgram.Find(), done => Show(progress, done), end.Token)
        );
        if (summary is null)
            return code;
        foreach (var line in ExtractSummaryText.Lines(summary))
            parsed.InvocationConfiguration.Output.WriteLine(line);
        return summary.IsInterrupted ? ExitCode.Interrupted
            : summary.Traces == 0 ? ExitCode.Unreadable
            : ExitCode.Done;

        void End(PosixSignalContext context)
        {
            context.Cancel = true;
            end.Cancel();
        }
    }

    private static void Show(ReadProgress? progress, ExtractProgress done)
    {
        if (progress is not null)
            progress.Elsewhere = new ReadStep(
                string.Create(CultureInfo.InvariantCulture, $"extracting, {done.TracesDone} of {Plural.Of(done.Traces, "trace")} done"),
                done.BytesDone,
                done.Bytes
            );
    }

    private static IEnumerable<string> Selectable() => StoreSchema.Tables.Except(StoreSchema.Always).Select(table => table.Name);

    private static IEnumerable<string> Names(IEnumerable<string> values) =>
        values.SelectMany(value => value.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries));

    private static IEnumerable<(string Key, string Value)> Settings(IEnumerable<string> values) =>
        Names(values)
            .Select(pair => pair.Split('=', 2))
            .Select(pair => (pair[0].Trim().ToLowerInvariant(), pair.Length > 1 ? pair[1].Trim() : ""));

    private static void CheckStore(OptionResult result)
    {
        if (result.Tokens.Count != 1)
            return;
        try
        {
            if (StoreAddress.Parse(result.Tokens[0].Value).Selection.Length > 0)
                result.AddError("a selection applies only to a store that is read", "leave out the # and what follows it");
        }
        catch (StoreException exception)
        {
            result.AddError($"'{result.Tokens[0].Value}' does not name a store", exception.Problem.Fix);
        }
    }

    private static void CheckTables(OptionResult result)
    {
        foreach (var name in Names(result.Tokens.Select(token => token.Value)).Where(name => StoreSchema.MeantBy(name).Count == 0))
            result.AddError($"there is no table '{name}'", NameChoice.Advice(name, Selectable()));
    }

    private static void CheckSettings(OptionResult result)
    {
        var settings = Settings(result.Tokens.Select(token => token.Value)).ToList();
        foreach (var (key, value) in settings.Where(pair => pair.Key is not ("branch" or "commit") || pair.Value.Length == 0))
            result.AddError(
                $"'{key}{(value.Length > 0 ? "=" + value : "")}' is not a setting",
                "write branch=NAME, commit=HASH or both, with a comma between them"
            );
        foreach (var key in settings.GroupBy(pair => pair.Key).Where(group => group.Count() > 1).Select(group => group.Key))
            result.AddError($"{key} is set twice", "set it once");
    }
}
