using System.Globalization;
using EtwSerializerProfiler.Analysis;
using EtwSerializerProfiler.Analysis.References;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Traces;
using EtwSerializerProfiler.Traces.Assemblies;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports;

/// <summary>Report on assemblies: their builds, references, and problems of these.</summary>
public static class ReferencesReport
{
    /// <summary>Inspects assemblies and prints the report.</summary>
    /// <param name="paths">Assemblies, and folders that are searched with their sub-folders.</param>
    /// <param name="all">Whether text output has all references, not only notable ones.</param>
    /// <param name="format">Output format.</param>
    /// <param name="output">Receives the output.</param>
    /// <param name="frameworks">Location of the framework's assemblies; null for this machine's.</param>
    /// <returns>The findings.</returns>
    /// <exception cref="TraceFormatException">There are no assemblies.</exception>
    /// <exception cref="IOException">The output cannot be written.</exception>
    public static AnalysisResult Print(
        IReadOnlyList<string> paths,
        bool all,
        ReportFormat format,
        TextWriter output,
        SharedFrameworks? frameworks = null
    )
    {
        var report = Build(paths, all, ReferenceAnalysis.Run(AssemblySet.Open(paths), frameworks ?? SharedFrameworks.OfThisMachine()));
        ReportPrinter.Write(report, format, output);
        return report.Result;
    }

    private static Report Build(IReadOnlyList<string> paths, bool all, ReferenceResult result)
    {
        var set = result.Set;
        var byFile = set.References.ToLookup(reference => reference.From);
        var rows = set
            .Assemblies.Files.Select(file => new AssemblyFileRow(
                file,
                set.PathOf(file),
                byFile[file].Count(),
                byFile[file].Count(IsNotable)
            ))
            .ToList();
        var notable = set.References.Where(IsNotable).ToList();
        var sections = new List<Section>
        {
            Section.Of("rows", "", rows, AssemblyColumns.Files, AssemblyColumns.Files),
            Section.OutsideCsv("references", "", set.References, AssemblyColumns.References).ForPrograms(),
        };
        if (all)
            sections.Add(Section.ForPeople("References", set.References, AssemblyColumns.References));
        else if (notable.Count > 0)
            sections.Add(
                Section.ForPeople(
                    "Notable references (version or key other than requested, unusual flags, missing)",
                    notable,
                    AssemblyColumns.References
                )
            );
        var input = new TraceInput(paths, [], [], false, [], [.. set.Assemblies.Files.Select(file => file.Path)]);
        return new Report(
            "references",
            input,
            AnalysisResult.OfFindings(result.Findings),
            sections,
            all ? [] : [Line($"References: {set.References.Count}, {notable.Count} of them shown; --all shows the others")]
        )
        {
            Header =
            [
                Line(
                    $"Assemblies in {string.Join(", ", paths)}: {Count(AssemblyKind.Managed)} of .NET, {Count(AssemblyKind.Native)} native, {Count(AssemblyKind.Unreadable)} unreadable; none was loaded"
                ),
            ],
            Summary =
            [
                ("managed", Count(AssemblyKind.Managed)),
                ("modules", Count(AssemblyKind.Module)),
                ("native", Count(AssemblyKind.Native)),
                ("unreadable", Count(AssemblyKind.Unreadable)),
                ("references", set.References.Count),
                ("notableReferences", notable.Count),
            ],
        };

        int Count(AssemblyKind kind) => set.Assemblies.Files.Count(file => file.Kind == kind);
    }

    /// <summary>Whether a reference differs from the request, even if the runtime accepts it.</summary>
    private static bool IsNotable(CheckedReference reference) =>
        reference.Status == ReferenceStatus.Missing
        || AssemblyReferenceFlags.IsIllegal(reference.Entry.Flags)
        || (
            reference is { Target.Identity: { } found }
            && (
                found.Version != reference.Entry.Identity.Version
                || (reference.Entry.Identity.IsSigned && found.PublicKeyToken != reference.Entry.Identity.PublicKeyToken)
            )
        );

    private static string Line(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}

/// <summary>A file in the report on assemblies.</summary>
/// <param name="File">The file.</param>
/// <param name="Path">Its path relative to the named folder.</param>
/// <param name="References">Number of its references.</param>
/// <param name="Notable">Number of references in the table of notable ones.</param>
public sealed record AssemblyFileRow(AssemblyFile File, string Path, int References, int Notable)
{
    /// <summary>Whether the file has metadata.</summary>
    public bool IsManaged => File.Kind is AssemblyKind.Managed or AssemblyKind.Module;
}
