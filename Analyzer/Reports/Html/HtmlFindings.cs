using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Reports.Columns;
using EtwSerializerProfiler.Reports.Writers;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Writes the findings, and the origin of the numbers.</summary>
internal static class HtmlFindings
{
    public static void Write(HtmlWriter html, HtmlReport report)
    {
        if (report.Findings.Count == 0)
            html.Element("p", "None.", ("class", "empty"));
        foreach (var finding in report.Findings)
        {
            html.Open("details", ("class", "finding"));
            html.Open("summary")
                .Element("span", finding.Kind.ToString(), ("class", "badge " + finding.Kind.ToString().ToLowerInvariant()))
                .Text(" ")
                .Element("code", finding.Code)
                .Text(" " + finding.Sentence + ".")
                .Close();
            html.Open("div", ("class", "body"));
            if (finding.Advice.Length > 0)
                html.Open("p").Element("strong", "Fix: ").Text(finding.Advice + ".").Close();
            html.Element("p", $"Confidence: {finding.Confidence.ToString().ToLowerInvariant()}.");
            if (finding.Evidence.Count > 0)
                HtmlTables.Write(html, Section.ForPeople("Evidence", finding.Evidence, FindingColumns.Evidence));
            if (finding.Locations.Count > 0)
                HtmlTables.Write(html, Section.ForPeople("Locations in the trace", finding.Locations, FindingColumns.Locations));
            html.Close().Close().Line();
        }

        if (report.NotRecorded.Count > 0)
            html.Element("p", $"Not recorded, so not checked: {string.Join(", ", report.NotRecorded)}.", ("class", "note"));
    }

    public static void Environment(HtmlWriter html, HtmlReport report)
    {
        var result = report.Tables.Result;
        html.Open("ul", ("class", "lines"));
        foreach (var line in HeaderLines.Of(report.Tables))
            html.Element("li", line);
        html.Close().Line();
        if (!report.IsComparison)
        {
            html.Element("h3", "Losses").Open("ul", ("class", "lines"));
            html.Element(
                "li",
                FormattableString.Invariant(
                    $"Runs: {(result.RunsExpected is { } expected ? FormattableString.Invariant($"expected {expected}, found {result.RunsFound}") : "not marked")}"
                )
            );
            html.Element("li", FormattableString.Invariant($"Events lost: {result.LostEvents}"));
            html.Element("li", FormattableString.Invariant($"Damaged files: {result.Damages.Count}"));
            foreach (var damage in result.Damages)
                html.Element(
                    "li",
                    FormattableString.Invariant(
                        $"{damage.File}: damaged at offset {damage.Offset} of {Plural.Of(damage.FileBytes, "byte")}: {damage.Reason}"
                    )
                );
            foreach (var problem in result.InputProblems)
                html.Element("li", problem);
            foreach (var missing in result.Processes.Where(process => process.MissingRunIds.Count > 0))
                html.Element("li", $"Missing runs of {missing.Process}: {string.Join(", ", missing.MissingRunIds)}");
            html.Close().Line();
        }

        if (report.Tables.Closing.Count > 0)
        {
            html.Element("h3", "Notes").Open("ul", ("class", "lines"));
            foreach (var line in report.Tables.Closing)
                html.Element("li", line);
            html.Close().Line();
        }

        html.Open("details").Element("summary", "Files read").Open("ul", ("class", "lines"));
        foreach (var file in report.Tables.Input.FilesRead)
            html.Element("li", file);
        html.Close().Close().Line();
    }
}
