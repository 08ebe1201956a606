using System.Globalization;
using System.Xml.Linq;

namespace EtwSerializerProfiler.Sessions.Tests.Etw;

/// <summary>Documented rules for a .wprp file that a schema cannot express.</summary>
internal static class WprpRules
{
    private static readonly string[] s_collectors = ["SystemCollector", "EventCollector"];

    /// <summary>Stacks of events and the keyword that brings the events.</summary>
    private static readonly (string Stack, string Keyword)[] s_stacks =
    [
        ("CSwitch", "CSwitch"),
        ("ReadyThread", "ReadyThread"),
        ("SampledProfile", "SampledProfile"),
        ("Registry", "Registry"),
        ("VirtualAllocation", "VirtualAllocation"),
    ];

    /// <summary>Checks a file that is valid by the schema.</summary>
    /// <returns>The violations; empty for none.</returns>
    public static IReadOnlyList<string> Check(XDocument file)
    {
        var profiles = file.Descendants("Profile").ToList();
        var definitions = file.Descendants("Profiles").Single().Elements().ToList();
        return
        [
            .. definitions
                .GroupBy(Id, StringComparer.OrdinalIgnoreCase)
                .Where(group => group.Count() > 1)
                .Select(group => $"id {group.Key} is there {group.Count()} times"),
            .. definitions
                .Where(item => s_collectors.Contains(item.Name.LocalName))
                .GroupBy(item => (string)item.Attribute("Name")!)
                .Where(group => group.Count() > 1)
                .Select(group => $"several collectors are named {group.Key}"),
            .. file.Descendants("SystemCollector")
                .Where(item => (string)item.Attribute("Name")! != "NT Kernel Logger")
                .Select(_ => "the system collector has to be NT Kernel Logger"),
            .. Names(profiles),
            .. profiles.SelectMany(profile =>
                References(profile, definitions).Concat(Sessions(profile, definitions)).Select(error => $"{Id(profile)}: {error}")
            ),
            .. definitions
                .Where(item =>
                    item.Name.LocalName is not "Profile"
                    && !file.Descendants()
                        .Any(reference => reference.Name == item.Name + "Id" && (string?)reference.Attribute("Value") == Id(item))
                )
                .Select(item => $"{Id(item)} is used by no profile"),
            .. file.Descendants("EventProvider").SelectMany(provider => Provider(provider).Select(error => $"{Id(provider)}: {error}")),
            .. file.Descendants("SystemProvider").SelectMany(Stacks),
            .. file.Descendants("BufferSize")
                .Where(size => Number(size) is < 4 or > 1024)
                .Select(size => $"buffers of {Number(size)} KB: 4 to 1024"),
            .. file.Descendants("Buffers").Where(buffers => Number(buffers) < 2).Select(_ => "less than two buffers"),
        ];
    }

    private static IEnumerable<string> Names(List<XElement> profiles)
    {
        if (profiles.Select(Name).Distinct().Count() > 1)
            yield return "profiles of different names in one file";
        foreach (var profile in profiles)
        {
            if (Id(profile) != $"{Name(profile)}.{profile.Attribute("DetailLevel")!.Value}.{profile.Attribute("LoggingMode")!.Value}")
                yield return $"{Id(profile)} is not Name.DetailLevel.LoggingMode";
        }

        foreach (
            var detail in profiles
                .GroupBy(profile => profile.Attribute("DetailLevel")!.Value)
                .Where(detail => detail.Select(profile => profile.Attribute("LoggingMode")!.Value).Distinct().Count() != 2)
        )
            yield return $"{detail.Key} has not both a File and a Memory profile";

        static string Name(XElement profile) => (string)profile.Attribute("Name")!;
    }

    private static IEnumerable<string> References(XElement profile, List<XElement> definitions) =>
        profile
            .Descendants()
            .Where(reference =>
                reference.Name.LocalName is "SystemCollectorId" or "EventCollectorId" or "SystemProviderId" or "EventProviderId"
            )
            .Where(reference =>
                !definitions.Exists(item =>
                    item.Name.LocalName + "Id" == reference.Name.LocalName && Id(item) == (string?)reference.Attribute("Value")
                )
            )
            .Select(reference => $"{reference.Attribute("Value")!.Value} is not defined");

    /// <summary>A provider has one level in a session: enabled twice, the second one replaces the first.</summary>
    private static IEnumerable<string> Sessions(XElement profile, List<XElement> definitions)
    {
        foreach (var collector in profile.Descendants("EventCollectorId"))
        {
            var guids = collector
                .Descendants("EventProviderId")
                .Select(reference =>
                    definitions.Find(item => Id(item) == (string?)reference.Attribute("Value"))?.Attribute("Name")?.Value.ToLowerInvariant()
                )
                .ToList();
            if (guids.Distinct().Count() != guids.Count)
                yield return $"a provider twice in {collector.Attribute("Value")!.Value}";
            if (guids.Count == 0)
                yield return $"no provider in {collector.Attribute("Value")!.Value}";
        }

        if (profile.Descendants("SystemProviderId").Count() != 1)
            yield return "not one system provider";
    }

    private static IEnumerable<string> Provider(XElement provider)
    {
        if (!Guid.TryParse(provider.Attribute("Name")!.Value, out _))
            yield return "is named by no GUID";
        if (provider.Element("StackFilters") is not null && (bool?)provider.Attribute("Stack") != true)
            yield return "has StackFilters without stacks";
        foreach (var filter in provider.Elements().Where(child => child.Name.LocalName is "StackFilters" or "EventFilters"))
        {
            var ids = filter.Elements("EventId").Select(Number).ToList();
            if (ids.Count > 64 || ids.Distinct().Count() != ids.Count)
                yield return $"{filter.Name} has more than 64 ids, or one twice";
        }

        var onlyState = (bool?)provider.Attribute("CaptureStateOnly") == true;
        if (onlyState && (provider.Element("Keywords") is not null || provider.Element("CaptureStateOnSave") is null))
            yield return "captures its state only, but has Keywords or no CaptureStateOnSave";
        foreach (var child in provider.Elements().GroupBy(child => child.Name).Where(group => group.Count() > 1))
            yield return $"several elements {child.Key}";
    }

    private static IEnumerable<string> Stacks(XElement provider)
    {
        var keywords = provider.Elements("Keywords").Elements("Keyword").Select(keyword => (string)keyword.Attribute("Value")!).ToList();
        foreach (var stack in provider.Elements("Stacks").Elements("Stack").Select(stack => (string)stack.Attribute("Value")!))
        {
            if (!s_stacks.Any(pair => stack.StartsWith(pair.Stack, StringComparison.Ordinal) && keywords.Contains(pair.Keyword)))
                yield return $"{Id(provider)}: stacks of {stack} without its events";
        }
    }

    private static string Id(XElement item) => (string)item.Attribute("Id")!;

    private static long Number(XElement item) => long.Parse((string)item.Attribute("Value")!, CultureInfo.InvariantCulture);
}
