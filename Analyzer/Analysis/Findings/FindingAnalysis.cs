using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Analysis.FirstCalls;
using EtwSerializerProfiler.Analysis.Flames;
using EtwSerializerProfiler.Analysis.Gc;
using EtwSerializerProfiler.Analysis.Jit;
using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Analysis.Requests;
using EtwSerializerProfiler.Analysis.Runs;
using EtwSerializerProfiler.Analysis.Timelines;
using EtwSerializerProfiler.Analysis.Waits;
using EtwSerializerProfiler.Analysis.XmlCode;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Reads the input of the rules and applies them.</summary>
public static class FindingAnalysis
{
    /// <summary>
    /// Analyzes the input. Reads each file twice for runs, costs, methods and the code of XmlSerializer, and once for all kinds of events
    /// together; once more if there are long pauses, and twice for waits of programs without marks.
    /// </summary>
    /// <param name="input">The trace input.</param>
    /// <param name="problems">Known problems of the input, one sentence each.</param>
    /// <param name="files">Symbols of libraries and of the kernel.</param>
    /// <param name="flames">Receives the stacks of the measured runs in the same passes; null when not requested.</param>
    /// <param name="timeline">Receives the timeline; null when not requested. With it the stacks of waits are kept, too.</param>
    /// <returns>The input of the rules; its result has all findings.</returns>
    /// <exception cref="IOException">A file became unreadable.</exception>
    public static FindingInput Run(
        TraceInput input,
        IReadOnlyList<string> problems,
        SymbolFiles files,
        FlameReading? flames = null,
        TimelineReading? timeline = null
    )
    {
        var read = Read(input, problems, files, flames, timeline);
        return read with { Result = read.Result with { Findings = FindingRules.Check(read) } };
    }

    /// <summary>Reads the input of the rules, and applies only those that need just the result.</summary>
    /// <inheritdoc cref="Run"/>
    /// <param name="input">The trace input.</param>
    /// <param name="problems">Known problems of the input, one sentence each.</param>
    /// <param name="files">Symbols of libraries and of the kernel.</param>
    /// <param name="flames">Receives the stacks of the measured runs in the same passes; null when not requested.</param>
    /// <param name="timeline">Receives the timeline; null when not requested.</param>
    /// <param name="byMethod">
    /// Whether to break causes and compilations down by method; no rule uses that (<see cref="FindingInput.Compilations"/>,
    /// <see cref="Causes.CauseTimes.Methods"/>).
    /// </param>
    public static FindingInput Read(
        TraceInput input,
        IReadOnlyList<string> problems,
        SymbolFiles files,
        FlameReading? flames = null,
        TimelineReading? timeline = null,
        bool byMethod = false
    )
    {
        ArgumentNullException.ThrowIfNull(input);

        // Users can go to lines of their own programs; the source of the suite's libraries is not available.
        var symbols = new SymbolReading(
            files,
            withLines: flames is not null && !input.Recordings.Any(recording => recording.Description.BuiltInSuite)
        );
        var methods = new MethodCostReading(symbols, flames);
        var xmlCode = new XmlCodeReading();
        var result = RunAnalysis.Run(
            input.Processes,
            problems,
            symbols,
            new RunReaders(timeline is null ? [methods, xmlCode] : [methods, xmlCode, timeline]),
            causeMethods: byMethod,
            recordings: input.Recordings,
            leftOut: input.LeftOut
        );
        var (processes, runs) = (input.Processes, result.Runs);
        var (measured, all) = (new EventQuery(new RunFilter(), null), new EventQuery(new RunFilter { AllKinds = true }, null));
        var locks = Recorded(() => LockAnalysis.Begin(processes, runs, measured, symbols));
        var exceptions = Recorded(() => ExceptionAnalysis.Begin(processes, runs, measured, symbols, input.Recordings));
        var gcs = Recorded(() => GcAnalysis.Begin(processes, runs, all, symbols, GcGrouping.Method));
        var allocations = Recorded(() => AllocationAnalysis.Begin(processes, runs, measured, AllocationGrouping.Type, symbols));
        var byOwn = Recorded(() => AllocationAnalysis.Begin(processes, runs, measured, AllocationGrouping.Own, symbols));
        var firstCalls = Recorded(() => FirstCallAnalysis.Begin(processes, runs, new RunFilter()));
        var requests = WaitTables.IsProgram(runs) ? Recorded(() => RequestAnalysis.Begin(processes, runs, measured, symbols)) : null;
        var compilations = byMethod ? Recorded(() => JitAnalysis.Begin(processes, runs, measured, symbols)) : null;
        var results = TraceReading.Read([
            .. locks?.Requests ?? [],
            .. exceptions?.Requests ?? [],
            .. gcs?.Requests ?? [],
            .. allocations?.Requests ?? [],
            .. byOwn?.Requests ?? [],
            .. firstCalls?.Requests ?? [],
            .. requests?.Requests ?? [],
            .. compilations?.Requests ?? [],
        ]);
        var collected = gcs?.Result(results);
        return new FindingInput(result)
        {
            Recordings = input.Recordings,
            LeftOut = input.LeftOut,
            Flames = flames,
            Methods = methods.Result(),
            Locks = locks?.Result(results),
            Exceptions = exceptions?.Result(results).AllRows,
            Gcs = collected,
            LongPauses = collected is null ? null : LongPauseAnalysis.Run(processes, collected.AllRows, symbols),
            Allocations = allocations?.Result(results),
            AllocationsByOwn = byOwn?.Result(results),
            FirstCalls = firstCalls?.Result(results),
            XmlCode = xmlCode.Result(runs),
            Requests = requests?.Result(results),
            Compilations = compilations?.Result(results).AllRows,
            Waits = WaitTables.IsProgram(runs)
                ? Recorded(() =>
                    WaitAnalysis.Run(processes, runs, measured, symbols, WaitGrouping.Method, withStacks: timeline is not null)
                )
                : null,
        };
    }

    /// <summary>Returns null if the data was not recorded, or if no run needs it.</summary>
    private static T? Recorded<T>(Func<T> begin)
        where T : class
    {
        try
        {
            return begin();
        }
        catch (Exception exception) when (exception is NotRecordedException or NoRunMatchesException)
        {
            return null;
        }
    }
}
