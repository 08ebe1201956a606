using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Tests.Serializers;

public sealed class SerializerTests
{
    public static TheoryData<string> Names => [.. SerializerRegistry.All.Select(serializer => serializer.Name)];

    [Fact]
    public void The_suite_has_the_serializers_that_users_compare() =>
        Assert.Equal(
            [
                "XmlSerializer",
                "DataContract",
                "DataContractBinaryXml",
                "DataContractJson",
                "BinaryFormatter",
                "Newtonsoft.Json",
                "SystemTextJson",
                "SystemTextJsonSourceGen",
                "ServiceStack.Text",
                "Google.Protobuf",
            ],
            SerializerRegistry.All.Select(serializer => serializer.Name)
        );

    [Theory]
    [MemberData(nameof(Names))]
    public void Round_trips_are_complete(string name)
    {
        var description = Named(name);
        var serializer = description.Construct();
        var model = description.CreateModel();
        foreach (var (objectCount, payloadBytes) in new[] { (0, 0), (1, 0), (1, 1), (100, 0), (100, 300), (3, 100_000) })
            Assert.Null(RoundTrip.Difference(serializer, model, objectCount, payloadBytes));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Streams_stay_open_and_hold_all_of_the_data(string name)
    {
        var description = Named(name);
        var serializer = description.Construct();
        var graph = description.CreateModel().Create(20, 10);
        foreach (var kind in Enum.GetValues<StreamKind>())
        {
            using var stream = StreamFactory.Open(kind);
            serializer.Serialize(stream, graph);
            Assert.True(stream.CanWrite, $"{kind} after writing");
            Assert.Equal(stream.Length, stream.Position);
            stream.Position = 0;
            serializer.Deserialize(stream);
            Assert.True(stream.CanRead, $"{kind} after reading");
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Reading_touches_every_object_once(string name)
    {
        using var workload = new RunWorkload(Named(name), "Deserialize", objectCount: 10, payloadBytes: 7, StreamKind.Memory);
        workload.Reset();

        workload.Operation();

        // Shelf title, ids 1 to 10, "Book 1" to "Book 9" and "Book 10", payloads.
        Assert.Equal("private member value".Length + 55 + (9 * 6) + 7 + 70, workload.Touched);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Library_and_version_are_those_of_the_assembly(string name)
    {
        var description = Named(name);

        Assert.Equal(description.LibraryAssembly.GetName().Name, description.Library);
        Assert.Matches(@"^\d+\.\d+\.\d+[^+]*$", description.LibraryVersion);
        Assert.Null(description.WhyUnavailable());
    }

    [Theory]
    [InlineData("DataContract", true, "DataContract")]
    [InlineData("datacontract", false, "DataContract,DataContractBinaryXml,DataContractJson")]
    [InlineData("SOURCEGEN", false, "SystemTextJsonSourceGen")]
    [InlineData("systemtextjson", true, "SystemTextJson")]
    public void Filters_choose_by_part_or_by_whole_name(string text, bool exact, string expected) =>
        Assert.Equal(
            expected,
            string.Join(',', SerializerRegistry.Select([new NamePattern(text, exact)]).Select(serializer => serializer.Name))
        );

    [Fact]
    public void Filters_choose_each_serializer_once_in_the_suites_order() =>
        Assert.Equal(
            ["Newtonsoft.Json", "Google.Protobuf"],
            SerializerRegistry
                .Select([new("proto", false), new("newton", false), new("google", false)])
                .Select(serializer => serializer.Name)
        );

    [Fact]
    public void A_filter_without_a_match_is_an_error_that_lists_the_near_names_else_all()
    {
        var near = Assert.Throws<ArgumentException>(() => SerializerRegistry.Select([new("xml", false), new("xml", true)]));
        var exception = Assert.Throws<ArgumentException>(() => SerializerRegistry.Select([new("Nobody", false)]));

        Assert.Equal(
            "-serializer: '#xml' matches no serializer; did you mean DataContractBinaryXml or XmlSerializer?",
            near.Message.Replace("DataContract or ", "", StringComparison.Ordinal)
        );
        Assert.Contains("'Nobody'", exception.Message, StringComparison.Ordinal);
        Assert.All(SerializerRegistry.All, serializer => Assert.Contains(serializer.Name, exception.Message, StringComparison.Ordinal));
    }

    private static SerializerDescription Named(string name) => SerializerRegistry.All.Single(serializer => serializer.Name == name);
}
