using System.Runtime.Serialization;

namespace EtwSerializerProfiler.Workload.Features.Data;

/// <summary>
/// One contract in several versions. Their full names differ only in the name of the outer class and have the same length, so that a
/// trial can replace one name by the other in the written bytes.
/// </summary>
public static class VersionData
{
    public static class Orig
    {
        [Serializable, DataContract(Name = "Record", Namespace = "")]
        public class Record
        {
            [DataMember(Order = 1)]
            public int Id { get; set; }

            [DataMember(Order = 2)]
            public string? Name { get; set; }

            [DataMember(Order = 3)]
            public double Price { get; set; }
        }
    }

    public static class More
    {
        [Serializable, DataContract(Name = "Record", Namespace = "")]
        public class Record
        {
            [DataMember(Order = 1)]
            public int Id { get; set; }

            [DataMember(Order = 2)]
            public string? Name { get; set; }

            [DataMember(Order = 3)]
            public double Price { get; set; }

            // OptionalField is BinaryFormatter's attribute for a member that was added later.
            [DataMember(Order = 4)]
            [field: OptionalField]
            public string? Note { get; set; }
        }
    }

    public static class Less
    {
        [Serializable, DataContract(Name = "Record", Namespace = "")]
        public class Record
        {
            [DataMember(Order = 1)]
            public int Id { get; set; }

            [DataMember(Order = 3)]
            public double Price { get; set; }
        }
    }

    public static class Swap
    {
        [Serializable, DataContract(Name = "Record", Namespace = "")]
        public class Record
        {
            [DataMember(Order = 3)]
            public double Price { get; set; }

            [DataMember(Order = 2)]
            public string? Name { get; set; }

            [DataMember(Order = 1)]
            public int Id { get; set; }
        }
    }

    public static class Rank
    {
        [Serializable, DataContract(Name = "Record", Namespace = "")]
        public class Record
        {
            [DataMember(Order = 1)]
            public double Price { get; set; }

            [DataMember(Order = 2)]
            public string? Name { get; set; }

            [DataMember(Order = 3)]
            public int Id { get; set; }
        }
    }
}
