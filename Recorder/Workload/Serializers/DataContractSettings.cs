using System.Runtime.Serialization;
using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Serializers;

/// <summary>Constructs a DataContractSerializer.</summary>
internal static class DataContractSettings
{
    /// <summary>By its shortest constructor unless something is asked for.</summary>
    public static DataContractSerializer Construct(Type type, SerializerSettings settings) =>
        settings is { ReferenceTracking: false, KnownTypes.Count: 0 }
            ? new(type)
            : new(type, new DataContractSerializerSettings { PreserveObjectReferences = settings.ReferenceTracking, KnownTypes = settings.KnownTypes });
}
