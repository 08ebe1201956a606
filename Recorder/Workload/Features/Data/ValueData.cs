using System.Numerics;
using System.Runtime.Serialization;

namespace EtwSerializerProfiler.Workload.Features.Data;

/// <summary>Classes with values of each type.</summary>
public static class ValueData
{
    /// <summary>A day.</summary>
    public enum Day
    {
        /// <summary>None.</summary>
        None = 0,

        /// <summary>Monday.</summary>
        Monday = 1,

        /// <summary>Sunday.</summary>
        Sunday = 7,
    }

    /// <summary>Rights.</summary>
    [Flags]
    public enum Rights
    {
        /// <summary>None.</summary>
        None = 0,

        /// <summary>Reading.</summary>
        Read = 1,

        /// <summary>Writing.</summary>
        Write = 2,

        /// <summary>Deleting.</summary>
        Delete = 4,
    }

    [Serializable, DataContract]
    public class Nullables
    {
        [DataMember(Order = 1)]
        public int? Number { get; set; }

        [DataMember(Order = 2)]
        public int? Zero { get; set; }

        [DataMember(Order = 3)]
        public int? Nothing { get; set; } = 5; // differs from the written value: the reader must set it to null
    }

    [Serializable, DataContract]
    public class Enums
    {
        [DataMember(Order = 1)]
        public Day Day { get; set; }

        [DataMember(Order = 2)]
        public Rights Rights { get; set; }
    }

    [Serializable, DataContract]
    public class Text
    {
        [DataMember(Order = 1)]
        public string? Value { get; set; }
    }

    [Serializable, DataContract]
    public class TwoTexts
    {
        [DataMember(Order = 1)]
        public string? Null { get; set; }

        [DataMember(Order = 2)]
        public string? Empty { get; set; }
    }

    [Serializable, DataContract]
    public class Guids
    {
        [DataMember(Order = 1)]
        public Guid Value { get; set; }
    }

    [Serializable, DataContract]
    public class Uris
    {
        [DataMember(Order = 1)]
        public Uri? Value { get; set; }
    }

    [Serializable, DataContract]
    public class Tuples
    {
        [DataMember(Order = 1)]
        public (int Number, string Name) Value { get; set; }
    }

    [Serializable, DataContract]
    public class Integers
    {
        [DataMember(Order = 1)]
        public long Min { get; set; }

        [DataMember(Order = 2)]
        public ulong Max { get; set; }
    }

    [Serializable, DataContract]
    public class BigIntegers
    {
        [DataMember(Order = 1)]
        public BigInteger Value { get; set; }
    }

    [Serializable, DataContract]
    public class Decimals
    {
        [DataMember(Order = 1)]
        public decimal Max { get; set; }

        [DataMember(Order = 2)]
        public decimal Min { get; set; }

        [DataMember(Order = 3)]
        public decimal TwoPlaces { get; set; }
    }

    [Serializable, DataContract]
    public class Doubles
    {
        [DataMember(Order = 1)]
        public double[] Values { get; set; } = [];
    }

    [Serializable, DataContract]
    public class Singles
    {
        [DataMember(Order = 1)]
        public float[] Values { get; set; } = [];
    }
}
