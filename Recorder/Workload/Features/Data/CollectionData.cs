using System.Collections;
using System.Runtime.Serialization;

namespace EtwSerializerProfiler.Workload.Features.Data;

/// <summary>Classes with collections of each kind.</summary>
public static class CollectionData
{
    [Serializable, DataContract]
    public class Lists
    {
        [DataMember(Order = 1)]
        public List<int>? Null { get; set; }

        [DataMember(Order = 2)]
        public List<int>? Empty { get; set; }
    }

    [Serializable, DataContract]
    public class Interfaces
    {
        [DataMember(Order = 1)]
        public IList<int>? Items { get; set; }
    }

    [Serializable, DataContract]
    public class Bytes
    {
        [DataMember(Order = 1)]
        public byte[]? Items { get; set; }
    }

    [Serializable, DataContract]
    public class Jagged
    {
        [DataMember(Order = 1)]
        public int[][]? Items { get; set; }
    }

    [Serializable, DataContract]
    public class MultiDimensional
    {
        [DataMember(Order = 1)]
        public int[,]? Items { get; set; }
    }

    [Serializable, DataContract]
    public class ByText
    {
        [DataMember(Order = 1)]
        public Dictionary<string, int>? Items { get; set; }
    }

    [Serializable, DataContract]
    public class ByNumber
    {
        [DataMember(Order = 1)]
        public Dictionary<int, string>? Items { get; set; }
    }

    [Serializable, DataContract]
    public class ByDay
    {
        [DataMember(Order = 1)]
        public Dictionary<ValueData.Day, string>? Items { get; set; }
    }

    [Serializable, DataContract]
    public class ByTime
    {
        [DataMember(Order = 1)]
        public Dictionary<DateTime, string>? Items { get; set; }
    }

    [Serializable, DataContract]
    public class ByObject
    {
        [DataMember(Order = 1)]
        public Dictionary<Key, string>? Items { get; set; }
    }

    /// <summary>A key that is an object.</summary>
    [Serializable, DataContract]
    public sealed class Key : IEquatable<Key>
    {
        [DataMember(Order = 1)]
        public int Id { get; set; }

        public bool Equals(Key? other) => other is not null && other.Id == Id;

        public override bool Equals(object? obj) => Equals(obj as Key);

        public override int GetHashCode() => Id;
    }

    [Serializable, DataContract]
    public class LazyShelf
    {
        [DataMember(Order = 1)]
        public LazyItems Items { get; set; } = new();
    }

    /// <summary>A collection that creates its items during enumeration.</summary>
    [Serializable, CollectionDataContract]
    public class LazyItems : IEnumerable<MemberData.PublicProperties>
    {
        [NonSerialized]
        private readonly int _count;

        [NonSerialized]
        private readonly Action<int>? _onItem;

        public LazyItems() { }

        /// <summary>Creates the collection.</summary>
        /// <param name="count">Number of items.</param>
        /// <param name="onItem">Called before each item, with its number from 0.</param>
        public LazyItems(int count, Action<int> onItem)
        {
            _count = count;
            _onItem = onItem;
        }

        /// <summary>Exists for serializers that accept no collection without it; nothing is read.</summary>
#pragma warning disable CA1822 // serializers search for an instance method
        public void Add(MemberData.PublicProperties item) => throw new NotSupportedException($"Nothing is read here, {item.Name}.");
#pragma warning restore CA1822

        public IEnumerator<MemberData.PublicProperties> GetEnumerator()
        {
            for (var i = 0; i < _count; i++)
            {
                _onItem?.Invoke(i);
                yield return new MemberData.PublicProperties { Id = i, Name = "a name of some length, to make an item larger" };
            }
        }

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
