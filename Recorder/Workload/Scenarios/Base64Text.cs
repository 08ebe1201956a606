using System.Runtime.Serialization;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>The same message for a reader that leaves the base64 text to <see cref="Convert.FromBase64String"/>: the published workaround.</summary>
[DataContract(Name = "Message", Namespace = Base64Message.XmlNamespace)]
public sealed class Base64Text
{
    /// <summary>The bytes as base64.</summary>
    [DataMember]
    public string? Data { get; set; }
}
