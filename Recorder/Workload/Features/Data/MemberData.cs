using System.Runtime.Serialization;

namespace EtwSerializerProfiler.Workload.Features.Data;

/// <summary>
/// Classes with members of each kind. Like all data of the features, they have the attributes that most serializers read.
/// </summary>
#pragma warning disable CA1051 // public fields are tested here
public static class MemberData
{
    [Serializable, DataContract]
    public class PublicProperties
    {
        [DataMember(Order = 1)]
        public int Id { get; set; }

        [DataMember(Order = 2)]
        public string? Name { get; set; }
    }

    [Serializable, DataContract]
    public class VirtualProperties
    {
        [DataMember(Order = 1)]
        public virtual int Id { get; set; }

        [DataMember(Order = 2)]
        public virtual string? Name { get; set; }
    }

    [Serializable, DataContract]
    public class PublicFields
    {
        [DataMember(Order = 1)]
        public int Id;

        [DataMember(Order = 2)]
        public string? Name;
    }

    [Serializable, DataContract]
    public class PrivateFields
    {
        [DataMember(Order = 1)]
        private string? _secret;

        [DataMember(Order = 2)]
        public int Id { get; set; }

        public static PrivateFields Create(string secret) => new() { Id = 7, _secret = secret };

        public string? Secret() => _secret;
    }

    [Serializable, DataContract]
    public class PrivateSetters
    {
        [DataMember(Order = 1)]
        public string? Name { get; private set; }

        public static PrivateSetters Create(string name) => new() { Name = name };
    }

    [Serializable, DataContract]
    public class GetOnlyProperties
    {
        public GetOnlyProperties() { }

        public GetOnlyProperties(string name) => Name = name;

        [DataMember(Order = 1)]
        public string? Name { get; }
    }

    [Serializable, DataContract]
    public class GetOnlyCollections
    {
        [DataMember(Order = 1)]
        public List<int> Items { get; } = [];
    }

    [Serializable, DataContract]
    public class ReadOnlyFields
    {
        [DataMember(Order = 1)]
        public readonly int Id;

        public ReadOnlyFields() { }

        public ReadOnlyFields(int id) => Id = id;
    }

    [Serializable, DataContract]
    public class WithConstructor(int id, string? name)
    {
        [DataMember(Order = 1)]
        public int Id { get; set; } = id;

        [DataMember(Order = 2)]
        public string? Name { get; set; } = name;
    }

    [Serializable, DataContract]
    public class Immutable(int id, string? name)
    {
        [DataMember(Order = 1)]
        public int Id { get; } = id;

        [DataMember(Order = 2)]
        public string? Name { get; } = name;
    }

    [Serializable, DataContract]
    public class WithStruct
    {
        [DataMember(Order = 1)]
        public Place Place { get; set; }
    }

    [Serializable, DataContract]
    public struct Place
    {
        [DataMember(Order = 1)]
        public int X { get; set; }

        [DataMember(Order = 2)]
        public int Y { get; set; }
    }
}
