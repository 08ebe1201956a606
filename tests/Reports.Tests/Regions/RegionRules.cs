using System.Xml.Linq;

namespace EtwSerializerProfiler.Reports.Tests.Regions;

/// <summary>Documented rules for a regions-of-interest file that a schema cannot express, and the existence of its events.</summary>
internal static class RegionRules
{
    /// <summary>Checks a file that is valid by the schema.</summary>
    /// <returns>The violations; empty for none.</returns>
    public static IReadOnlyList<string> Check(XDocument file)
    {
        var errors = new List<string>();
        var regions = file.Descendants("Region").Where(region => region.Attribute("Guid") is not null).ToList();
        foreach (var (attribute, of) in (IEnumerable<(string, Func<XElement, string>)>)[("Guid", Guid), ("Name", Name)])
            errors.AddRange(
                regions
                    .Append(file.Descendants("RegionRoot").Single())
                    .GroupBy(of, StringComparer.OrdinalIgnoreCase)
                    .Where(group => group.Count() > 1)
                    .Select(group => $"{attribute} {group.Key} is there {group.Count()} times")
            );
        foreach (var region in regions)
            errors.AddRange(Check(region).Select(error => $"{Name(region)}: {error}"));
        return errors;

        static string Guid(XElement region) => (string)region.Attribute("Guid")!;
    }

    private static string Name(XElement region) => (string)region.Attribute("Name")!;

    private static IEnumerable<string> Check(XElement region)
    {
        foreach (var child in (string[])["Start", "Stop", "Match", "Naming", "Metadata"])
        {
            if (region.Elements(child).Count() > 1)
                yield return $"several elements {child}";
        }

        var (start, stop) = (region.Element("Start"), region.Element("Stop"));
        if (start is null != stop is null)
            yield return "a Start without Stop, or a Stop without Start";
        if (start is null || stop is null)
        {
            // "These regions do not have any other attributes."
            if (!region.Elements("Region").Any())
                yield return "a container without regions";
            if (region.Element("Match") is not null || region.Element("Naming") is not null)
                yield return "a container with Match or Naming";
            yield break;
        }

        foreach (var point in (XElement[])[start, stop])
        {
            var fields = Fields(point);
            if (fields is null)
                yield return $"no event {point.Element("Event")}";
            foreach (
                var field in point
                    .Elements("PayloadIdentifier")
                    .Select(condition => (string)condition.Attribute("FieldName")!)
                    .Where(field => fields?.Contains(field) == false)
            )
                yield return $"the event of {point.Name} has no field {field}";
        }

        var match = region.Element("Match")?.Element("Event");
        if (match is null || (match.Attribute("PID") is null && match.Attribute("TID") is null))
            yield return "begin and end need not even be in the same process";
        foreach (
            var field in region
                .Elements("Match")
                .Elements("Event")
                .Elements("Payload")
                .Select(payload => (string)payload.Attribute("FieldName")!)
        )
        {
            if (Fields(start)?.Contains(field) != true || Fields(stop)?.Contains(field) != true)
                yield return $"begin and end are matched by field {field}, which not both have";
        }

        foreach (
            var field in region
                .Elements("Match")
                .Elements("Parent")
                .Elements("Payload")
                .Select(payload => (string)payload.Attribute("FieldName")!)
        )
        {
            if (region.Parent!.Element("Start") is not { } parent || Fields(parent)?.Contains(field) != true)
                yield return $"the parent is matched by field {field}, which it has not";
        }

        if (region.Elements("Match").Elements("Parent").Any() && region.Parent!.Element("Start") is null)
            yield return "a Parent, but the region around is a container";
        foreach (var field in region.Elements("Naming").Elements("PayloadBased").Select(naming => (string)naming.Attribute("NameField")!))
        {
            if (Fields(start)?.Contains(field) != true && Fields(stop)?.Contains(field) != true)
                yield return $"named by field {field}, which no event has";
        }
    }

    private static IReadOnlyList<string>? Fields(XElement point)
    {
        var named = point.Element("Event")!;
        var key = (
            System.Guid.Parse((string)named.Attribute("Provider")!),
            (int?)named.Attribute("Id") ?? -1,
            (int?)named.Attribute("Version") ?? -1
        );
        return ProviderFacts.Events.GetValueOrDefault(key);
    }
}
