using System.Runtime.Serialization;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>A small object as services return it.</summary>
[DataContract]
public sealed class ContentionOrder
{
    /// <summary>Number of the order.</summary>
    [DataMember]
    public int Id { get; set; }

    /// <summary>Who ordered.</summary>
    [DataMember]
    public string Customer { get; set; } = "";

    /// <summary>What is to be paid.</summary>
    [DataMember]
    public decimal Price { get; set; }

    /// <summary>When.</summary>
    [DataMember]
    public DateTime Placed { get; set; }

    /// <summary>Declared as object, so that the contract of its value is looked up for every order; this look-up holds the lock.</summary>
    [DataMember]
    public object? Remark { get; set; }

    /// <summary>Orders 1 to <paramref name="count"/>.</summary>
    public static List<ContentionOrder> List(int count) =>
        [
            .. Enumerable
                .Range(1, count)
                .Select(id => new ContentionOrder
                {
                    Id = id,
                    Customer = "Customer " + (id % 100).ToString(System.Globalization.CultureInfo.InvariantCulture),
                    Price = id / 100m,
                    Placed = new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddSeconds(id),
                    Remark = id % 2 == 0 ? id : "by phone",
                }),
        ];
}
