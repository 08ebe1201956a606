namespace EtwSerializerProfiler.Analysis.Catalog;

/// <summary>
/// Serializers of the original SerializerTests suite, whose traces lack the serializers' names. The entry methods are those of its source
/// (github.com/Alois-xx/SerializerTests). A serializer that the built-in suite has, too, has its name there.
/// </summary>
public static class SerializerTestsCatalog
{
    /// <summary>File name of SerializerTests, without extension.</summary>
    public const string Module = "SerializerTests";

    /// <summary>The generic class that runs its tests.</summary>
    public const string TestType = "SerializerTests.TestBase`";

    /// <summary>Method of <see cref="TestType"/> in which its marker thread waits during serialization.</summary>
    public const string SerializeWait = "SerializeDuration";

    /// <summary>Method of <see cref="TestType"/> in which its marker thread waits during deserialization.</summary>
    public const string DeserializeWait = "DeserializeDuration";

    /// <summary>Method of <see cref="TestType"/> that touches the deserialized data, inside a test.</summary>
    public const string Touch = "TouchDataNoInline";

    private const string Namespace = "SerializerTests.Serializers.";

    /// <summary>All serializers, by name.</summary>
    public static IReadOnlyList<CatalogEntry> All { get; } =
    [
        Generic("AllocPerf", "AllocPerf"),
        Generic("Apex", "ApexSerializer"),
        Generic("BinaryFormatter", "BinaryFormatter"),
        Generic("BinaryPack", "BinaryPack"),
        Generic("Ceras", "Ceras"),
        Generic("DataContract", "DataContract"),
        new("DataContractBinaryXml", Namespace + "DataContractBinaryXml`", "SerializeBinaryXml", "DeserializeBinaryXml"),
        new("DataContractIndented", Namespace + "DataContractIndented`", "SerializeXmlIndented", "DeserializeXmlIndented"),
        Generic("fastJSON", "FastJson"),
        Generic("FlatBuffers", "FlatBuffer") with
        {
            IsLazy = true,
            TouchMethod = "SerializerTests.Program::TouchFlat",
        },
        Generic("FlatSharp", "FlatSharp") with
        {
            IsLazy = true,
        },
        Generic("Google.Protobuf", "GoogleProtobuf"),
        Generic("GroBuf", "GroBuf"),
        Generic("Hyperion", "Hyperion"),
        Generic("Jil", "Jil"),
        Generic("MemoryPack", "MemoryPack"),
        Generic("MessagePack", "MessagePackSharp"),
        Generic("MsgPack.Cli", "MsgPack_Cli"),
        Generic("Newtonsoft.Json", "JsonNet"),
        new("protobuf-net", "SerializerTests.Protobuf_net`", "Serialize", "Deserialize"),
        Generic("Salar.Bois", "Bois"),
        Generic("Salar.Bois.LZ4", "Bois_LZ4"),
        Generic("ServiceStack.Text", "ServiceStack"),
        Generic("SimdJsonSharp", "SimdJsonSharpSerializer"),
        Generic("Slim", "SlimSerializer"),
        Generic("SpanJson", "SpanJson"),
        Generic("SwifterJson", "SwifterJson"),
        Generic("SystemTextJson", "SystemTextJson"),
        Generic("SystemTextJsonSourceGen", "SystemTextJsonSourceGen"),
        Generic("Utf8Json", "Utf8JsonSerializer"),
        Generic("Wire", "Wire"),
        Generic("XmlSerializer", "XmlSerializer"),
        Generic("ZeroFormatter", "ZeroFormatter") with
        {
            IsLazy = true,
        },
    ];

    private static CatalogEntry Generic(string name, string type) => new(name, $"{Namespace}{type}`", "Serialize", "Deserialize");
}
