using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Findings;
using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Stores.Rows;
using EtwSerializerProfiler.Stores.Schema;
using EtwSerializerProfiler.Stores.Tables;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Stores.Extraction;

/// <summary>Converts a trace to rows.</summary>
public static class TraceExtractor
{
    /// <summary>Tables with rows from events; without them each file is read fewer times.</summary>
    private static readonly StoreTable[] s_ofEvents =
    [
        GcTable.Table,
        AllocationTable.Table,
        ExceptionTable.Table,
        LockTable.Table,
        JitTable.Table,
        FindingTable.Table,
    ];

    /// <summary>Extracts a trace. An unreadable trace gets only a row with the error.</summary>
    /// <param name="unit">The trace.</param>
    /// <param name="content">Its content.</param>
    /// <param name="options">What to extract.</param>
    public static TraceRows Extract(TraceUnit unit, TraceContent content, ExtractOptions options)
    {
        ArgumentNullException.ThrowIfNull(unit);
        ArgumentNullException.ThrowIfNull(content);
        ArgumentNullException.ThrowIfNull(options);
        try
        {
            return RowBuilder.Build(Read(unit.Name, options), Identity(unit, content.Digest, content.Bytes, options), options);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            return Failed(unit, content.Digest, content.Bytes, options, ErrorOf(exception, unit.Name));
        }
    }

    /// <summary>Creates the row of an unreadable trace.</summary>
    /// <param name="unit">The trace.</param>
    /// <param name="digest">Digest of its content; empty when that is unreadable, too.</param>
    /// <param name="bytes">Size of its files.</param>
    /// <param name="options">What was to be extracted.</param>
    /// <param name="error">The error in one line.</param>
    public static TraceRows Failed(TraceUnit unit, string digest, long bytes, ExtractOptions options, string error)
    {
        ArgumentNullException.ThrowIfNull(options);
        return new TraceRows(
            Identity(unit, digest, bytes, options) with
            {
                Status = StoredTrace.Failed,
                Error = error,
                Branch = options.Branch,
                Commit = options.Commit,
            }
        );
    }

    /// <summary>Formats the error of an unreadable trace in one line.</summary>
    public static string ErrorOf(Exception exception, string path)
    {
        var problem = SystemProblem.Of(exception, path, "copy it again, or record again");
        var known = exception is IProblemSource or IOException or UnauthorizedAccessException
            ? problem
            : problem with
            {
                What = $"{exception.GetType().Name}: {problem.What}",
            };
        return string.Join(
            ' ',
            known.ToString().Split(['\r', '\n'], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
        );
    }

    /// <summary>Reads a trace as far as the options need it.</summary>
    /// <param name="path">The trace; may name a part of it.</param>
    /// <param name="options">What to extract.</param>
    /// <exception cref="TraceFormatException">Nothing can be read.</exception>
    /// <exception cref="IOException">A file can no longer be read.</exception>
    public static ExtractedTrace Read(string path, ExtractOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        var input = TraceInputReader.Open([path]);
        var files = SymbolFiles.Of(input);
        if (Array.Exists(s_ofEvents, options.Wants))
        {
            var read = FindingAnalysis.Read(input, input.Missing(), files, byMethod: options.Wants(MethodTable.Table));
            return new ExtractedTrace(
                input,
                read with
                {
                    Result = read.Result with { Findings = FindingRules.Check(read) },
                },
                HasEvents: true
            );
        }

        var result = RunAnalysis.Run(
            input.Processes,
            input.Missing(),
            new SymbolReading(files),
            causes: options.Wants(CauseTable.Table)
                || options.Wants(MethodTable.Table)
                || options.Wants(ResultTable.Table)
                || options.Wants(RunTable.Table),
            causeMethods: options.Wants(MethodTable.Table),
            recordings: input.Recordings
        );
        return new ExtractedTrace(input, new FindingInput(result) { Recordings = input.Recordings }, HasEvents: false);
    }

    private static StoredTrace Identity(TraceUnit unit, string digest, long bytes, ExtractOptions options)
    {
        // Content that is unreadable is identified by its name.
        var key = TraceContent.Key(digest.Length > 0 ? digest : unit.Name, options.Tables);
        return new StoredTrace
        {
            Trace = TraceContent.NameOf(key),
            ContentHash = key,
            Name = unit.Name,
            Status = StoredTrace.Extracted,
            Format = unit.FormatName,
            Bytes = bytes,
            Tables = options.Tables,
        };
    }
}
