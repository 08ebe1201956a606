namespace EtwSerializerProfiler.Analysis.Catalog;

/// <summary>The serializers of this suite (esp-workload). A test compares them with the suite's registry.</summary>
public static class SuiteCatalog
{
    /// <summary>File name of the suite, without extension.</summary>
    public const string Module = "esp-workload";

    /// <summary>File name of the contract, without extension: base classes of the suite's and users' data.</summary>
    public const string ContractModule = "EtwSerializerProfiler.Contract";

    /// <summary>
    /// Type and method in <see cref="ContractModule"/> that touch the deserialized data, inside a run but outside the serializer's work.
    /// </summary>
    public const string Touch = "EtwSerializerProfiler.Contract.GraphModel`*::Touch";

    /// <summary>The same in the suite's first versions: type and method in <see cref="Module"/>.</summary>
    public const string OldTouch = "EtwSerializerProfiler.Workload.Data.*::Touch";

    /// <summary>
    /// Generic type in <see cref="ContractModule"/> through whose methods the suite calls every serializer; without the number after its
    /// backtick.
    /// </summary>
    public const string ContractType = "EtwSerializerProfiler.Contract.TypedSerializer`";

    /// <summary>File name of the marks library, without extension.</summary>
    public const string MarksModule = "EtwSerializerProfiler.Marks";

    /// <summary>
    /// Type in <see cref="MarksModule"/> whose thread waits during a run, in a method named after the operation plus "Duration".
    /// </summary>
    public const string MarkerType = "EtwSerializerProfiler.Marks.RunMarker";

    /// <summary>Operations for which the marker thread has a method to wait in. A test compares them with its methods.</summary>
    public static IReadOnlyList<string> MarkedOperations { get; } =
    ["Serialize", "Deserialize", "Combined", "StartRuntime", "Construct", "FirstSerialize", "FirstDeserialize", "Run"];

    /// <summary>Method of <see cref="MarkerType"/> in which its thread waits during an operation.</summary>
    public static string WaitOf(string operation) => operation + "Duration";

    private const string Namespace = "EtwSerializerProfiler.Workload.Serializers.";

    /// <summary>All serializers, in execution order.</summary>
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
