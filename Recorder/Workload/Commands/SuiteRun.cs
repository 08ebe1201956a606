using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Results;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Runs.Isolation;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Commands;

/// <summary>A call of the suite with parsed options and open files.</summary>
/// <param name="options">The options.</param>
/// <param name="serializers">The participating serializers.</param>
/// <param name="outputs">Receivers of results.</param>
/// <param name="console">Receives results and errors.</param>
/// <param name="stop">Requests to end.</param>
internal sealed class SuiteRun(
    SuiteOptions options,
    IReadOnlyList<SerializerDescription> serializers,
    SuiteOutputs outputs,
    SuiteConsole console,
    CancellationToken stop
)
{
    /// <summary>Time limit of a first-call process; the slowest first calls take about a second.</summary>
    private static readonly TimeSpan s_firstCallLimit = TimeSpan.FromSeconds(60);

    private readonly RunPlan _plan = RunPlan.Of(options, serializers);

    private int ExitCodeOfErrors =>
        stop.IsCancellationRequested ? ExitCode.Interrupted
        : console.Errors > 0 ? ExitCode.Failed
        : ExitCode.Done;

    /// <summary>Runs everything in this process, which is the only launch or one of several.</summary>
    /// <param name="launch">Number of the launch, from 1; 0 for the only one.</param>
    /// <param name="later">Options of the later launches.</param>
    public int Here(int launch, IEnumerable<SuiteOptions> later)
    {
        Run(runner =>
        {
            runner.OtherRuns = (launch > 1 ? outputs.RunsBefore : 0) + later.Sum(options => RunPlan.Of(options, serializers).TotalRuns);
            runner.Run(_plan);
            Finish(runner);
        });
        return ExitCodeOfErrors;
    }

    /// <summary>Runs each launch in a separate process.</summary>
    /// <param name="ownArguments">Arguments other than the suite's options: files to write.</param>
    public int Launched(IReadOnlyList<string> ownArguments)
    {
        var exitCode = new LaunchRunner(ChildProcess.OfThisExecutable(Timeout.InfiniteTimeSpan), console, stop).Run(options, ownArguments);
        return Math.Max(exitCode, ExitCodeOfErrors);
    }

    /// <summary>Runs first calls, then each serializer in separate processes.</summary>
    /// <param name="ownArguments">Arguments other than the suite's options: files to write.</param>
    public int Isolated(IReadOnlyList<string> ownArguments)
    {
        var exitCode = ExitCode.Done;
        var isolated = new IsolatedRunner(
            ChildProcess.OfThisExecutable(Timeout.InfiniteTimeSpan),
            console,
            Console.Out,
            options,
            serializers,
            stop
        );
        Run(runner =>
        {
            runner.OtherRuns = isolated.PlannedRuns;
            runner.Run(new RunPlan([.. _plan.Series.Where(series => series.Kind == RunKind.FirstCall)]));
            exitCode = isolated.Run(ownArguments, runner.OwnRuns);
            Finish(runner);
        });
        return Math.Max(exitCode, ExitCodeOfErrors);
    }

    /// <summary>Runs the only serializer of this process in the phases that its launcher requests.</summary>
    public int InPhases()
    {
        var ended = new CancellationTokenSource(); // not disposed, because the input may end after this method
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stop, ended.Token);
        var gate = new PhaseGate(new StreamReader(Console.OpenStandardInput()), Console.Out, ended.Cancel);
        var isDone = false;
        Run(runner => isDone = runner.Run(_plan, gate), either.Token);
        return isDone ? ExitCodeOfErrors : ExitCode.Interrupted;
    }

    private void Finish(SuiteRunner runner)
    {
        if (options.Verify)
            runner.Verify(_plan);
        if (options.Keep.Length > 0)
            KeptData.Write(_plan, options.Keep, console, stop);
    }

    private void Run(Action<SuiteRunner> run, CancellationToken? end = null)
    {
        using var clock = new RunClock();
        using var firstCalls = new FirstCallRunner(ChildProcess.OfThisExecutable(s_firstCallLimit), options.Stream, outputs.RunsFile);
        var memory = options.Steady ? SpeedMemory.OfThisUser() : null;
        var remembered = memory?.Read();
        var steady = options.Steady ? new SteadyMachine(SpeedProbe.Nanoseconds, Thread.Sleep, remembered) : null;
        try
        {
            run(new SuiteRunner(clock, outputs.Runs, firstCalls, console, options.Stream, end ?? stop, outputs.Series, steady));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            console.Error(exception.Message); // a file cannot be written, for example because the disk is full
        }

        if (steady?.Typical is { } speed && speed != remembered) // not rewritten, so that it expires a day after its measurement
            memory?.Write(speed);
    }
}
