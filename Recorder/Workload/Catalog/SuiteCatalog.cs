namespace EtwSerializerProfiler.Catalog;

/// <summary>The serializers of this suite (esp-workload). A test holds it to the suite's registry.</summary>
public static class SuiteCatalog
{
    /// <summary>File name of the suite, without its extension.</summary>
    public const string Module = "esp-workload";

    /// <summary>File name of the contract, without its extension: base classes of the suite's and of users' own data.</summary>
    public const string ContractModule = "EtwSerializerProfiler.Contract";

    /// <summary>What touches the data that was read, inside a run but not the serializer's work: type and method in <see cref="ContractModule"/>.</summary>
    public const string Touch = "EtwSerializerProfiler.Contract.GraphModel`*::Touch";

    /// <summary>The same in the suite's first versions: type and method in <see cref="Module"/>.</summary>
    public const string OldTouch = "EtwSerializerProfiler.Workload.Data.*::Touch";

    private const string Namespace = "EtwSerializerProfiler.Workload.Serializers.";

    /// <summary>All serializers, in the order in which they run.</summary>
    public static IReadOnlyList<CatalogEntry> All { get; } =
    [
        Entry("XmlSerializer", "XmlText`"),
        Entry("DataContract", "DataContractText`"),
        Entry("DataContractBinaryXml", "DataContractBinaryXml`"),
        Entry("DataContractJson", "DataContractJson`"),
        Entry("BinaryFormatter", "BinaryFormatterSerializer`"),
        Entry("Newtonsoft.Json", "NewtonsoftJson`"),
        Entry("SystemTextJson", "SystemTextJson`"),
        Entry("SystemTextJsonSourceGen", "SystemTextJsonSourceGen"),
        Entry("ServiceStack.Text", "ServiceStackText`"),
        Entry("Google.Protobuf", "Protobuf.GoogleProtobuf"),
    ];

    private static CatalogEntry Entry(string name, string type) => new(name, Namespace + type, "Serialize", "Read");
}
