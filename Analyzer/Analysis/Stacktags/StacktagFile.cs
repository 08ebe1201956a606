using System.Globalization;
using System.Xml;
using System.Xml.Linq;

namespace EtwSerializerProfiler.Analysis.Stacktags;

/// <summary>Reads and writes .stacktags files: XML with Tag, HintTag and Entrypoint (shared/windows.md and files published with ETWAnalyzer and SerializerTests).</summary>
/// <remarks>What WPA knows besides is passed by: such a file still says which frames have which tag.</remarks>
public static class StacktagFile
{
    private const string TagElement = "Tag";
    private const string HintElement = "HintTag";
    private const string EntrypointElement = "Entrypoint";

    /// <summary>Larger files are no tags.</summary>
    private const int LargestCharacters = 64 << 20;

    /// <summary>Reads a file.</summary>
    /// <param name="reader">Its text.</param>
    /// <param name="name">Its path, for errors.</param>
    /// <returns>The root, whose name is mostly empty.</returns>
    /// <exception cref="StacktagFormatException">It is no .stacktags file.</exception>
    public static Stacktag Read(TextReader reader, string name)
    {
        ArgumentNullException.ThrowIfNull(reader);
        var settings = new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null, MaxCharactersInDocument = LargestCharacters };
        XDocument document;
        try
        {
            using var xml = XmlReader.Create(reader, settings);
            document = XDocument.Load(xml, LoadOptions.SetLineInfo);
        }
        catch (XmlException exception)
        {
            throw new StacktagFormatException(name, exception.LineNumber, exception.LinePosition, "XML", exception.Message.TrimEnd('.'), "mend the file, or write it anew with 'esp-analyze stacktags'", exception);
        }

        var root = document.Root!;
        return root.Name.LocalName == TagElement ? Tag(root, name) : throw Error(root, name, "the element Tag as root", $"the root is {root.Name.LocalName}", "name a .stacktags file");
    }

    /// <summary>Writes a file that WPA and <see cref="Read"/> understand.</summary>
    public static void Write(Stacktag root, TextWriter writer, string comment)
    {
        ArgumentNullException.ThrowIfNull(root);
        ArgumentNullException.ThrowIfNull(writer);
        var document = new XDocument(new XComment($" {comment} "), Element(root));
        writer.WriteLine("<?xml version=\"1.0\" encoding=\"utf-8\"?>");
        using (var xml = XmlWriter.Create(writer, new XmlWriterSettings { OmitXmlDeclaration = true, Indent = true, NewLineChars = "\n", CloseOutput = false }))
            document.Save(xml);
        writer.WriteLine();
    }

    private static Stacktag Tag(XElement element, string file)
    {
        var isHint = element.Name.LocalName == HintElement;
        return new Stacktag(
            (string?)element.Attribute("Name") ?? throw Error(element, file, "an attribute Name", "the tag has none", "give it one"),
            Priority(element, file),
            [.. element.Elements().Where(child => child.Name.LocalName == EntrypointElement).Select(child => Entrypoint(child, file))],
            [.. element.Elements().Where(child => child.Name.LocalName is TagElement or HintElement).Select(child => Tag(child, file))])
        {
            // Published files give HintOperator on Tag elements, too, where it does nothing.
            Hint = isHint ? Hint(element, file) : StacktagHint.None,
            ShowsModuleOnly = isHint && (string?)element.Attribute("OnlyShowModule") is "true" or "True" or "1",
        };
    }

    private static StacktagEntrypoint Entrypoint(XElement element, string file) => new(
        Pattern(element, "Module", file),
        Pattern(element, "Method", file));

    private static string Pattern(XElement element, string attribute, string file)
    {
        var pattern = (string?)element.Attribute(attribute) ?? "*";
        return pattern.Length is > 0 and <= GlobAutomaton.LongestPattern
            ? pattern
            : throw Error(element, file, $"an attribute {attribute} of 1 to {GlobAutomaton.LongestPattern} characters", $"it has {pattern.Length}", "leave it out or write *");
    }

    private static int Priority(XElement element, string file) =>
        (string?)element.Attribute("Priority") is not { } text ? 0
        : int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var priority) ? priority
        : throw Error(element, file, "a whole number as Priority", $"it is '{text}'", "write a number, or leave it out for 0");

    private static StacktagHint Hint(XElement element, string file) => (string?)element.Attribute("HintOperator") switch
    {
        null or "Callee" => StacktagHint.Callee,
        "Caller" => StacktagHint.Caller,
        var text => throw Error(element, file, "Callee or Caller as HintOperator", $"it is '{text}', which is not known here", "use one of them"),
    };

    private static StacktagFormatException Error(XElement element, string file, string expected, string found, string toDo)
    {
        var info = (IXmlLineInfo)element;
        return new StacktagFormatException(file, info.LineNumber, info.LinePosition, expected, found, toDo);
    }

    private static XElement Element(Stacktag tag) => new(
        tag.Hint == StacktagHint.None ? TagElement : HintElement,
        new XAttribute("Name", tag.Name),
        tag.Priority != 0 ? new XAttribute("Priority", tag.Priority.ToString(CultureInfo.InvariantCulture)) : null,
        tag.Hint != StacktagHint.None ? new XAttribute("HintOperator", tag.Hint.ToString()) : null,
        tag.ShowsModuleOnly ? new XAttribute("OnlyShowModule", "true") : null,
        tag.Entrypoints.Select(entrypoint => new XElement(EntrypointElement, new XAttribute("Module", entrypoint.Module), new XAttribute("Method", entrypoint.Method))),
        tag.Children.Select(Element));
}
