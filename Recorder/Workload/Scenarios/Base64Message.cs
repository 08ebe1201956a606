using System.Runtime.Serialization;
using System.Xml.Serialization;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>What the published case read: bytes, which text XML has as base64.</summary>
[DataContract(Name = "Message", Namespace = XmlNamespace)]
[XmlRoot("Message", Namespace = XmlNamespace)]
public sealed class Base64Message
{
    /// <summary>Namespace of the message's elements.</summary>
    public const string XmlNamespace = "urn:esp:base64";

    /// <summary>The bytes.</summary>
    [DataMember]
    public byte[]? Data { get; set; }
}

