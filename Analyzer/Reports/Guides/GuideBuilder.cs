using System.Globalization;
using System.Text;
using System.Text.Json;
using EtwSerializerProfiler.Reports.Html;
using EtwSerializerProfiler.Reports.Writers;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Reports.Guides;

/// <summary>Builds a guide from what its steps recorded, and writes it as page, Markdown and JSON.</summary>
public static class GuideBuilder
{
    /// <summary>Names of the files, page first.</summary>
    public static IReadOnlyList<string> FileNames { get; } = ["guide.html", "guide.md", "guide.json"];

    /// <summary>Builds the guide of a folder.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="older">An earlier guide to compare with; null for none.</param>
    /// <exception cref="TraceFormatException">The folder has no guide.</exception>
    /// <exception cref="IOException">A file cannot be read.</exception>
    public static Guide Build(string folder, OlderGuide? older = null)
    {
        ArgumentNullException.ThrowIfNull(folder);
        if (GuideSteps.Read(folder) is not { } steps)
        {
            const string Fix = "make one: esp-record guide --out DIR";
            throw new TraceFormatException(folder, null, $"a guide ({GuideSteps.FileName})", "there is none", Fix);
        }

        var input = new GuideInput(folder, steps, older);
        return new Guide(
            "Which .NET serializer?",
            Source(input),
            [
                DecisionPart.Build(input),
                ThroughputPart.Build(input),
                WhyPart.Build(input),
                FirstUsePart.Build(input),
                RuntimesPart.Build(input),
                FeaturesPart.Build(input),
                ScenariosPart.Build(input),
                MethodPart.Build(input),
            ]
        )
        {
            Compared = input.Changes is { } changes ? ComparedPart.Build(input, changes) : null,
            Environment = input.Environment,
            Measurements = input.Measurements,
        };
    }

    /// <summary>Writes the files into the guide's folder; existing ones are replaced.</summary>
    /// <exception cref="IOException">A file cannot be written.</exception>
    public static void Write(Guide guide, string folder)
    {
        ArgumentNullException.ThrowIfNull(guide);
        ReadOnlySpan<Action<Guide, TextWriter>> writers = [GuidePage.Write, GuideMarkdown.Write, GuideJson.Write];
        for (var i = 0; i < writers.Length; i++)
        {
            var path = Path.Combine(folder, FileNames[i]);
            using (var writer = new StreamWriter(path + ".tmp") { NewLine = "\n" })
                writers[i](guide, writer);
            File.Move(path + ".tmp", path, overwrite: true);
        }
    }

    private static string Source(GuideInput input)
    {
        if ((input.ThroughputRuns ?? input.FirstCallRuns)?.Input.Recordings is not [{ Description: var recording }, ..])
            return "Not recorded yet";
        return string.Create(CultureInfo.InvariantCulture, $"Measured {recording.StartedUtc:yyyy-MM-dd} on {HostText.Of(recording.Host)}");
    }
}

/// <summary>Writes a guide as JSON.</summary>
internal static class GuideJson
{
    /// <summary>Version of guide.json; increases when a field changes its meaning or disappears.</summary>
    internal const int Schema = 1;

    public static void Write(Guide guide, TextWriter output)
    {
        using var buffer = new MemoryStream();
        using (var json = new Utf8JsonWriter(buffer, ReportJson.Layout))
        {
            json.WriteStartObject();
            json.WriteNumber("schema", Schema);
            json.WriteString("title", guide.Title);
            json.WriteString("source", guide.Source);
            json.WritePropertyName("environment");
            if (guide.Environment is { } environment)
                JsonSerializer.Serialize(json, environment, GuideJsonContext.Default.GuideEnvironment);
            else
                json.WriteNullValue();
            if (guide.Compared is { } compared)
            {
                json.WritePropertyName("compared");
                Write(compared, json);
            }

            json.WriteStartArray("parts");
            foreach (var part in guide.Parts)
                Write(part, json);
            json.WriteEndArray();
            json.WritePropertyName("measurements");
            JsonSerializer.Serialize(json, guide.Measurements, GuideJsonContext.Default.IReadOnlyListGuideMeasurement);
            json.WriteEndObject();
        }

        output.WriteLine(Encoding.UTF8.GetString(buffer.GetBuffer(), 0, (int)buffer.Length));
    }

    private static void Write(GuidePart part, Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteString("id", part.Id);
        json.WriteString("title", part.Title);
        json.WriteString("missing", part.Missing.Length > 0 ? part.Missing : null);
        json.WriteFields("texts", part.Texts);
        json.WriteStartObject("tables");
        foreach (var table in part.Tables.Where(table => table.Key.Length > 0))
            JsonReportWriter.WriteRows(table, json);
        json.WriteEndObject();
        json.WriteFields("notes", part.Notes);
        json.WriteFields("recordings", part.Recordings);
        json.WriteEndObject();
    }
}

/// <summary>Writes a guide in GitHub's Markdown.</summary>
internal static class GuideMarkdown
{
    public static void Write(Guide guide, TextWriter output)
    {
        output.WriteLine($"# {guide.Title}");
        output.WriteLine();
        Paragraph(guide.Source + ".");
        if (guide.Compared is { } compared)
            Write(compared, compared.Title);
        for (var i = 0; i < guide.Parts.Count; i++)
            Write(guide.Parts[i], string.Create(CultureInfo.InvariantCulture, $"{i + 1}. {guide.Parts[i].Title}"));

        void Write(GuidePart part, string title)
        {
            output.WriteLine("## " + title);
            output.WriteLine();
            foreach (var text in part.Texts)
                Paragraph(text);
            if (part.Missing.Length > 0)
                Paragraph($"Not recorded: {part.Missing}");
            foreach (var table in part.Tables.Where(table => table.IsForPeople))
                MarkdownReportWriter.Write(table, output);
            foreach (var note in part.Notes)
                output.WriteLine("- " + MarkdownReportWriter.Escape(note));
            if (part.Notes.Count > 0)
                output.WriteLine();
            if (part.Recordings.Count > 0)
            {
                var links = part.Recordings.Select(path => $"[{path.Split('/')[0]}]({path})");
                Paragraph($"Recorded in {string.Join(", ", links)}.", isMarkup: true);
            }
        }

        void Paragraph(string text, bool isMarkup = false)
        {
            output.WriteLine(isMarkup ? text : MarkdownReportWriter.Escape(text));
            output.WriteLine();
        }
    }
}

/// <summary>Writes a guide as one page, with the design of the report.</summary>
internal static class GuidePage
{
    public static void Write(Guide guide, TextWriter output)
    {
        var html = new HtmlWriter(output);
        HtmlPage.Begin(html, output, guide.Title);
        html.Open("header").Open("div", ("class", "bar")).Element("h1", guide.Title);
        html.Open("button", ("type", "button"), ("id", "theme"), ("hidden", "hidden")).Text("Dark").Close().Close();
        html.Element("p", guide.Source, ("class", "source"));
        html.Open("nav", ("aria-label", "Parts of the guide")).Open("ul");
        IReadOnlyList<GuidePart> parts = [.. guide.Compared is { } compared ? [compared] : Array.Empty<GuidePart>(), .. guide.Parts];
        foreach (var part in parts)
            html.Open("li").Element("a", part.Title, ("href", "#" + part.Id)).Close();
        html.Close().Close().Close().Line().Open("main", ("id", "main")).Line();
        foreach (var part in parts)
        {
            html.Open("section", ("id", part.Id), ("aria-labelledby", part.Id + "-title"));
            html.Element("h2", part.Title, ("id", part.Id + "-title")).Line();
            Write(html, part);
            html.Close().Line();
        }

        html.Close().Line();
        HtmlPage.End(html, "page.js");
    }

    private static void Write(HtmlWriter html, GuidePart part)
    {
        foreach (var text in part.Texts)
            html.Element("p", text);
        if (part.Missing.Length > 0)
            html.Element("p", $"Not recorded: {part.Missing}", ("class", "empty"));
        part.Sizes?.Write(html);
        if (part.Charts.Count > 0)
            HtmlGrowth.Charts(html, part.Charts);
        foreach (var table in part.Tables.Where(table => table.IsForPeople))
        {
            if (table.Title.Length > 0)
                html.Element("h3", table.Title);
            HtmlTables.Write(html, table, wrapsProse: true);
        }

        if (part.Notes.Count > 0)
        {
            html.Open("ul", ("class", "lines"));
            foreach (var note in part.Notes)
                html.Element("li", note, ("class", "note"));
            html.Close().Line();
        }

        if (part.Recordings.Count == 0)
            return;
        html.Open("p", ("class", "source")).Text("Recorded in ");
        for (var i = 0; i < part.Recordings.Count; i++)
            html.Text(i > 0 ? ", " : "").Element("a", part.Recordings[i].Split('/')[0], ("href", part.Recordings[i]));
        html.Close().Line();
    }
}
