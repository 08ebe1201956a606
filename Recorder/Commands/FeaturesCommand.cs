using System.CommandLine;
using System.Text;
using EtwSerializerProfiler.CommandLine.Completion;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Reports.Features;
using EtwSerializerProfiler.Sessions.Publishing;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary>
/// <c>esp-record features</c>: shows the features of each serializer of the built-in suite, which tries them in separate processes.
/// </summary>
internal sealed class FeaturesCommand : Command
{
    private readonly FeatureOptionSet _options = new();
    private readonly Option<FeatureFormat> _format = new Option<FeatureFormat>("--format", "-format", "-f")
    {
        Description = "Format of the table; csv has a line per cell.",
        HelpName = "table|markdown|csv",
    }.ByName();
    private readonly Option<string> _out = new("--out", "-out", "-o", "--output")
    {
        Description = "File for the table (default: standard output).",
        HelpName = "FILE",
    };
    private readonly Option<bool> _notes = new("--notes", "-notes")
    {
        Description = "Add why a feature does not work, or only with an option: the exception, or what was lost.",
    };
    private readonly RuntimeOptions _runtime = new();

    public FeaturesCommand()
        : base(FeatureOptions.Verb, FeatureOptionSet.Description)
    {
        this.WithExamples(
            ("esp-record features", "Which features does each serializer have: cycles, polymorphism, versions …?"),
            (
                "esp-record features -serializer MemoryPack,MessagePack --format markdown --out features.md",
                "Compare two serializers in a Markdown table."
            )
        );
        foreach (var option in (Option[])[.. _options.All, _format, _notes, _out])
            Options.Add(option);
        _runtime.AddTo(this, precompile: false);
        _options.Serializer.CompleteList(SuiteCompletions.Serializers);
        SetAction(RunAsync);
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellation)
    {
        if (BuiltInSuite.Missing is { } missing)
            return parsed.Fail(missing, ExitCode.NotPossible);
        var path = parsed.GetValue(_out) ?? "";
        var targets = _runtime.IsGiven(parsed) ? _runtime.Targets(parsed) : [];
        if (targets.Count > 1 && path.Length > 0)
            return parsed.Fail(
                new Problem(
                    "the file can hold the table of only one runtime",
                    $"{_out.Name} {path}",
                    $"name one runtime, or leave {_out.Name} out"
                ),
                ExitCode.Usage
            );
        try
        {
            // Opened first, so that an invalid name is reported at once and not after a minute.
            await using var file = path.Length > 0 ? new StreamWriter(path, append: false) : null;
            return await PrintAsync(parsed, targets, (TextWriter?)file ?? Verbosity.Output(parsed), cancellation).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return parsed.Fail(exception, $"{_out.Name} {path}", ExitCode.Usage);
        }
    }

    private async Task<int> PrintAsync(
        ParseResult parsed,
        IReadOnlyList<RuntimeTarget> targets,
        TextWriter output,
        CancellationToken cancellation
    )
    {
        if (targets.Count == 0)
            return await PrintAsync(parsed, RuntimePlan.OfShipped(BuiltInSuite.Shipped), output, cancellation).ConfigureAwait(false);
        var plan = await PublishedSuites.PlanAsync(parsed, targets, PrecompileMode.Off, cancellation).ConfigureAwait(false);
        var suites = new PublishedSuites(parsed);
        await suites.PublishAsync(plan, cancellation).ConfigureAwait(false);
        var exitCode = suites.Problems.Count > 0 ? ExitCode.NotPossible : ExitCode.Done;
        foreach (var build in suites.Ready)
        {
            if (await PrintAsync(parsed, build, output, cancellation).ConfigureAwait(false) is not ExitCode.Done and var failed)
                exitCode = failed;
        }

        return exitCode;
    }

    private async Task<int> PrintAsync(ParseResult parsed, PublishPlan build, TextWriter output, CancellationToken cancellation)
    {
        using var cells = new StringWriter();
        var exitCode = await SuiteProcess.RunAsync(build, _options.Read(parsed).ToArguments(), cells, cancellation).ConfigureAwait(false);
        if (exitCode != ExitCode.Done)
            return exitCode;
        var format = parsed.GetValue(_format);
        if (format == FeatureFormat.Csv)
        {
            await output.WriteAsync(cells.ToString()).ConfigureAwait(false);
            return ExitCode.Done;
        }

        using var csv = new MemoryStream(Encoding.UTF8.GetBytes(cells.ToString()));
        var table = FeatureCell.Read(csv, $"the suite of {build.Label}");
        if (format == FeatureFormat.Markdown)
            FeatureReport.WriteMarkdown(table, output);
        else
            FeatureReport.WriteText(table, parsed.GetValue(_notes), output);
        return ExitCode.Done;
    }
}

/// <summary>Formats of the feature table; values of <c>--format</c>.</summary>
internal enum FeatureFormat
{
    /// <summary>A grid for a terminal.</summary>
    Table = 0,

    /// <summary>GitHub's Markdown.</summary>
    Markdown = 1,

    /// <summary>A line per cell.</summary>
    Csv = 2,
}
