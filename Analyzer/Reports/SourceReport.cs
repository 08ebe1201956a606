using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Source;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Sources;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Reports;

/// <summary>The source of methods with the CPU time of each line.</summary>
public static class SourceReport
{
    /// <summary>Number of spaces that replace a tab of the source.</summary>
    private const string Tab = "    ";

    /// <summary>The processor whose code is disassembled, as recordings name it.</summary>
    private const string X64 = nameof(System.Runtime.InteropServices.Architecture.X64);

    /// <summary>
    /// Columns, for programs; people see those with a header. docs/metrics.md defines each; a test holds the two together.
    /// </summary>
    public static IReadOnlyList<Column<SourceRow>> Columns { get; } =
    [
        new("method", null, row => row.Method),
        new("file", null, row => row.File),
        new("cpuMs", "Own ms", row => Cost(row, row.Line.CpuMs), "0.000") { Absent = _ => "" },
        new("inlinedCpuMs", null, row => Cost(row, row.Line.InlinedCpuMs), "0.000"),
        new("inclusiveCpuMs", "Incl. ms", row => Cost(row, row.Line.InclusiveCpuMs), "0.000") { Absent = _ => "" },
        new("samples", null, row => row.Line.Samples, "0"),
        new("line", "Line", row => row.Line.Line, "0"),
        new("text", "Source", row => row.Line.Text.Replace("\t", Tab, StringComparison.Ordinal)) { Shorten = ShortTexts.CutEnd },
        .. CauseColumns.OfLine<SourceRow>(row => row.Instruction is null ? row.Line.Causes : null),
    ];

    /// <summary>Columns for people: the causes of a line in words.</summary>
    private static IReadOnlyList<Column<SourceRow>> ForPeople { get; } = WithWords(Columns);

    /// <summary>Columns with --il or --asm: rows of instructions stand after that of their line.</summary>
    public static IReadOnlyList<Column<SourceRow>> InstructionColumns { get; } =
    [
        .. Columns.Select(column =>
            column.Key switch
            {
                "cpuMs" => column with
                {
                    Value = row =>
                        row.Instruction is { } own
                            ? own.Samples > 0
                                ? own.CpuMs
                                : null
                            : column.Value(row),
                },
                "inlinedCpuMs" or "inclusiveCpuMs" => column with { Value = row => row.Instruction is null ? column.Value(row) : null },
                "samples" => column with { Value = row => row.Instruction?.Samples ?? column.Value(row) },
                "text" => column with { Value = row => row.Instruction?.Text ?? column.Value(row) },
                _ => column,
            }
        ),
        new(
            "kind",
            null,
            row =>
                row.Instruction switch
                {
                    null => "line",
                    { Kind: InstructionKind.Il } => "il",
                    _ => "asm",
                }
        ),
        new("code", null, row => row.Instruction?.Code),
        new("offset", null, row => row.Instruction?.Offset, "0"),
        new(
            "address",
            null,
            row => row.Instruction is { Kind: InstructionKind.MachineCode } own ? Address(own.Start + (ulong)own.Offset) : null
        ),
    ];

    /// <summary>The same for people, who read the line's number once, and a heading before each piece of code.</summary>
    private static IReadOnlyList<Column<SourceRow>> InstructionsForPeople { get; } =
    [
        .. WithWords(InstructionColumns)
            .Where(column => column.Header is not null)
            .Select(column =>
                column.Key switch
                {
                    "causes" => column with { Value = row => row.Instruction is null && row.Heading.Length == 0 ? column.Value(row) : "" },
                    "cpuMs" or "inclusiveCpuMs" => column with
                    {
                        Value = row => row.Heading.Length > 0 ? null : column.Value(row),
                        Absent = _ => "",
                    },
                    "line" => column with
                    {
                        Value = row => row.Instruction is null && row.Heading.Length == 0 ? column.Value(row) : null,
                        Absent = _ => "",
                    },
                    "text" => column with
                    {
                        Value = row =>
                            row.Heading.Length > 0 ? Indent(row) + row.Heading
                            : row.Instruction is { } own ? $"{Indent(row)}{Offset(own)}  {own.Text}"
                            : column.Value(row),
                    },
                    _ => column,
                }
            ),
    ];

    /// <summary>Reads a recording with CPU samples and prints the source.</summary>
    /// <param name="paths">A recording's folder, or files that belong together.</param>
    /// <param name="names">Parts of the names of methods or files; none for the methods of most CPU time.</param>
    /// <param name="filter">Which runs count.</param>
    /// <param name="top">Maximum number of methods; null for all.</param>
    /// <param name="format">Form of the output.</param>
    /// <param name="output">Receives the text.</param>
    /// <param name="pdbs">Folders with PDB files; null for none.</param>
    /// <param name="il">Whether the IL of each line is printed.</param>
    /// <param name="asm">Whether the machine code of each line is printed.</param>
    /// <returns>What is known of the runs, findings included.</returns>
    /// <exception cref="TraceFormatException">
    /// Nothing can be read, there are no CPU samples, or none of them has a line of such a method.
    /// </exception>
    /// <exception cref="NoRunMatchesException">The filter leaves no run over.</exception>
    /// <exception cref="IOException">A file cannot be read, or the output cannot be written.</exception>
    public static AnalysisResult Print(
        IReadOnlyList<string> paths,
        IReadOnlyList<NamePattern> names,
        RunFilter filter,
        int? top,
        ReportFormat format,
        TextWriter output,
        PdbFiles? pdbs = null,
        bool il = false,
        bool asm = false
    )
    {
        ArgumentNullException.ThrowIfNull(names);
        var input = TraceRuns.OpenWithSamples(paths);
        var files = SymbolFiles.Of(input, pdbs);
        var symbols = new SymbolReading(files, withLines: true);
        var samples = new CpuReading(
            new CpuQuery(CpuGrouping.Line, ByInclusive: false, filter, null) { WithInstructions = il || asm },
            symbols
        );
        var result = RunAnalysis.Run(input.Processes, input.Missing(), symbols, samples, causes: false, recordings: input.Recordings);
        var cpu = samples.Result();
        var methods = MethodSource.Of(LineCost.Of(cpu.Rows), names, top, files);
        if (methods.Count == 0)
            throw Nothing(paths[0], cpu, names);
        if (asm && ProcessorProblem(input) is { } problem)
            (asm, cpu) = (false, cpu with { SymbolProblems = [.. cpu.SymbolProblems, problem] });
        if (cpu.Instructions is { } costs)
        {
            methods = [.. methods.Select(method => method.With(costs, il, asm))];
            input = input with { FilesRead = [.. input.FilesRead, .. costs.FilesRead] };
        }

        var report = Build(input, result, cpu, methods);
        ReportPrinter.Write(report, format, output);
        return report.Result;
    }

    /// <summary>Puts the report together.</summary>
    /// <param name="input">What was read.</param>
    /// <param name="result">What came out.</param>
    /// <param name="cpu">The samples by line.</param>
    /// <param name="methods">The methods to be shown.</param>
    public static Report Build(TraceInput input, AnalysisResult result, CpuResult cpu, IReadOnlyList<MethodSource> methods)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(cpu);
        ArgumentNullException.ThrowIfNull(methods);
        var (people, programs) = cpu.Query.WithInstructions ? (InstructionsForPeople, InstructionColumns) : (ForPeople, Columns);
        List<Section> sections =
        [
            Section
                .Of(
                    "rows",
                    "",
                    [.. methods.SelectMany(method => method.Lines.SelectMany(line => RowsOf(method, line)))],
                    programs,
                    programs
                )
                .ForPrograms(),
        ];
        foreach (var method in methods)
        {
            List<SourceRow> rows = [.. method.Lines.SelectMany(line => RowsForPeople(method, line))];
            sections.Add(
                Section.ForPeople(
                    string.Create(CultureInfo.InvariantCulture, $"{method.Method} ({method.File}): {SampledTime.Text(method.CpuMs)}"),
                    rows,
                    SampledTime.Fit(people, rows)
                )
            );
        }
        var closing = string.Create(
            CultureInfo.InvariantCulture,
            $"CPU samples in {Plural.Of(cpu.Runs, "run")}: {cpu.Samples} ({SampledTime.Text(cpu.CpuMs)}); of the leaf frames in managed code {cpu.LinePercent:0.0} % have a line"
        );
        var problems = methods
            .Where(method => method.Problem.Length > 0)
            .Select(method => $"no source of {method.Method}: {method.Problem}")
            .Distinct();
        return new Report(
            "source",
            input,
            result.WithProblems("symbols", [.. cpu.SymbolProblems, .. cpu.Instructions?.Problems ?? [], .. problems]),
            sections,
            [closing]
        );
    }

    /// <summary>Why code cannot be disassembled by what it was recorded on; null when it can.</summary>
    internal static string? ProcessorProblem(TraceInput input) =>
        input
            .Recordings.Select(recording => recording.Description.Host.Architecture)
            .FirstOrDefault(architecture => architecture is not ("" or X64))
            is { } other
            ? $"no machine code: only x64 code is disassembled, and this was recorded on {other}"
            : null;

    /// <summary>The words stand after the time they divide.</summary>
    private static IReadOnlyList<Column<SourceRow>> WithWords(IReadOnlyList<Column<SourceRow>> columns) =>
        [
            .. columns.SelectMany<Column<SourceRow>, Column<SourceRow>>(column =>
                column.Key == "inclusiveCpuMs" ? [column, CauseColumns.LineWords<SourceRow>(row => row.Line.Causes)] : [column]
            ),
        ];

    private static IEnumerable<SourceRow> RowsOf(MethodSource method, CostedLine line)
    {
        var row = new SourceRow(method.Method, method.File, line);
        return line.Instructions.Select(instruction => row with { Instruction = instruction }).Prepend(row);
    }

    /// <summary>The rows with a heading before each piece of machine code.</summary>
    private static IEnumerable<SourceRow> RowsForPeople(MethodSource method, CostedLine line)
    {
        CostedInstruction? before = null;
        foreach (var row in RowsOf(method, line))
        {
            if (
                row.Instruction is { Kind: InstructionKind.MachineCode } own
                && (before?.Kind != own.Kind || before.Start != own.Start || before.Code != own.Code)
            )
                yield return row with
                {
                    Instruction = null,
                    Heading = $"{own.Code} at {Address(own.Start)}",
                };
            before = row.Instruction;
            yield return row;
        }
    }

    private static string Address(ulong address) => string.Create(CultureInfo.InvariantCulture, $"0x{address:x}");

    private static string Offset(CostedInstruction instruction) =>
        string.Create(CultureInfo.InvariantCulture, $"{(instruction.Kind == InstructionKind.Il ? "IL_" : "+0x")}{instruction.Offset:x4}");

    /// <summary>Four columns to the right of the line's own text.</summary>
    private static string Indent(SourceRow row)
    {
        var text = row.Line.Text.Replace("\t", Tab, StringComparison.Ordinal);
        return new string(' ', text.Length - text.TrimStart().Length) + Tab;
    }

    private static double? Cost(SourceRow row, double milliseconds) => row.Line.InclusiveCpuMs > 0 ? milliseconds : null;

    private static TraceFormatException Nothing(string path, CpuResult cpu, IReadOnlyList<NamePattern> names)
    {
        var found =
            cpu.LeavesWithLine > 0 || cpu.Rows.Any(row => row.Line is not null)
                ? names.Count == 0
                    ? "lines that only call others; --of NAME shows them"
                    : $"samples in lines, none of them of '{string.Join(',', names.Select(name => name.Text))}'"
                : "no samples in lines";
        return new TraceFormatException(
            path,
            null,
            "samples with source lines",
            found,
            "see what there is with 'esp-analyze cpu --by line'; lines need code whose statements are known (of a program that esp-record started or attached to, of a trace with a rundown, or precompiled) and its PDB: embedded, beside the assembly, or in --symbols PATH"
        );
    }
}

/// <summary>A line of a method.</summary>
/// <param name="Method">Full name of the method.</param>
/// <param name="File">Path of the source file as the compiler had it.</param>
/// <param name="Line">The line.</param>
public sealed record SourceRow(string Method, string File, CostedLine Line)
{
    /// <summary>An instruction of the line, which the row is of then; null for a row of the line.</summary>
    public CostedInstruction? Instruction { get; init; }

    /// <summary>Names the piece of code of the next rows, for people; empty for other rows.</summary>
    public string Heading { get; init; } = "";
}
