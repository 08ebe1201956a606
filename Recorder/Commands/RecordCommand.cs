using System.CommandLine;
using System.Globalization;
using System.Reflection;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Reports;
using EtwSerializerProfiler.Sessions.EventPipe;
using EtwSerializerProfiler.Sessions.Launch;
using EtwSerializerProfiler.Sessions.PerfEvents;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Recorder.Commands;

/// <summary><c>esp-record [record]</c>: records the built-in suite, or the command after <c>--</c>, and prints the table.</summary>
internal sealed class RecordCommand : Command
{
    /// <summary>Folder that recordings go to unless --out says otherwise.</summary>
    public const string DefaultParent = "recordings";

    private static readonly string[] s_sessionNames = [.. EventPipePlan.SessionNames, PerfEventPlan.SessionName];

    private readonly Option<string> _out = new("--out") { Description = $"Folder of the recording (default: {DefaultParent}/<time>).", HelpName = "DIR" };

    private readonly Option<string[]> _sessions = new("--sessions")
    {
        Description = "Sessions to record: clr (collections, exceptions, locks, run marks), code (JIT, marker waits, method names), perf (context switches, CPU samples; Linux).",
        HelpName = "a,b",
        DefaultValueFactory = _ => [.. s_sessionNames],
        AllowMultipleArgumentsPerToken = false,
    };

    private readonly Option<AllocationEvents> _alloc = new("--alloc")
    {
        Description = "Allocation events beside the exact totals: sampled (.NET 10), ticks (any runtime, a session of its own).",
        HelpName = "none|sampled|ticks",
    };

    private readonly Option<int> _sampleRate = new("--sample-rate")
    {
        Description = "CPU samples a second of CPU time, 1 to 100000.",
        HelpName = "HZ",
        DefaultValueFactory = _ => PerfEventPlan.DefaultSampleRateHz,
    };

    private readonly ModeOptions _mode = new();
    private readonly Option<bool> _follow = new("--follow") { Description = "Record every .NET process the command starts, not only the first that is no tool of the SDK." };
    private readonly Option<bool> _dryRun = new("--dry-run") { Description = "Print the command and the sessions, record nothing." };
    private readonly Option<bool> _noAnalyze = new("--no-analyze") { Description = "Do not print the table." };
    private readonly Option<ReportFormat> _format = new("--format") { Description = "Format of the table.", HelpName = "table|csv|json|markdown" };
    private readonly SuiteOptionSet _suite = new();

    /// <summary>The command after <c>--</c>; empty for the built-in suite.</summary>
    private readonly IReadOnlyList<string> _command;

    public RecordCommand(IReadOnlyList<string> command)
        : base("record", "Records the built-in serializer suite, or a program of your own: esp-record -- COMMAND ARGS…")
    {
        _command = command;
        _sessions.CustomParser = result => [.. result.Tokens.SelectMany(token => token.Value.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))];
        _sessions.Validators.Add(result =>
        {
            foreach (var name in result.GetValueOrDefault<string[]>().Where(name => !s_sessionNames.Contains(name)))
                result.AddError($"--sessions: there is no session '{name}'; choose from {string.Join(", ", s_sessionNames)}.");
        });
        _sampleRate.Validators.Add(result =>
        {
            if (result.GetValueOrDefault<int>() is < 1 or > 100_000)
                result.AddError("--sample-rate: choose from 1 to 100000 samples a second.");
        });
        foreach (var option in (Option[])[_out, _sessions, _alloc, _sampleRate, _follow, _dryRun, _noAnalyze, _format])
            Options.Add(option);
        _mode.AddTo(this);
        _suite.AddTo(this);
        Validators.Add(result =>
        {
            if (_command.Count > 0 && _suite.IsAnyGiven(result))
                result.AddError("options of the built-in suite cannot be used with a command of your own after --");
        });
        SetAction(RunAsync);
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellation)
    {
        var builtIn = _command.Count == 0;
        if (builtIn && BuiltInSuite.Missing is { } missing)
            return await FailAsync(missing, ExitCode.NotPossible).ConfigureAwait(false);

        var format = parsed.GetValue(_format);
        var folder = parsed.GetValue(_out) ?? Path.Combine(DefaultParent, DateTime.Now.ToString("yyyy-MM-dd_HH-mm-ss", CultureInfo.InvariantCulture));
        var options = new RecordOptions
        {
            Command = builtIn
                ? [BuiltInSuite.Executable, .. _suite.Read(parsed).ToArguments(), WorkloadOptionSet.CsvName, Path.GetFullPath(Path.Combine(folder, Recording.RunsFileName)), WorkloadOptionSet.QuietName]
                : _command,
            Environment = builtIn ? BuiltInSuite.Environment : new Dictionary<string, string?>(),
            Folder = folder,
            Sessions = EventPipePlan.Create(parsed.GetValue(_sessions)!, parsed.GetValue(_alloc)),
            Kernel = await PlanKernelAsync(parsed).ConfigureAwait(false),
            BuiltInSuite = builtIn,
            FollowAll = builtIn || parsed.GetValue(_follow),

            // Standard output carries the table alone when a program reads it.
            Output = format == ReportFormat.Table ? null : Console.Error,
            ToolVersion = ToolVersion,
        };
        options = _mode.Apply(parsed, options);
        if (parsed.GetValue(_dryRun))
        {
            await PlanPrinter.PrintAsync(options, Console.Out).ConfigureAwait(false);
            return ExitCode.Done;
        }

        try
        {
            var result = await RecordAsync(options, cancellation).ConfigureAwait(false);
            return await ReportAsync(result, format, analyze: !parsed.GetValue(_noAnalyze)).ConfigureAwait(false);
        }
        catch (Exception exception) when (exception is LaunchException or IOException or UnauthorizedAccessException)
        {
            return await FailAsync(exception.Message, exception is LaunchException ? ExitCode.NotPossible : ExitCode.Usage).ConfigureAwait(false);
        }
    }

    /// <summary>The kernel session, or one line that says why there is none.</summary>
    private async Task<PerfEventPlan?> PlanKernelAsync(ParseResult parsed)
    {
        if (!parsed.GetValue(_sessions)!.Contains(PerfEventPlan.SessionName))
            return null;
        try
        {
            if (OperatingSystem.IsLinux())
                return PerfEventPlan.Create(PerfEventScope.Launch, parsed.GetValue(_sampleRate));
            await Console.Error.WriteLineAsync("note: no kernel session on this system yet: CPU columns read \"not recorded\"").ConfigureAwait(false);
        }
        catch (PerfEventException exception)
        {
            await Console.Error.WriteLineAsync($"note: no kernel session, CPU columns read \"not recorded\": {exception.Message}").ConfigureAwait(false);
        }

        return null;
    }

    private static string ToolVersion => typeof(RecordCommand).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0] ?? "";

    private static async Task<RecordingResult> RecordAsync(RecordOptions options, CancellationToken cancellation)
    {
        using var interrupt = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        void Interrupt(PosixSignalContext context)
        {
            context.Cancel = true; // the recording ends in order
            interrupt.Cancel();
        }

        using var interrupted = PosixSignalRegistration.Create(PosixSignal.SIGINT, Interrupt);
        using var terminated = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Interrupt);
        using var snapshots = new SnapshotSignal();
        var progress = new ProgressLine(Console.Error, terminal: !Console.IsErrorRedirected);
        try
        {
            return await RecordingRunner.RunAsync(options with { Snapshots = snapshots.Requests }, progress, interrupt.Token).ConfigureAwait(false);
        }
        finally
        {
            progress.Clear();
        }
    }

    private static async Task<int> ReportAsync(RecordingResult result, ReportFormat format, bool analyze)
    {
        var exitCode = ExitCode.Done;
        if (result.Recording.Processes.Count == 0)
        {
            exitCode = ExitCode.NotPossible;
        }
        else if (analyze)
        {
            try
            {
                ReportPrinter.PrintTable(result.Folder, format, Console.Out);
            }
            catch (TraceFormatException exception)
            {
                exitCode = await FailAsync(exception.Message, ExitCode.Unreadable).ConfigureAwait(false);
            }
        }

        foreach (var loss in result.Recording.Losses)
            await Console.Error.WriteLineAsync($"esp-record: {loss}").ConfigureAwait(false);
        if (result.Interrupted)
            return await FailAsync($"interrupted; the partial recording is in {result.Folder}", ExitCode.Interrupted).ConfigureAwait(false);
        if (result.ExitCode is not 0 and { } code)
            return await FailAsync($"the recorded program ended with exit code {code}; the recording is in {result.Folder}", ExitCode.Failed).ConfigureAwait(false);
        return exitCode;
    }

    private static async Task<int> FailAsync(string message, int exitCode)
    {
        await Console.Error.WriteLineAsync($"esp-record: {message}").ConfigureAwait(false);
        return exitCode;
    }
}
