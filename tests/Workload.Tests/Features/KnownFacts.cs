using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Workload.Features;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Tests.Features;

/// <summary>The table of some features, tried once for all tests.</summary>
public sealed class KnownFacts
{
    private readonly IReadOnlyList<FeatureRow> _rows = FeatureProcesses.Run(
        SerializerRegistry.Select([.. s_names.Select(name => new NamePattern(name, Exact: true))]),
        "cycle",
        "same-object",
        "shared-string",
        "no-default-constructor",
        "private-fields",
        "interface",
        "base-class",
        "utc",
        "local",
        "unspecified",
        "100-ns",
        "multi-dimensional",
        "key-date-time",
        "null-list",
        "control-characters",
        "members-renumbered",
        "member-added",
        "format",
        "streaming",
        "closes-stream",
        "held-memory",
        "threads"
    );

    private static readonly string[] s_names =
    [
        "XmlSerializer",
        "DataContract",
        "DataContractJson",
        "BinaryFormatter",
        "Newtonsoft.Json",
        "SystemTextJson",
        "Google.Protobuf",
    ];

    public FeatureCell Cell(string serializer, string key) => _rows.Single(row => row.Serializer == serializer).Cells[key];
}
