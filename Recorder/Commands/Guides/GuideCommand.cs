using System.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports.Guides;
using EtwSerializerProfiler.Sessions.Publishing;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Recorder.Commands.Guides;

/// <summary>
/// <c>esp-record guide</c>: records all that a choice of serializer needs, step by step, and writes it as one page, Markdown and JSON.
/// </summary>
internal sealed class GuideCommand : Command
{
    private readonly Option<string> _out = new("--out", "-o", "--output")
    {
        Description = "Folder of the guide; the same folder again continues an interrupted guide.",
        HelpName = "DIR",
        DefaultValueFactory = _ => Path.Combine(RecordCommand.DefaultParent, "guide"),
    };

    private readonly Option<bool> _quick = new("--quick")
    {
        Description = "Four object counts up to 100,000 unless -n names others, four runs (default).",
    };

    private readonly Option<bool> _full = new("--full")
    {
        Description = "1 to 1,000,000 objects, eight runs, precompiled code, all runtimes of this machine.",
    };

    private readonly Option<string> _compare = new("--compare")
    {
        Description = "guide.json of an earlier guide: mark what changed beyond noise. On a finished guide it records nothing.",
        HelpName = "OLDER.json",
        Arity = ArgumentArity.ExactlyOne,
    };

    private readonly Option<bool> _dryRun = new("--dry-run")
    {
        Description = "Print the steps and which of them are done; record nothing.",
    };

    private readonly RuntimeOptions _runtime = new();
    private readonly SuiteOptionSet _suite = new();

    public GuideCommand()
        : base(
            "guide",
            "Which serializer? Records throughput, causes, first calls, features, scenarios and runtimes, and writes them as "
                + "one page, Markdown and JSON."
        )
    {
        this.WithExamples(
            ("esp-record guide --dry-run", "Which steps would be made?"),
            ("esp-record guide --out guide", "Make the guide of this machine; again to continue after an interruption."),
            ("esp-record guide -serializer MemoryPack,#SystemTextJson -data MyData.dll", "Compare two serializers with data of your own."),
            ("esp-record guide --out guide --compare older/guide.json", "What changed beyond noise since an earlier guide?")
        );
        Options.Add(_out);
        Options.Add(_quick);
        Options.Add(_full);
        Options.Add(_compare);
        Options.Add(_dryRun);
        _runtime.AddTo(this, precompile: false);
        foreach (var option in Offered)
            Options.Add(option);
        SuiteCompletions.Set(_suite);
        this.Check(result =>
        {
            if (result.GetValue(_quick) && result.GetValue(_full))
                result.AddError("--quick and --full exclude each other", "leave one of them out");
            if (result.GetValue(_compare) is { } older && result.GetValue(_out) is { } written && IsWritten(older, written))
                result.AddError(
                    $"--compare names the file that this guide writes: {older}",
                    "copy the earlier guide, or use another --out"
                );
        });
        SetAction(RunAsync);
    }

    /// <summary>Options of the suite that a guide leaves to the user.</summary>
    private IReadOnlyList<Option> Offered =>
        [_suite.Serializer, _suite.ObjectCount, _suite.Data, _suite.Plugin, _suite.Payload, _suite.Seed];

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellation)
    {
        var folder = parsed.GetValue(_out)!;
        OlderGuide? older = null;
        try
        {
            if (parsed.GetValue(_compare) is { } path)
                older = OlderGuide.Read(path);
        }
        catch (TraceFormatException exception)
        {
            return parsed.Fail(exception.Problem, ExitCode.Unreadable);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return parsed.Fail(
                SystemProblem.Of(exception, parsed.GetValue(_compare)!, "name a file that you may read"),
                ExitCode.Unreadable
            );
        }

        if (BuiltInSuite.Missing is { } missing)
            return parsed.Fail(missing, ExitCode.NotPossible);
        var machine = await RuntimeMachine.ReadAsync(BuiltInSuite.DotNetRoot, cancellation).ConfigureAwait(false);
        var level = parsed.GetValue(_full) ? GuideLevel.Full : GuideLevel.Quick;
        var plan = new GuidePlan(level, SuiteOptionsOf(parsed), _runtime.IsGiven(parsed) ? _runtime.Targets(parsed) : [], machine);
        var planned = plan.Steps();
        GuideSteps steps;
        try
        {
            if (GuideSteps.Read(folder) is not { } begun)
                steps = new GuideSteps(GuideSteps.CurrentSchema, RecordingAction.ToolVersion, planned)
                {
                    Command = CommandOf(parsed),
                    LeftOut = plan.LeftOut,
                };
            else if (IsSame(begun.Steps, planned))
                steps = begun;
            else
                return parsed.Fail(OtherSteps(folder), ExitCode.Usage);
            var isDryRun = parsed.GetValue(_dryRun);
            var progress = Verbosity.IsQuiet(parsed) ? TextWriter.Null : parsed.InvocationConfiguration.Error;
            Print(steps, isDryRun ? parsed.InvocationConfiguration.Output : progress);
            foreach (var leftOut in steps.LeftOut)
                parsed.Messages().Note($"{leftOut.Key} is left out: {leftOut.Reason}; {leftOut.Fix}");
            foreach (var note in plan.Notes)
                parsed.Messages().Note(note);
            if (isDryRun)
                return ExitCode.Done;
            Directory.CreateDirectory(folder);
            var runner = new GuideRunner(
                folder,
                steps,
                progress,
                static (arguments, output, error) => EspRecord.RunAsync(arguments, output, error)
            );
            var code = await runner.RunAsync().ConfigureAwait(false);
            foreach (var step in runner.Failed)
                parsed.Messages().Loss($"step {step.Key} failed: {step.Outcome}; the same command tries it again");
            var guide = GuideBuilder.Build(folder, older);
            GuideBuilder.Write(guide, folder);
            await parsed.InvocationConfiguration.Output.WriteAsync(Answer(guide, folder)).ConfigureAwait(false);
            return code == ExitCode.Interrupted ? parsed.Fail(Interrupted(folder), code) : code;
        }
        catch (TraceFormatException exception)
        {
            return parsed.Fail(exception.Problem, ExitCode.Unreadable);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return parsed.Fail(SystemProblem.OfWriting(exception, folder, "use another folder: --out"), ExitCode.Usage);
        }
    }

    private SuiteOptions SuiteOptionsOf(ParseResult parsed) =>
        new()
        {
            Serializers = parsed.GetValue(_suite.Serializer) ?? [],
            ObjectCounts = parsed.GetValue(_suite.ObjectCount) ?? [],
            Data = parsed.GetValue(_suite.Data) ?? "",
            Plugins = parsed.GetValue(_suite.Plugin) ?? [],
            PayloadBytes = parsed.GetValue(_suite.Payload),
            Seed = parsed.GetResult(_suite.Seed) is { Implicit: false } ? parsed.GetValue(_suite.Seed) : null,
        };

    /// <summary>Whether a folder's steps are those of this command line.</summary>
    private static bool IsSame(IReadOnlyList<GuideStep> begun, IReadOnlyList<GuideStep> planned) =>
        begun.Select(step => (step.Key, step.Command)).SequenceEqual(planned.Select(step => (step.Key, step.Command)));

    private static Problem OtherSteps(string folder) =>
        new("this folder has a guide with other steps", folder, "use the options of that guide to continue it, or another --out");

    private static Problem Interrupted(string folder) =>
        new("interrupted; the steps that are done are kept", folder, "call the same command again to continue");

    private static void Print(GuideSteps steps, TextWriter output)
    {
        foreach (var (step, number) in steps.Steps.Select((step, index) => (step, index + 1)))
        {
            output.WriteLine(FormattableString.Invariant($"{number,2}. {step.What} ({GuideTime.Of(step)})"));
            output.WriteLine($"    {step.Command}");
        }

        output.WriteLine(
            $"Time: {GuideTime.Left(steps.Steps)}, estimated for a quiet machine of two processors; a busy or slower one takes longer"
        );
    }

    /// <summary>The command line that continues the guide: without what a call may add to it.</summary>
    private string CommandOf(ParseResult parsed)
    {
        var words = parsed.Tokens.Select(token => token.Value).SkipWhile(word => word != Name).ToList();
        words.Remove(_dryRun.Name);
        if (words.IndexOf(_compare.Name) is >= 0 and var at)
            words.RemoveRange(at, 2);
        return "esp-record " + string.Join(' ', words.Select(word => word.Contains(' ', StringComparison.Ordinal) ? $"\"{word}\"" : word));
    }

    /// <summary>Whether a file is the guide.json that a guide in a folder writes.</summary>
    private static bool IsWritten(string file, string folder) =>
        Path.GetFullPath(file) == Path.GetFullPath(Path.Combine(folder, GuideBuilder.FileNames[^1]));

    /// <summary>The decision table in words, and the page.</summary>
    private static string Answer(Guide guide, string folder)
    {
        using var text = new StringWriter();
        var part = guide.Parts[0];
        if (part.Tables is [var needs, ..])
        {
            var width = needs.Texts.Max(row => row[0].Length);
            text.WriteLine($"{"Need".PadRight(width)}  Fastest that fits");
            foreach (var row in needs.Texts)
                text.WriteLine($"{row[0].PadRight(width)}  {row[1]}");
        }
        else
        {
            text.WriteLine($"{part.Title} {part.Missing}");
        }

        if (guide.Compared is { } compared)
        {
            foreach (var line in compared.Texts)
                text.WriteLine(line);
        }

        text.WriteLine($"Guide: {Path.Combine(folder, GuideBuilder.FileNames[0])}");
        return text.ToString();
    }
}
