using System.Globalization;
using System.Xml.Linq;
using EtwSerializerProfiler.Foundation;
using EtwSerializerProfiler.Sessions.Etw.Plans;

namespace EtwSerializerProfiler.Sessions.Etw.Profiles;

/// <summary>
/// Writes profiles of the Windows Performance Recorder ("Authoring Recording Profiles" and "Elements" in the Windows Performance Toolkit's
/// documentation).
/// </summary>
/// <remarks>
/// WPR starts the sessions together, merges their files and adds image ids by itself, so profiles do not contain this. The sample interval
/// has no element (<c>wpr -setprofint</c>). The rundown is a provider that only captures its state when the trace is saved. It has a
/// collector of its own, so that in memory mode the names of thousands of methods do not displace the newest events.
/// </remarks>
public static class WprpFile
{
    private const string SystemCollector = "SystemCollector";

    /// <summary>The only name in WPR's schema for the kernel session of a profile that is not a boot trace.</summary>
    private const string KernelLogger = EtwKernelSession.NtKernelLogger;

    /// <summary>
    /// All keywords. In CaptureStateOnSave they make an EventSource write its manifest, because in memory mode the first one may have been
    /// overwritten.
    /// </summary>
    private const string AllKeywords = "0xFFFFFFFFFFFFFFFF";

    /// <summary>Data that is added to a merged trace for symbols and the decoding of events.</summary>
    private static readonly string[] s_mergedEvents = ["ImageId", "BuildInfo", "VolumeMapping", "EventMetadata"];

    /// <summary>Writes a file.</summary>
    /// <param name="profile">The profile to write.</param>
    /// <param name="writer">The output.</param>
    /// <param name="comment">Comment for readers of the file.</param>
    public static void Write(WprpProfile profile, TextWriter writer, string comment)
    {
        ArgumentNullException.ThrowIfNull(profile);
        ArgumentNullException.ThrowIfNull(writer);
        var document = new XDocument(
            new XComment($" {comment} "),
            new XElement(
                "WindowsPerformanceRecorder",
                new XAttribute("Version", "1.0"),
                new XAttribute("Author", "EtwSerializerProfiler"),
                new XElement(
                    "Profiles",
                    Collectors(profile),
                    Definitions(profile, out var ids),
                    profile.Variants.Select(variant => Profile(profile, variant, ids))
                ),
                MergeProperties(profile)
            )
        );
        XmlFile.Write(document, writer);
    }

    /// <summary>
    /// The file for one recording: its plan as profile <c>NAME.Verbose</c> in its mode. The other mode, which the documentation requires,
    /// is identical.
    /// </summary>
    /// <param name="plan">The plan of the recording.</param>
    public static string TextOf(EtwPlan plan)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture) { NewLine = "\n" };
        Write(WprpProfiles.Of(plan), text, "Written by 'esp-record record --sessions wpr' for this recording.");
        return text.ToString();
    }

    private static IEnumerable<XElement> Collectors(WprpProfile profile)
    {
        var plan = profile.Variants[0].Plan;
        yield return new XElement(
            "SystemCollector",
            Attribute("Id", SystemCollector),
            Attribute("Name", KernelLogger),
            Buffers(plan.Kernel.Buffers)
        );
        foreach (var session in plan.AllUserSessions)
            yield return new XElement(
                "EventCollector",
                Attribute("Id", CollectorId(session)),
                Attribute("Name", session.Name),
                Buffers(session.Buffers)
            );
    }

    /// <summary>Definitions of the providers; variants share equal ones.</summary>
    private static List<XElement> Definitions(WprpProfile profile, out Dictionary<(WprpVariant Variant, string Place), string> ids)
    {
        var definitions = new List<XElement>();
        var places = new Dictionary<(WprpVariant Variant, string Place), string>();
        foreach (var variant in profile.Variants)
        {
            Add(variant, SystemCollector, id => SystemProvider(variant.Plan.Kernel, id));
            foreach (var session in variant.Plan.AllUserSessions)
            {
                foreach (var provider in session.Providers)
                    Add(variant, Place(session, provider), id => EventProvider(provider, id, session == variant.Plan.Rundown?.Session));
            }
        }

        ids = places;
        return [.. definitions.OrderBy(definition => definition.Name.LocalName != "SystemProvider")];

        void Add(WprpVariant variant, string place, Func<string, XElement> make)
        {
            string[] names =
            [
                $"Provider_{place}",
                $"Provider_{place}_{variant.Detail}",
                $"Provider_{place}_{variant.Detail}_{variant.LoggingMode}",
            ];
            foreach (var name in names)
            {
                var made = make(name);
                var known = definitions.Find(definition => (string?)definition.Attribute("Id") == name);
                if (known is not null && !XNode.DeepEquals(known, made))
                    continue;
                if (known is null)
                    definitions.Add(made);
                places[(variant, place)] = name;
                return;
            }
        }
    }

    private static XElement SystemProvider(EtwKernelSession kernel, string id)
    {
        var stacks = KernelEventNames.In(kernel.StackEvents).SelectMany(name => name.WprStacks).ToList();
        return new XElement(
            "SystemProvider",
            Attribute("Id", id),
            new XElement("Keywords", KernelEventNames.In(kernel.Events).Select(name => Value("Keyword", name.WprKeyword))),
            stacks.Count == 0 ? null : new XElement("Stacks", stacks.Select(stack => Value("Stack", stack)))
        );
    }

    private static XElement EventProvider(EtwProvider provider, string id, bool atEnd) =>
        new(
            "EventProvider",
            Attribute("Id", id),
            Attribute("Name", provider.Id.ToString("D", CultureInfo.InvariantCulture)),
            new XAttribute("NonPagedMemory", "true"),
            new XAttribute("Level", Number((int)provider.Level)),
            new XAttribute("Stack", provider.Stacks ? "true" : "false"),
            atEnd ? new XAttribute("CaptureStateOnly", "true") : null,
            new XComment($" {provider.Name}: {provider.Purpose} "),
            atEnd || provider.Keywords == ulong.MaxValue ? null : new XElement("Keywords", Value("Keyword", provider.KeywordText)),
            atEnd ? new XElement("CaptureStateOnSave", Value("Keyword", provider.KeywordText))
                : provider.IsEventSource ? new XElement("CaptureStateOnSave", Value("Keyword", AllKeywords))
                : null,
            Filter("EventFilters", provider.EventFilter),
            Filter("StackFilters", provider.Stacks ? provider.StackFilter : null)
        );

    private static XElement? Filter(string name, EtwEventFilter? filter) =>
        filter is null
            ? null
            : new XElement(
                name,
                new XAttribute("FilterIn", filter.Include ? "true" : "false"),
                filter.Ids.Select(id => Value("EventId", Number(id)))
            );

    private static XElement Profile(
        WprpProfile profile,
        WprpVariant variant,
        Dictionary<(WprpVariant Variant, string Place), string> ids
    ) =>
        new(
            "Profile",
            Attribute("Id", profile.IdOf(variant)),
            Attribute("Name", profile.Name),
            Attribute("Description", profile.DescriptionOf(variant)),
            Attribute("DetailLevel", variant.Detail.ToString()),
            Attribute("LoggingMode", variant.LoggingMode),
            new XElement(
                "Collectors",
                new XElement(
                    "SystemCollectorId",
                    Attribute("Value", SystemCollector),
                    Buffers(variant.Plan.Kernel.Buffers),
                    Value("SystemProviderId", ids[(variant, SystemCollector)])
                ),
                variant.Plan.AllUserSessions.Select(session => new XElement(
                    "EventCollectorId",
                    Attribute("Value", CollectorId(session)),
                    Buffers(session.Buffers),
                    new XElement(
                        "EventProviders",
                        session.Providers.Select(provider => Value("EventProviderId", ids[(variant, Place(session, provider))]))
                    )
                ))
            )
        );

    private static XElement MergeProperties(WprpProfile profile) =>
        new(
            "TraceMergeProperties",
            new XElement(
                "TraceMergeProperty",
                Attribute("Id", "Merge"),
                Attribute("Name", "Merge"),
                Value("DeletePreMergedTraceFiles", "true"),
                Value("FileCompression", profile.Variants[0].Plan.Compress ? "true" : "false"),
                new XElement("CustomEvents", s_mergedEvents.Select(name => Value("CustomEvent", name)))
            )
        );

    private static XElement[] Buffers(EtwBuffers buffers) =>
        [Value("BufferSize", Number(buffers.SizeKB)), Value("Buffers", Number(buffers.Maximum))];

    private static string CollectorId(EtwUserSession session) => $"Collector_{session.Role}";

    private static string Place(EtwUserSession session, EtwProvider provider) => $"{session.Role}_{provider.Name}";

    private static XElement Value(string element, string value) => new(element, new XAttribute("Value", value));

    private static XAttribute Attribute(string name, string value) => new(name, value);

    private static string Number(int value) => value.ToString(CultureInfo.InvariantCulture);
}
