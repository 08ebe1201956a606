using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Commands;
using EtwSerializerProfiler.Workload.Plugins;
using EtwSerializerProfiler.Workload.Serializers;
using EtwSerializerProfiler.Workload.Tests.Commands;

namespace EtwSerializerProfiler.Workload.Tests.Plugins;

/// <summary>Missing adapters are reported.</summary>
public sealed class LeftOutTests
{
    private static readonly List<LeftOutSerializer> s_absent =
    [
        new("Jil", "package not found in your feeds"),
        new("Slim", "Azos has no build for net472"),
    ];

    private static readonly List<SerializerDescription> s_some =
    [
        SerializerRegistry.All.Single(serializer => serializer.Name == "XmlSerializer") with
        {
            KnownFailure = "fails since .NET 9: use net8.0",
        },
        SerializerRegistry.All.Single(serializer => serializer.Name == "DataContract"),
        SerializerRegistry.All.Single(serializer => serializer.Name == "Newtonsoft.Json"),
    ];

    [Fact]
    public void The_builds_list_of_serializers_that_it_left_out_is_read()
    {
        using var folder = new TempFolder();
        Assert.Empty(Adapters.ReadLeftOut(folder.Path));
        folder.Write("left-out.txt", "Jil\tpackage not found in your feeds\r\n\nSlim\tAzos has no build for net472\n");

        Assert.Equal(
            [
                new LeftOutSerializer("Jil", "package not found in your feeds"),
                new LeftOutSerializer("Slim", "Azos has no build for net472"),
            ],
            Adapters.ReadLeftOut(folder.Path)
        );
    }

    [Fact]
    public void The_list_has_a_line_with_the_reason_for_what_is_known_to_fail_and_what_is_not_there()
    {
        var failing = SerializerRegistry.All[0] with { KnownFailure = "fails since .NET 9: use net8.0" };
        using var output = new StringWriter();

        ListCommand.Run([failing, SerializerRegistry.All[5]], [new LeftOutSerializer("Jil", "package not found in your feeds")], output);

        Assert.Collection(
            output.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries),
            line => Assert.Matches(@"^XmlSerializer\tSystem\.Private\.Xml\t\S+\ttext\tno: fails since \.NET 9: use net8\.0$", line),
            line => Assert.Matches(@"^Newtonsoft\.Json\tNewtonsoft\.Json\t\S+\ttext\tyes$", line),
            line => Assert.Matches("^Jil\t-\t-\t-\tno: package not found in your feeds$", line)
        );
    }

    [Theory]
    [InlineData("", "DataContract,Newtonsoft.Json", "XmlSerializer,Jil,Slim", "XmlSerializer")]
    [InlineData("XmlSerializer,#Jil,DataContract", "DataContract", "XmlSerializer,Jil", "XmlSerializer,Jil")]
    [InlineData("DataContract", "DataContract", "", "")]
    public void What_cannot_take_part_is_left_out_with_its_reason_and_said_when_it_was_asked_for(
        string filters,
        string taken,
        string leftOut,
        string said
    )
    {
        var warnings = new List<string>();

        var (serializers, without) = SerializerChoice.Of(Options(filters), s_some, s_absent, warnings.Add);

        Assert.Equal(taken, string.Join(',', serializers.Select(serializer => serializer.Name)));
        Assert.Equal(leftOut, string.Join(',', without.Select(serializer => serializer.Name)));
        Assert.Equal(
            Names(said).Select(name => $"{name} left out: {without.Single(serializer => serializer.Name == name).Reason}"),
            warnings
        );
    }

    [Fact]
    public void A_selection_of_which_nothing_can_run_is_an_error_with_the_reasons() =>
        Assert.Equal(
            "none of the serializers that -serializer chooses can run here: XmlSerializer: fails since .NET 9: use net8.0; Jil: package not found in your feeds",
            Assert.Throws<ArgumentException>(() => SerializerChoice.Of(Options("Xml,#Jil"), s_some, s_absent, _ => { })).Message
        );

    [Fact]
    public void A_filter_that_chooses_nothing_that_exists_is_an_error_beside_one_that_does() =>
        Assert.Contains(
            "'Nobody' matches no serializer",
            Assert
                .Throws<ArgumentException>(() => SerializerChoice.Of(Options("Jil,DataContract,Nobody"), s_some, s_absent, _ => { }))
                .Message,
            StringComparison.Ordinal
        );

    [Theory]
    [InlineData(SuiteTest.Serialize, "1", true)]
    [InlineData(SuiteTest.Serialize, "1,2", false)]
    [InlineData(SuiteTest.FirstCall, "1,2", true)] // on one thread always
    public void A_serializer_that_serves_one_thread_is_left_out_when_several_are_asked_for(SuiteTest test, string threads, bool takesPart)
    {
        var options = Options("") with { Tests = [test], Threads = [.. threads.Split(',').Select(int.Parse)] };

        var (serializers, leftOut) = SerializerChoice.Of(
            options,
            [SerializerRegistry.All[0], SerializerRegistry.All[1] with { OneThreadBecause = "it has one buffer" }],
            [],
            _ => { }
        );

        Assert.Equal(takesPart ? 2 : 1, serializers.Count);
        Assert.Equal(
            takesPart
                ? []
                : [new LeftOutSerializer("DataContract", "-threads requests several threads, but it supports only one: it has one buffer")],
            leftOut
        );
    }

    [Fact]
    public void The_suite_says_what_it_would_leave_out_and_runs_nothing()
    {
        var absent = Adapters.ReadLeftOut(Path.Combine(AppContext.BaseDirectory, Adapters.FolderName));

        var (exitCode, output, error) = WorkloadProcess.Run("-leftout", "-runs", "1");

        Assert.Equal((0, ""), (exitCode, error));
        Assert.Equal(
            absent.Select(serializer => $"{serializer.Name}\t{serializer.Reason}"),
            output.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)
        );
    }

    [Fact]
    public void A_library_that_is_not_there_is_a_line_of_the_list_and_no_crash()
    {
        var missing = new SerializerDescription(
            "Gone",
            DataFormat.Binary,
            () => throw new PluginException("a.dll: its library No.Such.Library cannot be loaded"),
            () => throw new InvalidOperationException(),
            _ => throw new InvalidOperationException()
        );
        using var output = new StringWriter();

        ListCommand.Run([missing], [], output);

        Assert.Matches(@"^Gone\t-\t-\tbinary\tno: .*its library No\.Such\.Library cannot be loaded", output.ToString());
    }

    private static SuiteOptions Options(string filters) =>
        new() { Serializers = [.. Names(filters).Select(name => new NamePattern(name.TrimStart('#'), name.StartsWith('#')))] };

    private static string[] Names(string list) => list.Split(',', StringSplitOptions.RemoveEmptyEntries);
}
