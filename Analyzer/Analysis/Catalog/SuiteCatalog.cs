namespace EtwSerializerProfiler.Analysis.Catalog;

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

    /// <summary>Type in <see cref="ContractModule"/>, a generic one, through whose methods the suite calls every serializer; without the number behind its backtick.</summary>
    public const string ContractType = "EtwSerializerProfiler.Contract.TypedSerializer`";

    /// <summary>File name of the marks' library, without its extension.</summary>
    public const string MarksModule = "EtwSerializerProfiler.Marks";

    /// <summary>Type in <see cref="MarksModule"/> whose thread waits for as long as a run lasts, in a method of the operation's name and "Duration".</summary>
    public const string MarkerType = "EtwSerializerProfiler.Marks.RunMarker";

    /// <summary>Operations that the marker thread has a method for. A test holds them to it.</summary>
    public static IReadOnlyList<string> MarkedOperations { get; } = ["Serialize", "Deserialize", "Combined", "StartRuntime", "Construct", "FirstSerialize", "FirstDeserialize", "Run"];

    /// <summary>Method of <see cref="MarkerType"/> in which its thread waits while an operation runs.</summary>
    public static string WaitOf(string operation) => operation + "Duration";

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
