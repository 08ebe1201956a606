using System.Xml;
using System.Xml.Linq;

namespace EtwSerializerProfiler.Foundation;

/// <summary>Writes XML files for Windows' tools.</summary>
public static class XmlFile
{
    /// <summary>Writes a document, indented, with newlines of one character.</summary>
    /// <param name="document">The document.</param>
    /// <param name="writer">Receives the text; stays open.</param>
    /// <param name="standalone">Whether the declaration says so.</param>
    public static void Write(XDocument document, TextWriter writer, bool standalone = false)
    {
        ArgumentNullException.ThrowIfNull(document);
        ArgumentNullException.ThrowIfNull(writer);

        // By hand, because XmlWriter would declare the encoding of the TextWriter, not that of the file.
        writer.WriteLine($"<?xml version=\"1.0\" encoding=\"utf-8\"{(standalone ? " standalone=\"yes\"" : "")}?>");
        using (
            var xml = XmlWriter.Create(
                writer,
                new XmlWriterSettings
                {
                    OmitXmlDeclaration = true,
                    Indent = true,
                    NewLineChars = "\n",
                    CloseOutput = false,
                }
            )
        )
            document.Save(xml);
        writer.WriteLine();
    }
}
