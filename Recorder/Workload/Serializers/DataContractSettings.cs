using System.Runtime.Serialization;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>Constructs a DataContractSerializer.</summary>
internal static class DataContractSettings
{
    /// <summary>Uses the shortest constructor unless the settings need another one.</summary>
    public static DataContractSerializer Construct(Type type, SerializerSettings settings) =>
        settings is { ReferenceTracking: false, KnownTypes.Count: 0 }
            ? new(type)
            : new(
                type,
                new DataContractSerializerSettings
                {
                    PreserveObjectReferences = settings.ReferenceTracking,
                    KnownTypes = settings.KnownTypes,
                }
            );
}
