using EtwSerializerProfiler.Analysis.Allocation;
using EtwSerializerProfiler.Analysis.Collections;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Exceptions;
using EtwSerializerProfiler.Analysis.FirstCalls;
using EtwSerializerProfiler.Analysis.Locks;
using EtwSerializerProfiler.Analysis.XmlCode;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Findings;

/// <summary>Reads all that the rules look at, and applies them.</summary>
public static class FindingAnalysis
{
    /// <summary>Analyses what was read. The files are read twice for runs, costs and methods, once more for each other kind of events that was recorded.</summary>
    /// <param name="input">What was opened.</param>
    /// <param name="problems">What is known to be missing from it, a sentence each.</param>
    /// <param name="files">Symbols of libraries and of the kernel.</param>
    /// <returns>What was read; its result has all findings.</returns>
    /// <exception cref="IOException">A file cannot be read any more.</exception>
    public static FindingInput Run(TraceInput input, IReadOnlyList<string> problems, SymbolFiles files)
    {
        var read = Read(input, problems, files);
        return read with { Result = read.Result with { Findings = FindingRules.Check(read) } };
    }

    /// <summary>Reads what the rules look at, and applies none of those that need more than the result.</summary>
    /// <inheritdoc cref="Run"/>
    public static FindingInput Read(TraceInput input, IReadOnlyList<string> problems, SymbolFiles files)
    {
        ArgumentNullException.ThrowIfNull(input);
        var methods = new MethodCostReading(files);
        var result = RunAnalysis.Run(input.Processes, problems, files, methods, recordings: input.Recordings);
        var (measured, all) = (new EventQuery(new RunFilter(), null), new EventQuery(new RunFilter { AllKinds = true }, null));
        var collections = Recorded(() => CollectionAnalysis.Run(input.Processes, result.Runs, all, files));
        return new FindingInput(result)
        {
            Recordings = input.Recordings,
            Methods = methods.Result(),
            Locks = Recorded(() => LockAnalysis.Run(input.Processes, result.Runs, measured, files))?.AllRows,
            Exceptions = Recorded(() => ExceptionAnalysis.Run(input.Processes, result.Runs, measured, files))?.AllRows,
            Collections = collections,
            LongPauses = collections is null ? null : LongPauseAnalysis.Run(input.Processes, collections.AllRows, files),
            Allocations = Recorded(() => AllocationAnalysis.Run(input.Processes, result.Runs, measured, AllocationGrouping.Type, files)),
            FirstCalls = result.Runs.Any(run => run.Identity.Kind == RunKind.FirstCall && run.Error.Length == 0) ? FirstCallAnalysis.Run(input.Processes, result.Runs, new RunFilter()) : null,
            XmlCode = XmlCodeAnalysis.Run(input.Processes, result.Runs),
        };
    }

    /// <summary>What was recorded; null when it was not, or when no run asks for it.</summary>
    private static T? Recorded<T>(Func<T> read)
        where T : class
    {
        try
        {
            return read();
        }
        catch (Exception exception) when (exception is NotRecordedException or NoRunMatchesException)
        {
            return null;
        }
    }
}
