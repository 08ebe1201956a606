using System.Diagnostics.Tracing;
using System.Globalization;
using System.Xml.Linq;
using EtwSerializerProfiler.Marks;
using Microsoft.Diagnostics.Tracing.Parsers;

namespace EtwSerializerProfiler.Reports.Tests.Regions;

/// <summary>
/// The events that providers really have: the marks' by the manifest that the runtime generates from their source, the runtime's by the
/// events that .NET 10 wrote into a recording.
/// </summary>
internal static class ProviderFacts
{
    /// <summary>The marks.</summary>
    public static Guid Runs { get; } = EventSource.GetGuid(typeof(RunEventSource));

    /// <summary>Names by GUID.</summary>
    public static IReadOnlyDictionary<Guid, string> Names { get; } =
        new Dictionary<Guid, string>
        {
            [Runs] = RunEventSource.ProviderName,
            [ClrTraceEventParser.ProviderGuid] = ClrTraceEventParser.ProviderName,
        };

    /// <summary>Fields of an event by provider, id and version.</summary>
    public static IReadOnlyDictionary<(Guid Provider, int Id, int Version), IReadOnlyList<string>> Events { get; } = Read();

    private static Dictionary<(Guid Provider, int Id, int Version), IReadOnlyList<string>> Read()
    {
        var events = new Dictionary<(Guid Provider, int Id, int Version), IReadOnlyList<string>>();
        var manifest = XDocument.Parse(EventSource.GenerateManifest(typeof(RunEventSource), null)!);
        var names = manifest.Root!.Name.Namespace;
        foreach (var item in manifest.Descendants(names + "event"))
        {
            var template = (string?)item.Attribute("template");
            events[(Runs, Number(item, "value"), Number(item, "version"))] =
            [
                .. manifest
                    .Descendants(names + "template")
                    .Where(candidate => (string?)candidate.Attribute("tid") == template)
                    .Elements(names + "data")
                    .Select(data => (string)data.Attribute("name")!),
            ];
        }

        foreach (
            var item in RegionEvent
                .OfNetTrace(Path.Combine(TestFiles.Recording, "clr.nettrace"))
                .Where(item => item.Provider == ClrTraceEventParser.ProviderName)
        )
            events[(ClrTraceEventParser.ProviderGuid, item.Id, item.Version)] = [.. item.Fields.Keys];
        return events;
    }

    private static int Number(XElement element, string attribute) =>
        int.Parse((string?)element.Attribute(attribute) ?? "0", CultureInfo.InvariantCulture);
}
