using System.Runtime.Serialization;

namespace EtwSerializerProfiler.Workload.Features.Data;

/// <summary>Classes with dates and times.</summary>
public static class TimeData
{
    [Serializable, DataContract]
    public class Time
    {
        [DataMember(Order = 1)]
        public DateTime Value { get; set; }
    }

    [Serializable, DataContract]
    public class Limits
    {
        [DataMember(Order = 1)]
        public DateTime First { get; set; }

        [DataMember(Order = 2)]
        public DateTime Last { get; set; }
    }

    [Serializable, DataContract]
    public class Offset
    {
        [DataMember(Order = 1)]
        public DateTimeOffset Value { get; set; }
    }

    [Serializable, DataContract]
    public class Span
    {
        [DataMember(Order = 1)]
        public TimeSpan Value { get; set; }
    }
}
