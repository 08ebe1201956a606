using System.Runtime.Serialization;

namespace EtwSerializerProfiler.Workload.Features.Data;

/// <summary>Objects that are referenced more than once.</summary>
public static class ReferenceData
{
    [Serializable, DataContract]
    public class Pair
    {
        [DataMember(Order = 1)]
        public Item? First { get; set; }

        [DataMember(Order = 2)]
        public Item? Second { get; set; }
    }

    [Serializable, DataContract]
    public class Item
    {
        [DataMember(Order = 1)]
        public string? Text { get; set; }
    }

    /// <summary>A chain, or a ring.</summary>
    [Serializable, DataContract]
    public class Node
    {
        [DataMember(Order = 1)]
        public int Id { get; set; }

        [DataMember(Order = 2)]
        public Node? Next { get; set; }
    }

    [Serializable, DataContract]
    public class Strings
    {
        [DataMember(Order = 1)]
        public List<string> Items { get; set; } = [];
    }

    [Serializable, DataContract]
    public class Objects
    {
        [DataMember(Order = 1)]
        public List<Item> Items { get; set; } = [];
    }
}
