using System.Reflection;
using System.Text.Json;
using EtwSerializerProfiler.Reports.Writers;

namespace EtwSerializerProfiler.Reports.Html;

/// <summary>Writes the page: one file with style, script and data, which loads nothing.</summary>
internal static class HtmlPage
{
    /// <summary>Forbids loading and sending; allows the page's own style and script.</summary>
    private const string Policy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

    public static void Write(HtmlReport report, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(report);
        ArgumentNullException.ThrowIfNull(output);
        var html = new HtmlWriter(output);
        Begin(html, output, report.Title);
        Top(html, report);
        html.Open("main", ("id", "main")).Line();
        foreach (var (id, title, write) in Parts(report))
        {
            html.Open("section", ("id", id), ("aria-labelledby", id + "-title")).Element("h2", title, ("id", id + "-title")).Line();
            write(html);
            html.Close().Line();
        }

        html.Close().Line();
        if (report.Timelines.Count > 0)
            html.Data(
                    "timeline-data",
                    JsonSerializer.Serialize(
                        report.Timelines.Select(timeline => TimelineData.Of(timeline, report.IsOfPrograms)),
                        PageJson.Default.IEnumerableTimelineData
                    )
                )
                .Line();
        if (report.Flames is not null)
            html.Data("flame-data", JsonSerializer.Serialize(FlameData.Of(report), PageJson.Default.FlameData)).Line();
        if (report.Waits is not null)
            html.Data("waits-data", JsonSerializer.Serialize(FlameData.Waits(report.Waits), PageJson.Default.FlameData)).Line();
        End(html, "page.js", "timeline.js", "flame.js");
    }

    /// <summary>Writes the head of a page with this design, and opens its body.</summary>
    public static void Begin(HtmlWriter html, TextWriter output, string title)
    {
        output.Write("<!DOCTYPE html>\n");
        html.Open("html", ("lang", "en"), ("xmlns", "http://www.w3.org/1999/xhtml")).Open("head").Line();
        html.Void("meta", ("charset", "utf-8")).Void("meta", ("http-equiv", "Content-Security-Policy"), ("content", Policy));
        html.Void("meta", ("name", "viewport"), ("content", "width=device-width, initial-scale=1"));
        html.Void("meta", ("name", "color-scheme"), ("content", "light dark"));
        html.Element("title", title).Line().Code("style", Resource("report.css")).Close().Line();
        html.Open("body").Element("a", "Skip to the report", ("class", "skip"), ("href", "#main")).Line();
    }

    /// <summary>Writes scripts and closes the page.</summary>
    public static void End(HtmlWriter html, params IReadOnlyList<string> scripts) =>
        html.Code("script", string.Join('\n', scripts.Select(Resource))).Close().Close().Line();

    private static IEnumerable<(string Id, string Title, Action<HtmlWriter> Write)> Parts(HtmlReport report)
    {
        if (report.IsOfPrograms)
        {
            yield return ("methods", "Where the time goes", html => HtmlTables.Write(html, report.Programs));
            if (report.Sources.Count > 0)
                yield return ("source", "Source lines", html => HtmlSource.Write(html, report.Sources));
            yield return ("table", "All measures", html => HtmlTables.Write(html, report.Tables.Sections));
            yield return ("timeline", "Timeline", html => HtmlPictures.Timeline(html, report));
        }
        else if (!report.IsComparison)
        {
            yield return ("matrix", "Where the time goes", html => HtmlMatrix.Write(html, report));
            yield return ("table", "What each serializer cost", html => HtmlTables.Write(html, report.Tables.Sections));
            yield return ("growth", "By object count", html => HtmlGrowth.Write(html, report.Growth));
            if (report.HasPictures)
                yield return ("timeline", "Timeline", html => HtmlPictures.Timeline(html, report));
        }
        else
        {
            yield return ("table", "What changed", html => HtmlTables.Write(html, report.Tables.Sections));
        }

        if (report.HasPictures)
            yield return (
                "flames",
                report.IsComparison ? "Difference by call path" : "Flame graphs",
                html => HtmlPictures.Flames(html, report)
            );
        if (report.Waits is not null)
            yield return ("waits", "Flame graphs of waits", html => HtmlPictures.Waits(html, report));
        yield return ("findings", "Findings", html => HtmlFindings.Write(html, report));
        yield return ("environment", "Losses and environment", html => HtmlFindings.Environment(html, report));
    }

    private static void Top(HtmlWriter html, HtmlReport report)
    {
        html.Open("header").Open("div", ("class", "bar")).Element("h1", report.Title);
        html.Open("button", ("type", "button"), ("id", "theme"), ("hidden", "hidden")).Text("Dark").Close().Close();
        html.Open("nav", ("aria-label", "Parts of the report")).Open("ul");
        foreach (var (id, title, _) in Parts(report))
            html.Open("li").Element("a", title, ("href", "#" + id)).Close();
        html.Close().Close().Line();
        html.Open("div", ("class", "headlines"));
        foreach (var headline in report.Headlines)
        {
            html.Open("div", ("class", "headline")).Element("h2", headline.Title);
            for (var i = 0; i < headline.Sentences.Count; i++)
                html.Element("p", headline.Sentences[i], ("class", i == 0 ? "first" : null));
            html.Close();
        }

        html.Close();
        foreach (var warning in report.Findings.Where(finding => finding.Kind == Analysis.Findings.FindingKind.Warning).Take(3))
            html.Open("p", ("class", "warning"))
                .Element("strong", "Warning: ")
                .Text(warning.Sentence + ". ")
                .Element("a", "More", ("href", "#findings"))
                .Close();
        foreach (var line in HeaderLines.Of(report.Tables).Take(report.IsComparison ? 2 : 1))
            html.Element("p", line, ("class", "source"));
        html.Close().Line();
    }

    private static string Resource(string name)
    {
        using var stream = Assembly.GetExecutingAssembly().GetManifestResourceStream($"EtwSerializerProfiler.Reports.Html.{name}")!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    }
}
