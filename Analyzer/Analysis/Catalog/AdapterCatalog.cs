namespace EtwSerializerProfiler.Analysis.Catalog;

/// <summary>
/// The suite's serializers from packages: classes of the adapters (Recorder/Workload/Adapters). The feeds determine which of them a build
/// has, but their names in traces are fixed. A test compares the catalog with the adapters' sources.
/// </summary>
public static class AdapterCatalog
{
    private const string Namespace = "EtwSerializerProfiler.Adapters.";

    /// <summary>All serializers, by name.</summary>
    public static IReadOnlyList<CatalogEntry> All { get; } =
    [
        Entry("Ceras", "Ceras.CerasBinary`"),
        Entry("fastJSON", "FastJson.FastJsonText`"),
        Entry("FlatBuffers", "FlatBuffers.FlatBuffersBinary") with
        {
            IsLazy = true,
            TouchMethod = Namespace + "FlatBuffers.FlatShelf::Touch",
        },
        Entry("GroBuf", "GroBuf.GroBufBinary`"),
        Entry("Hyperion", "Hyperion.HyperionBinary`"),
        Entry("Jil", "Jil.JilJson`"),
        Entry("MemoryPack", "MemoryPack.MemoryPackBinary"),
        Entry("MessagePack", "MessagePack.MessagePackDynamic`"),
        Entry("MessagePackContractless", "MessagePack.MessagePackContractless`"),
        Entry("MessagePackLZ4", "MessagePack.MessagePackLz4`"),
        Entry("MsgPack.Cli", "MsgPackCli.MsgPackCli`"),
        Entry("protobuf-net", "ProtobufNet.ProtobufNet`"),
        Entry("Salar.Bois", "SalarBois.BoisBinary`"),
        Entry("Salar.Bois.LZ4", "SalarBoisLz4.BoisLz4`"),
        Entry("Slim", "Slim.SlimBinary`"),
        Entry("SpanJson", "SpanJson.SpanJsonText`"),
        Entry("Utf8Json", "Utf8Json.Utf8JsonText`"),
        Entry("ZeroFormatter", "ZeroFormatter.ZeroFormatterBinary") with
        {
            IsLazy = true,
            TouchMethod = Namespace + "ZeroFormatter.ZeroFormatterModel::TouchGraph",
        },
    ];

    /// <summary>File name of the adapter with this serializer, without extension: the namespace of its class.</summary>
    public static string ModuleOf(CatalogEntry entry)
    {
        ArgumentNullException.ThrowIfNull(entry);
        return entry.EntryType[..entry.EntryType.LastIndexOf('.')];
    }

    private static CatalogEntry Entry(string name, string type) => new(name, Namespace + type, "Serialize", "Read");
}
