using System.Text.Json;
using System.Xml;
using System.Xml.Linq;

namespace EtwSerializerProfiler.Reports.Tests.Html;

/// <summary>A page, read as XML: it must be well-formed.</summary>
internal sealed class PageText
{
    private static readonly XNamespace s_html = "http://www.w3.org/1999/xhtml";

    public PageText(string text)
    {
        using var reader = XmlReader.Create(new StringReader(text), new XmlReaderSettings { DtdProcessing = DtdProcessing.Ignore });
        Root = XDocument.Load(reader).Root!;
        Text = text;
    }

    public string Text { get; }

    public XElement Root { get; }

    /// <summary>Elements of a name, of HTML and of SVG.</summary>
    public IReadOnlyList<XElement> All(string name) => [.. Root.Descendants().Where(element => element.Name.LocalName == name)];

    public XElement Section(string id) => Root.Descendants(s_html + "section").Single(section => (string?)section.Attribute("id") == id);

    /// <summary>Cells of the tables of a section, header first.</summary>
    public IReadOnlyList<IReadOnlyList<string[]>> Tables(string id) =>
        [
            .. Section(id)
                .Descendants(s_html + "table")
                .Select(table =>
                    table.Descendants(s_html + "tr").Select(row => row.Elements().Select(cell => cell.Value).ToArray()).ToList()
                ),
        ];

    /// <summary>Data for the script.</summary>
    public JsonElement Data(string id)
    {
        using var json = JsonDocument.Parse(
            Root.Descendants(s_html + "script").Single(script => (string?)script.Attribute("id") == id).Value
        );
        return json.RootElement.Clone();
    }
}
