using System.Globalization;
using System.Xml.Linq;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Profiles;
using EtwSerializerProfiler.Sessions.Recordings;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Sessions.Tests.Etw;

/// <summary>
/// The profiles in Profiles/: up to date with the plans, valid by the documented format and rules, and enabling what the plans enable.
/// </summary>
public sealed class WprpFileTests
{
    private const string Schema = "wprp.xsd";

    public static TheoryData<string> Files => [.. WprpProfiles.All.Select(profile => profile.FileName)];

    [Fact]
    public void The_files_of_the_repository_are_those_that_the_plans_make()
    {
        using var folder = new TempFolder();
        foreach (var made in WprpFiles.Write(folder.Path))
            Assert.Equal(Committed(Path.GetFileName(made)), File.ReadAllText(made));
        Assert.Equal(
            WprpProfiles.All.Select(profile => profile.FileName).Order(),
            Directory.GetFiles(Folder, "*.wprp").Select(Path.GetFileName).Order()
        );
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void They_are_valid_and_keep_to_the_rules(string file)
    {
        Assert.Empty(SchemaFile.Validate(Schema, Committed(file)));
        Assert.Empty(WprpRules.Check(XDocument.Parse(Committed(file))));
    }

    /// <summary>Each profile, read from its file alone, enables what its plan has.</summary>
    [Theory]
    [MemberData(nameof(Files))]
    public void They_enable_what_the_plans_have(string name)
    {
        var file = XDocument.Parse(Committed(name));
        foreach (var profile in WprpProfiles.All.Where(profile => profile.FileName == name))
        {
            foreach (var variant in profile.Variants)
                Compare(
                    file,
                    file.Descendants("Profile").Single(item => (string)item.Attribute("Id")! == profile.IdOf(variant)),
                    variant.Plan
                );
        }
    }

    [Theory]
    [InlineData("Id=\"SerializerRuns.Light.File\"", "Id=\"SerializerRuns.File\"", "is not Name.DetailLevel.LoggingMode")]
    [InlineData("LoggingMode=\"Memory\"", "LoggingMode=\"File\"", "is not Name.DetailLevel.LoggingMode")]
    [InlineData("LoggingMode=\"Memory\"", "LoggingMode=\"RAM\"", "LoggingMode")]
    [InlineData("<EventProviderId Value=\"Provider_clr_", "<EventProviderId Value=\"Provider_clrs_", "is not defined")]
    [InlineData("<SystemCollectorId Value=\"SystemCollector\">", "<SystemCollectorId Value=\"Collector_clr\">", "is not defined")]
    [InlineData("Id=\"Collector_code\"", "Id=\"Collector_clr\"", "is there 2 times")]
    [InlineData("Name=\"NT Kernel Logger\"", "Name=\"Kernel\"", "has to be NT Kernel Logger")]
    [InlineData("Keyword Value=\"CSwitch\"", "Keyword Value=\"ContextSwitch\"", "SystemKeyword")]
    [InlineData("Stack Value=\"ReadyThread\"", "Stack Value=\"RegistryOpenKey\"", "without its events")]
    [InlineData("Stack Value=\"ReadyThread\"", "Stack Value=\"RegOpenKey\"", "SystemStack")]
    [InlineData("EventId Value=\"80\"", "EventId Value=\"exception\"", "EventId")]
    [InlineData("EventId Value=\"80\"", "EventId Value=\"81\"", "or one twice")]
    [InlineData("Stack=\"true\"", "Stack=\"false\"", "StackFilters without stacks")]
    [InlineData("CaptureStateOnly=\"true\"", "CaptureStateOnly=\"yes\"", "CaptureStateOnly")]
    [InlineData("BufferSize Value=\"1024\"", "BufferSize Value=\"2048\"", "4 to 1024")]
    [InlineData("Level=\"4\"", "Level=\"400\"", "Level")]
    [InlineData("Id=\"Provider_code_Microsoft-Windows-DotNETRuntimePrivate\"", "Id=\"Provider: code\"", "Id")]
    [InlineData("a669021c-c450-4609-a035-5af59af4df18", "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4", "twice in")]
    [InlineData("Name=\"e13c0d23-ccbc-4e12-931b-d9cc2eee27e4\"", "Name=\"DotNetProvider\"", "no GUID")]
    public void A_file_with_an_error_is_refused(string right, string wrong, string error)
    {
        var text = Committed("SerializerRuns.wprp");
        var changed = text.Replace(right, wrong, StringComparison.Ordinal);
        Assert.NotEqual(text, changed);

        var errors = SchemaFile.Validate(Schema, changed);
        Assert.Contains(
            errors.Count > 0 ? errors : WprpRules.Check(XDocument.Parse(changed)),
            problem => problem.Contains(error, StringComparison.Ordinal)
        );
    }

    /// <summary>Collectors before providers before profiles: WPR's schema restricts the order.</summary>
    [Fact]
    public void A_profile_in_front_of_its_providers_is_refused()
    {
        var file = XDocument.Parse(Committed("ExceptionsOnly.wprp"));
        var profile = file.Descendants("Profile").First();
        profile.Remove();
        file.Descendants("Profiles").Single().AddFirst(profile);

        Assert.Contains(SchemaFile.Validate(Schema, file.ToString()), error => error.Contains("Profile", StringComparison.Ordinal));
    }

    /// <summary>Filters by name are for TraceLogging providers. Our profiles have none, but users' providers may.</summary>
    [Fact]
    public void Filters_by_name_are_valid_with_names_only()
    {
        const string Filters =
            "<EventNameFilters FilterIn=\"false\"><EventName Value=\"Noise\" /></EventNameFilters><StackEventNameFilters FilterIn=\"true\" Level=\"5\"><Keyword Value=\"0x1\" /><EventName Value=\"Step\" /></StackEventNameFilters>";
        var text = Committed("ExceptionsOnly.wprp");
        var filtered = text.Replace("</StackFilters>", "</StackFilters>" + Filters, StringComparison.Ordinal);

        Assert.NotEqual(text, filtered);
        Assert.Empty(SchemaFile.Validate(Schema, filtered));
        Assert.NotEmpty(SchemaFile.Validate(Schema, filtered.Replace("<EventName Value=\"Noise\" />", "", StringComparison.Ordinal)));
        Assert.NotEmpty(
            SchemaFile.Validate(
                Schema,
                filtered.Replace("<EventName Value=\"Step\" />", "<EventId Value=\"1\" />", StringComparison.Ordinal)
            )
        );
    }

    [Fact]
    public void The_profile_of_a_recording_has_its_own_choices()
    {
        var options = new EtwPlanOptions
        {
            Purpose = EtwPurpose.Runs,
            Mode = RecordingMode.Circular(64L << 20),
            MoreKernelEvents = KernelEvents.DiskIo,
            EventFilter = EtwEventFilter.Without(10, 9),
            StackFilter = EtwEventFilter.Only(80),
            RundownWait = TimeSpan.Zero,
        };
        var plan = EtwPresets.Create(options, new EtwMachine(4L << 30, 2));
        var text = WprpFile.TextOf(plan);

        Assert.Empty(SchemaFile.Validate(Schema, text));
        var file = XDocument.Parse(text);
        Assert.Empty(WprpRules.Check(file));
        Compare(file, file.Descendants("Profile").Single(item => (string)item.Attribute("Id")! == "SerializerRuns.Verbose.Memory"), plan);
        Assert.DoesNotContain("CaptureStateOnly", text, StringComparison.Ordinal);
    }

    /// <summary>The tables of Profiles/README.md are complete.</summary>
    [Fact]
    public void Every_keyword_of_the_presets_has_its_cost_in_the_readme()
    {
        var described = RuntimeKeywordCost.All.Aggregate(RuntimeKeywords.None, (all, cost) => all | cost.Keyword);
        foreach (var plan in WprpProfiles.All.SelectMany(profile => profile.Variants).Select(variant => variant.Plan))
        {
            foreach (
                var provider in plan
                    .UserSessions.SelectMany(session => session.Providers)
                    .Where(provider => provider.Id == EtwProviders.Runtime)
            )
                Assert.Equal((RuntimeKeywords)0, (RuntimeKeywords)provider.Keywords & ~described);
            foreach (var name in KernelEventNames.In(plan.Kernel.Events))
                Assert.Contains($"| `{name.WprKeyword}` |", Committed(ProfilesReadme.FileName), StringComparison.Ordinal);
        }
    }

    private static string Folder => Path.Combine(TestFiles.Root, "Profiles");

    private static void Compare(XDocument file, XElement profile, EtwPlan plan)
    {
        Assert.Equal(plan.IsCircular ? "Memory" : "File", (string)profile.Attribute("LoggingMode")!);
        var kernel = profile.Descendants("SystemCollectorId").Single();
        Assert.Equal(plan.Kernel.Buffers.Maximum, Number(kernel.Element("Buffers")!.Attribute("Value")!.Value));
        var system = Definition(kernel.Element("SystemProviderId")!);
        Assert.Equal(KernelEventNames.In(plan.Kernel.Events).Select(name => name.WprKeyword), system.Descendants("Keyword").Select(Value));
        Assert.Equal(
            KernelEventNames.In(plan.Kernel.StackEvents).SelectMany(name => name.WprStacks),
            system.Descendants("Stack").Select(Value)
        );

        var sessions = plan.AllUserSessions.ToList();
        var collectors = profile.Descendants("EventCollectorId").ToList();
        Assert.Equal(sessions.Count, collectors.Count);
        foreach (var (session, collector) in sessions.Zip(collectors))
        {
            Assert.Equal(session.Name, (string)Definition(collector).Attribute("Name")!);
            Assert.Equal(
                (session.Buffers.SizeKB, session.Buffers.Maximum),
                (
                    (int)Number(collector.Element("BufferSize")!.Attribute("Value")!.Value),
                    (int)Number(collector.Element("Buffers")!.Attribute("Value")!.Value)
                )
            );
            var providers = collector.Descendants("EventProviderId").Select(Definition).ToList();
            Assert.Equal(session.Providers.Count, providers.Count);
            foreach (var (planned, written) in session.Providers.Zip(providers))
                Compare(planned, written, session == plan.Rundown?.Session);
        }

        XElement Definition(XElement reference) =>
            file.Descendants(reference.Name.LocalName[..^2]).Single(item => (string?)item.Attribute("Id") == Value(reference));
    }

    private static void Compare(EtwProvider planned, XElement written, bool atEnd)
    {
        Assert.Equal(planned.Id, Guid.Parse((string)written.Attribute("Name")!));
        Assert.Equal((int)planned.Level, (int)written.Attribute("Level")!);
        Assert.Equal(planned.Stacks, (bool)written.Attribute("Stack")!);
        Assert.Equal(atEnd, (bool?)written.Attribute("CaptureStateOnly") ?? false);
        var keywords = written
            .Element(atEnd ? "CaptureStateOnSave" : "Keywords")
            ?.Descendants("Keyword")
            .Select(Value)
            .Select(Number)
            .ToList();
        Assert.Equal(planned.Keywords == ulong.MaxValue ? null : [(long)planned.Keywords], keywords);
        Assert.Equal(planned.Stacks ? planned.StackFilter : null, Filter("StackFilters"));
        Assert.Equal(planned.EventFilter, Filter("EventFilters"));
        if (planned.IsEventSource)
            // The manifest again: in memory mode the one from the start may have been overwritten.
            Assert.NotNull(written.Element("CaptureStateOnSave"));

        EtwEventFilter? Filter(string name) =>
            written.Element(name) is { } filter
                ? new EtwEventFilter(
                    (bool)filter.Attribute("FilterIn")!,
                    [.. filter.Elements("EventId").Select(id => (int)Number(Value(id)))]
                )
                : null;
    }

    private static string Value(XElement element) => (string)element.Attribute("Value")!;

    private static long Number(string text) =>
        text.StartsWith("0x", StringComparison.Ordinal)
            ? long.Parse(text.AsSpan(2), NumberStyles.HexNumber, CultureInfo.InvariantCulture)
            : long.Parse(text, CultureInfo.InvariantCulture);

    private static string Committed(string name) => File.ReadAllText(Path.Combine(Folder, name)).ReplaceLineEndings("\n");
}
