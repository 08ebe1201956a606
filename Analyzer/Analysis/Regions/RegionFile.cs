using System.Globalization;
using System.Xml.Linq;
using EtwSerializerProfiler.Foundation;

namespace EtwSerializerProfiler.Analysis.Regions;

/// <summary>
/// Writes regions-of-interest files ("Creating a Regions of Interest File" in the Windows Performance Toolkit's documentation).
/// </summary>
public static class RegionFile
{
    /// <summary>Writes a file.</summary>
    /// <param name="root">Its root, which lasts from the first to the last region.</param>
    /// <param name="writer">Receives the file.</param>
    /// <param name="comment">Explanation for readers of the file.</param>
    public static void Write(Region root, TextWriter writer, string comment)
    {
        ArgumentNullException.ThrowIfNull(root);
        ArgumentNullException.ThrowIfNull(writer);
        var document = new XDocument(
            new XComment($" {comment} "),
            new XElement(
                "InstrumentationManifest",
                new XElement(
                    "Instrumentation",
                    new XElement("Regions", new XElement("RegionRoot", Names(root), root.Children.Select(Element)))
                )
            )
        );
        XmlFile.Write(document, writer, standalone: true);
    }

    private static XElement Element(Region region) =>
        new(
            "Region",
            Names(region),
            Point("Start", region.Start),
            Point("Stop", region.Stop),
            Match(region),
            region.NameField.Length > 0
                ? new XElement("Naming", new XElement("PayloadBased", new XAttribute("NameField", region.NameField)))
                : null,
            region.Children.Select(Element)
        );

    private static XAttribute[] Names(Region region) =>
        [
            new XAttribute("Guid", Braced(region.Id)),
            new XAttribute("Name", region.Name),
            new XAttribute("FriendlyName", region.FriendlyName),
        ];

    private static XElement? Point(string name, RegionPoint? point) =>
        point is null
            ? null
            : new XElement(
                name,
                new XElement(
                    "Event",
                    new XAttribute("Provider", Braced(point.Provider)),
                    new XAttribute("Id", Number(point.EventId)),
                    new XAttribute("Version", Number(point.Version))
                ),
                point.Conditions.Select(condition => new XElement(
                    "PayloadIdentifier",
                    new XAttribute("FieldName", condition.Field),
                    new XAttribute("FieldValue", condition.Value),
                    condition.IsExcluded ? new XAttribute("FieldValueRelationship", "DoesNotContain") : null
                ))
            );

    private static XElement? Match(Region region) =>
        region.Match is null
            ? null
            : new XElement("Match", Link("Event", region.Match), region.ParentMatch is null ? null : Link("Parent", region.ParentMatch));

    private static XElement Link(string name, RegionLink link) =>
        new(
            name,
            link.SameThread ? new XAttribute("TID", "true") : null,
            link.SameProcess ? new XAttribute("PID", "true") : null,
            link.Field.Length > 0 ? new XElement("Payload", new XAttribute("FieldName", link.Field)) : null
        );

    private static string Braced(Guid guid) => guid.ToString("B", CultureInfo.InvariantCulture);

    private static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);
}
