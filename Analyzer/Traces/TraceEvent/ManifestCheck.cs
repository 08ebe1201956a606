using System.Globalization;
using System.Xml;
using Microsoft.Diagnostics.Tracing.Parsers;

namespace EtwSerializerProfiler.Traces.TraceEventFeed;

/// <summary>Finds damage in an EventSource manifest: invalid XML, another provider's manifest, undefined references.</summary>
internal static class ManifestCheck
{
    /// <summary>Elements that define a name, and the attribute that holds it.</summary>
    private static readonly Dictionary<string, string> s_definitions = new()
    {
        ["task"] = "name",
        ["template"] = "tid",
        ["valueMap"] = "name",
        ["bitMap"] = "name",
    };

    /// <summary>Attributes by which events and fields refer to definitions; each has the name of the kind of definition.</summary>
    private static readonly string[] s_ofEvent = ["task", "template"],
        s_ofField = ["map"];

    /// <summary>Prefix of names that Windows defines (win:None).</summary>
    private const string PredefinedPrefix = "win:";

    /// <summary>What is wrong with a manifest; null for nothing.</summary>
    /// <param name="manifest">UTF-8.</param>
    /// <param name="provider">The provider that wrote it.</param>
    public static string? Find(byte[] manifest, Guid provider)
    {
        try
        {
            return FindInText(manifest, provider) ?? FindByParser(manifest);
        }
        catch (XmlException exception)
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"line {exception.LineNumber}: not valid XML ({exception.Message.TrimEnd('.')})"
            );
        }
    }

    private static string? FindInText(byte[] manifest, Guid provider)
    {
        using var reader = XmlReader.Create(
            new MemoryStream(manifest),
            new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null }
        );
        var defined = new HashSet<(string Kind, string Name)>();
        var used = new Dictionary<(string Kind, string Name), int>();
        string? guid = null;
        while (reader.Read())
        {
            if (reader.NodeType != XmlNodeType.Element)
                continue;
            var element = reader.LocalName;
            if (element == "provider")
                guid ??= reader.GetAttribute("guid") ?? "";
            else if (s_definitions.TryGetValue(element, out var attribute))
                defined.Add((KindOf(element), reader.GetAttribute(attribute) ?? ""));
            else if (element is "event" or "data")
                Array.ForEach(element == "event" ? s_ofEvent : s_ofField, Use);
        }

        if (!Guid.TryParse(guid, out var named) || named != provider)
            return $"it belongs to provider '{guid}'";
        var (missing, line) = used.FirstOrDefault(name => !defined.Contains(name.Key));
        return missing.Name is null
            ? null
            : string.Create(CultureInfo.InvariantCulture, $"line {line}: the {missing.Kind} '{missing.Name}' is not defined");

        void Use(string kind)
        {
            if (reader.GetAttribute(kind) is { } name && !name.StartsWith(PredefinedPrefix, StringComparison.Ordinal))
                used.TryAdd((kind, name), ((IXmlLineInfo)reader).LineNumber);
        }
    }

    private static string KindOf(string element) => element is "valueMap" or "bitMap" ? "map" : element;

    /// <summary>Parses it as TraceEvent does: an error of its parser means damage, too.</summary>
    private static string? FindByParser(byte[] manifest)
    {
        try
        {
            new ProviderManifest(new MemoryStream(manifest)).ValidateManifest();
            return null;
        }
#pragma warning disable CA1031 // the parser throws many exception types on damaged manifests
        catch (Exception exception) when (exception is not OutOfMemoryException)
#pragma warning restore CA1031
        {
            return (exception.InnerException ?? exception).Message.TrimEnd('.');
        }
    }
}
