using System.Globalization;
using System.Xml.Linq;

namespace EtwSerializerProfiler.Reports.Tests.Regions;

/// <summary>
/// Applies a regions-of-interest file to events as the documentation says WPA does: events by provider, id, version and conditions; begin
/// and end by the values they have in common; a parent that began no later and ended no earlier, of several the one that began first; names
/// by a field of the first event, else of the last. Reads the file, not the data it was written from.
/// </summary>
/// <param name="file">The file.</param>
/// <param name="providers">Names of providers by GUID.</param>
internal sealed class RegionInterpreter(XDocument file, IReadOnlyDictionary<Guid, string> providers)
{
    /// <summary>Regions found, by definition and end.</summary>
    public List<RegionInstance> Instances { get; } = [];

    /// <summary>Ends for which several begins were open: the documentation does not say which WPA takes.</summary>
    public int Ambiguous { get; private set; }

    /// <summary>Regions whose definition requires a parent that does not exist.</summary>
    public int Orphans { get; private set; }

    /// <summary>Applies it.</summary>
    public RegionInterpreter Apply(IReadOnlyList<RegionEvent> events)
    {
        foreach (var definition in file.Descendants("RegionRoot").Single().Elements("Region"))
            Apply(definition, [], events);
        return this;
    }

    /// <summary>Regions of a definition.</summary>
    public IEnumerable<RegionInstance> Of(string name) => Instances.Where(instance => instance.Region == name);

    private void Apply(XElement definition, List<RegionInstance> parents, IReadOnlyList<RegionEvent> events)
    {
        var found = new List<RegionInstance>();
        if (definition.Element("Start") is { } start)
        {
            var stop = definition.Element("Stop")!;
            var match = definition.Element("Match")!;
            var open = new List<RegionEvent>();
            foreach (var item in events)
            {
                if (Fits(stop, item))
                {
                    var fitting = open.FindAll(begin => IsLinked(match.Element("Event")!, begin, item));
                    Ambiguous += fitting.Count > 1 ? 1 : 0;
                    if (fitting.Count > 0)
                    {
                        open.Remove(fitting[0]);
                        found.Add(
                            new RegionInstance(
                                (string)definition.Attribute("Name")!,
                                NameOf(definition, fitting[0], item),
                                fitting[0],
                                item
                            )
                        );
                    }
                }

                if (Fits(start, item))
                    open.Add(item);
            }

            if (match.Element("Parent") is { } link)
            {
                foreach (var instance in found)
                {
                    instance.Parent = parents
                        .Where(parent =>
                            parent.Start.TimeMs <= instance.Start.TimeMs
                            && parent.Stop.TimeMs >= instance.Stop.TimeMs
                            && IsLinked(link, instance.Start, parent.Start)
                        )
                        .MinBy(parent => parent.Start.TimeMs);
                    Orphans += instance.Parent is null ? 1 : 0;
                }
            }

            Instances.AddRange(found);
        }

        foreach (var child in definition.Elements("Region"))
            Apply(child, found, events);
    }

    private bool Fits(XElement point, RegionEvent item)
    {
        var named = point.Element("Event")!;
        return providers.TryGetValue(Guid.Parse((string)named.Attribute("Provider")!), out var provider)
            && item.Provider == provider
            && item.Id == (int)named.Attribute("Id")!
            && item.Version == (int)named.Attribute("Version")!
            && point
                .Elements("PayloadIdentifier")
                .All(condition =>
                {
                    var value = Text(item, (string)condition.Attribute("FieldName")!);
                    var wanted = (string)condition.Attribute("FieldValue")!;
                    return (string?)condition.Attribute("FieldValueRelationship") == "DoesNotContain"
                        ? !value.Contains(wanted, StringComparison.Ordinal)
                        : value == wanted;
                });
    }

    private static bool IsLinked(XElement link, RegionEvent first, RegionEvent second) =>
        (!Asks(link, "PID") || first.Process == second.Process)
        && (!Asks(link, "TID") || first.Thread == second.Thread)
        && link.Elements("Payload")
            .All(payload => Text(first, (string)payload.Attribute("FieldName")!) == Text(second, (string)payload.Attribute("FieldName")!));

    private static bool Asks(XElement link, string what) => (bool?)link.Attribute(what) ?? false;

    private static string NameOf(XElement definition, RegionEvent start, RegionEvent stop) =>
        (string?)definition.Element("Naming")?.Element("PayloadBased")?.Attribute("NameField") is not { } field
            ? ""
            : Text(start.Fields.ContainsKey(field) ? start : stop, field);

    /// <summary>A missing field is an error: WPA prints one to its console.</summary>
    private static string Text(RegionEvent item, string field) => Convert.ToString(item.Fields[field], CultureInfo.InvariantCulture) ?? "";
}
