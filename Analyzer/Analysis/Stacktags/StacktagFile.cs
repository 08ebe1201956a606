using System.Globalization;
using System.Xml;
using System.Xml.Linq;
using EtwSerializerProfiler.Foundation;

namespace EtwSerializerProfiler.Analysis.Stacktags;

/// <summary>
/// Reads and writes .stacktags files: XML with Tag, HintTag and Entrypoint (the elements of the files published with
/// ETWAnalyzer and SerializerTests).
/// </summary>
/// <remarks>WPA's other elements are ignored: such a file still defines tags of frames.</remarks>
public static class StacktagFile
{
    private const string TagElement = "Tag";
    private const string HintElement = "HintTag";
    private const string EntrypointElement = "Entrypoint";

    /// <summary>Maximum size; larger files are not tags.</summary>
    private const int MaxCharacters = 64 << 20;

    /// <summary>
    /// Maximum depth, above that of any published file; each level takes part of the thread's stack, here and when tags are matched.
    /// </summary>
    internal const int MaxDepth = 100;

    /// <summary>Reads a file.</summary>
    /// <param name="reader">Its text.</param>
    /// <param name="name">Its path, for errors.</param>
    /// <returns>The root, whose name is usually empty.</returns>
    /// <exception cref="StacktagFormatException">The file is not a .stacktags file.</exception>
    public static Stacktag Read(TextReader reader, string name)
    {
        ArgumentNullException.ThrowIfNull(reader);
        var settings = new XmlReaderSettings
        {
            DtdProcessing = DtdProcessing.Prohibit,
            XmlResolver = null,
            MaxCharactersInDocument = MaxCharacters,
        };
        try
        {
            using var xml = XmlReader.Create(reader, settings);
            xml.MoveToContent();
            if (xml.LocalName != TagElement)
                throw Error(xml, name, "the element Tag as root", $"the root is {xml.LocalName}", "name a .stacktags file");
            var root = Tag(xml, name);
            while (xml.Read())
            {
                // The rest after the root must be XML, too.
            }

            return root;
        }
        catch (XmlException exception)
        {
            throw new StacktagFormatException(
                name,
                exception.LineNumber,
                exception.LinePosition,
                "XML",
                exception.Message.TrimEnd('.'),
                "repair the file, or write it again with 'esp-analyze stacktags'",
                exception
            );
        }
    }

    /// <summary>Writes a file that WPA and <see cref="Read"/> understand.</summary>
    public static void Write(Stacktag root, TextWriter writer, string comment)
    {
        ArgumentNullException.ThrowIfNull(root);
        ArgumentNullException.ThrowIfNull(writer);
        var document = new XDocument(new XComment($" {comment} "), Element(root));
        XmlFile.Write(document, writer);
    }

    /// <summary>Reads the tag at the reader's position, and moves after it.</summary>
    private static Stacktag Tag(XmlReader xml, string file)
    {
        if (xml.Depth >= MaxDepth)
            throw Error(
                xml,
                file,
                $"tags nested at most {MaxDepth} deep",
                "this tag is deeper",
                "move it up, or write the file again with 'esp-analyze stacktags'"
            );
        var isHint = xml.LocalName == HintElement;
        var (entrypoints, children) = (new List<StacktagEntrypoint>(), new List<Stacktag>());
        var tag = new Stacktag(
            xml.GetAttribute("Name") ?? throw Error(xml, file, "an attribute Name", "the tag has none", "give it one"),
            Priority(xml, file),
            entrypoints,
            children
        )
        {
            // Published files have HintOperator on Tag elements, too, where it has no effect.
            Hint = isHint ? Hint(xml, file) : StacktagHint.None,
            ShowsModuleOnly = isHint && xml.GetAttribute("OnlyShowModule") is "true" or "True" or "1",
        };
        var isEmpty = xml.IsEmptyElement;
        xml.Read();
        while (!isEmpty && xml.NodeType != XmlNodeType.EndElement)
        {
            switch (xml.NodeType == XmlNodeType.Element ? xml.LocalName : "")
            {
                case TagElement or HintElement:
                    children.Add(Tag(xml, file));
                    break;
                case EntrypointElement:
                    entrypoints.Add(Entrypoint(xml, file));
                    xml.Skip();
                    break;
                default:
                    xml.Skip();
                    break;
            }
        }

        if (!isEmpty)
            xml.Read();
        return tag;
    }

    private static StacktagEntrypoint Entrypoint(XmlReader xml, string file) =>
        new(Pattern(xml, "Module", file), Pattern(xml, "Method", file));

    private static string Pattern(XmlReader xml, string attribute, string file)
    {
        var pattern = xml.GetAttribute(attribute) ?? "*";
        return pattern.Length is > 0 and <= GlobAutomaton.MaxPatternLength
            ? pattern
            : throw Error(
                xml,
                file,
                $"an attribute {attribute} of 1 to {GlobAutomaton.MaxPatternLength} characters",
                $"it has {pattern.Length}",
                "omit it or write *"
            );
    }

    private static int Priority(XmlReader xml, string file) =>
        xml.GetAttribute("Priority") is not { } text ? 0
        : int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var priority) ? priority
        : throw Error(xml, file, "a whole number as Priority", $"it is '{text}'", "write a number, or omit it for 0");

    private static StacktagHint Hint(XmlReader xml, string file) =>
        xml.GetAttribute("HintOperator") switch
        {
            null or "Callee" => StacktagHint.Callee,
            "Caller" => StacktagHint.Caller,
            var text => throw Error(
                xml,
                file,
                "Callee or Caller as HintOperator",
                $"it is '{text}', which is not supported",
                "use one of them"
            ),
        };

    private static StacktagFormatException Error(XmlReader xml, string file, string expected, string found, string fix)
    {
        var info = (IXmlLineInfo)xml;
        return new StacktagFormatException(file, info.LineNumber, info.LinePosition, expected, found, fix);
    }

    private static XElement Element(Stacktag tag) =>
        new(
            tag.Hint == StacktagHint.None ? TagElement : HintElement,
            new XAttribute("Name", tag.Name),
            tag.Priority != 0 ? new XAttribute("Priority", tag.Priority.ToString(CultureInfo.InvariantCulture)) : null,
            tag.Hint != StacktagHint.None ? new XAttribute("HintOperator", tag.Hint.ToString()) : null,
            tag.ShowsModuleOnly ? new XAttribute("OnlyShowModule", "true") : null,
            tag.Entrypoints.Select(entrypoint => new XElement(
                EntrypointElement,
                new XAttribute("Module", entrypoint.Module),
                new XAttribute("Method", entrypoint.Method)
            )),
            tag.Children.Select(Element)
        );
}
