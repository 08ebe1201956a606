namespace EtwSerializerProfiler.Analysis.Catalog;

/// <summary>Platform libraries that are serializers: their code is a serializer's own code.</summary>
public static class LibraryCatalog
{
    /// <summary>
    /// File names of these libraries on .NET Framework and .NET, without extension; native images of .NET Framework add .ni.
    /// </summary>
    public static IReadOnlyList<string> Modules { get; } =
    [
        "System.Private.Xml",
        "System.Private.Xml.Linq",
        "System.Private.DataContractSerialization",
        "System.Runtime.Serialization",
        "System.Runtime.Serialization.Formatters",
        "System.Runtime.Serialization.Json",
        "System.Runtime.Serialization.Xml",
        "System.Text.Json",
        "System.Web.Extensions",
        "System.Xml",
        "System.Xml.Serialization",
        "System.Xml.XmlSerializer",
    ];

    /// <summary>File names of serializers from packages, without extension.</summary>
    public static IReadOnlyList<string> Packages { get; } =
    [
        "Azos",
        "Ceras",
        "fastJSON",
        "Google.FlatBuffers",
        "Google.Protobuf",
        "GroBuf",
        "Hyperion",
        "Jil",
        "MemoryPack.Core",
        "MessagePack",
        "MsgPack",
        "Newtonsoft.Json",
        "protobuf-net",
        "protobuf-net.Core",
        "Salar.Bois",
        "Salar.Bois.LZ4",
        "ServiceStack.Text",
        "SpanJson",
        "Utf8Json",
        "ZeroFormatter",
    ];

    /// <summary>Namespaces of serializers inside the core library (BinaryFormatter in mscorlib, XmlDictionaryReader).</summary>
    public static IReadOnlyList<string> Namespaces { get; } = ["System.Runtime.Serialization", "System.Xml"];
}
