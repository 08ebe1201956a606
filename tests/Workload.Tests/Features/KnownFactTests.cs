namespace EtwSerializerProfiler.Workload.Tests.Features;

/// <summary>The measurements agree with the serializers' documentation.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class KnownFactTests(KnownFacts facts) : IClassFixture<KnownFacts>
{
    [Theory]
    // BinaryFormatter writes fields of whole graphs: cycles, identity and private members need nothing.
    [InlineData("BinaryFormatter", "cycle", "yes")]
    [InlineData("BinaryFormatter", "same-object", "yes")]
    [InlineData("BinaryFormatter", "private-fields", "yes")]
    [InlineData("BinaryFormatter", "no-default-constructor", "yes")]
    [InlineData("BinaryFormatter", "interface", "yes")]
    [InlineData("BinaryFormatter", "multi-dimensional", "yes")]
    [InlineData("BinaryFormatter", "shared-string", "1.0 MB, read as 1")]
    [InlineData("BinaryFormatter", "member-added", "yes")] // finds its type under the new name
    [InlineData("BinaryFormatter", "format", "binary")]
    // XmlSerializer generates code that uses public members only.
    [InlineData("XmlSerializer", "cycle", "no")]
    [InlineData("XmlSerializer", "private-fields", "no")]
    [InlineData("XmlSerializer", "no-default-constructor", "no")]
    [InlineData("XmlSerializer", "interface", "no")]
    [InlineData("XmlSerializer", "base-class", "opt-in")]
    [InlineData("XmlSerializer", "key-date-time", "no")]
    [InlineData("XmlSerializer", "null-list", "no")]
    [InlineData("XmlSerializer", "control-characters", "no")]
    [InlineData("XmlSerializer", "shared-string", "100.0 MB, read as 100")]
    [InlineData("XmlSerializer", "format", "text")]
    // DataContractSerializer: PreserveObjectReferences, known types; members in their order; escapes what XML 1.0 cannot hold.
    [InlineData("DataContract", "cycle", "opt-in")]
    [InlineData("DataContract", "same-object", "opt-in")]
    [InlineData("DataContract", "interface", "opt-in")]
    [InlineData("DataContract", "no-default-constructor", "yes")]
    [InlineData("DataContract", "members-renumbered", "no")]
    [InlineData("DataContract", "closes-stream", "no")]
    [InlineData("DataContract", "key-date-time", "yes")]
    [InlineData("DataContract", "streaming", "yes")]
    [InlineData("DataContract", "shared-string", "100.0 MB, read as 100; opt-in: 1.0 MB, read as 1")]
    // DataContractJson writes milliseconds since 1970, and has no way to track references.
    [InlineData("DataContractJson", "100-ns", "no")]
    [InlineData("DataContractJson", "cycle", "no")]
    // Newtonsoft.Json keeps every kind of DateTime by default.
    [InlineData("Newtonsoft.Json", "utc", "yes")]
    [InlineData("Newtonsoft.Json", "local", "yes")]
    [InlineData("Newtonsoft.Json", "unspecified", "yes")]
    [InlineData("Newtonsoft.Json", "cycle", "opt-in")]
    [InlineData("Newtonsoft.Json", "private-fields", "yes")] // has DataMember
    [InlineData("Newtonsoft.Json", "base-class", "opt-in")]
    // System.Text.Json: ReferenceHandler.Preserve, declared derived types; it does not know DataMember.
    [InlineData("SystemTextJson", "cycle", "opt-in")]
    [InlineData("SystemTextJson", "same-object", "opt-in")]
    [InlineData("SystemTextJson", "private-fields", "no")]
    [InlineData("SystemTextJson", "base-class", "opt-in")]
    [InlineData("SystemTextJson", "multi-dimensional", "no")]
    [InlineData("SystemTextJson", "streaming", "yes")]
    [InlineData("SystemTextJson", "format", "text")]
    // Protocol buffers have generated types.
    [InlineData("Google.Protobuf", "cycle", "own types only")]
    [InlineData("Google.Protobuf", "format", "binary")]
    [InlineData("Google.Protobuf", "closes-stream", "no")]
    public void What_is_known_is_seen(string serializer, string key, string expected) =>
        Assert.Equal(expected, facts.Cell(serializer, key).Seen);

    [Theory]
    [InlineData("XmlSerializer", "cycle", "on writing: InvalidOperationException", "circular reference")]
    [InlineData("XmlSerializer", "no-default-constructor", "on construction: InvalidOperationException", "parameterless constructor")]
    [InlineData("XmlSerializer", "interface", "on construction: InvalidOperationException", "because it is an interface")]
    [InlineData("SystemTextJson", "multi-dimensional", "on writing: NotSupportedException", "System.Int32[,]")]
    [InlineData("DataContract", "cycle", "without opt-in on writing: SerializationException", "contains cycles")]
    [InlineData("DataContract", "members-renumbered", "Name is null, not 'seven'", "Price is 0, not 2.5")]
    [InlineData("DataContractJson", "100-ns", "07:08:09.1234567 Utc is read as", "07:08:09.1230000 Utc")]
    [InlineData("XmlSerializer", "null-list", "Null is", "not null")]
    public void The_note_has_the_exception_or_the_loss(string serializer, string key, string start, string part)
    {
        var detail = facts.Cell(serializer, key).Detail;
        Assert.Contains(start, detail, StringComparison.Ordinal);
        Assert.Contains(part, detail, StringComparison.Ordinal);
    }

    [Fact]
    public void BinaryFormatter_holds_more_than_it_writes_and_a_streaming_serializer_next_to_nothing()
    {
        // It keeps an id for each object until it has finished.
        Assert.True(Percent("BinaryFormatter") > 50, facts.Cell("BinaryFormatter", "held-memory").Seen);
        Assert.True(Percent("DataContract") < 20, facts.Cell("DataContract", "held-memory").Seen);

        double Percent(string serializer) =>
            double.Parse(
                facts.Cell(serializer, "held-memory").Seen.TrimStart('<').TrimEnd('%'),
                System.Globalization.CultureInfo.InvariantCulture
            );
    }

    [Fact]
    public void Threads_are_counted_not_praised() => Assert.Equal("none seen in 400", facts.Cell("SystemTextJson", "threads").Seen);
}
