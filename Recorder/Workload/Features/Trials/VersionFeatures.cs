using EtwSerializerProfiler.Workload.Features.Data;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Data of an older version of a class.</summary>
internal static class VersionFeatures
{
    /// <summary>Name of the table.</summary>
    public const string Group = "Versions";

    private const double Price = 2.5;

    public static IReadOnlyList<Feature> All { get; } =
    [
        new VersionFeature<VersionData.Orig.Record, VersionData.More.Record>(
            "member-added",
            "member added",
            "The reading class has one more member (with OptionalField, as BinaryFormatter requires); the others keep their values.",
            Old,
            actual => Lost(actual.Id, actual.Name, actual.Price) ?? (actual.Note is null ? null : $"the new member is '{actual.Note}'")
        ),
        new VersionFeature<VersionData.Orig.Record, VersionData.Less.Record>(
            "member-removed",
            "member removed",
            "The reading class lacks the member in the middle; the others keep their values.",
            Old,
            actual => Lost(actual.Id, "seven", actual.Price)
        ),
        new VersionFeature<VersionData.Orig.Record, VersionData.Swap.Record>(
            "members-reordered",
            "members reordered",
            "The reading class declares its members in another order, with unchanged numbers in DataMember.",
            Old,
            actual => Lost(actual.Id, actual.Name, actual.Price)
        ),
        new VersionFeature<VersionData.Orig.Record, VersionData.Rank.Record>(
            "members-renumbered",
            "members renumbered",
            "The reading class has other numbers in DataMember(Order).",
            Old,
            actual => Lost(actual.Id, actual.Name, actual.Price)
        ),
    ];

    private static VersionData.Orig.Record Old() =>
        new()
        {
            Id = 7,
            Name = "seven",
            Price = Price,
        };

    private static string? Lost(int id, string? name, double price)
    {
        var lost = new List<string>();
        if (id != 7)
            lost.Add(FormattableString.Invariant($"Id is {id}, not 7"));
        if (name != "seven")
            lost.Add($"Name is {(name is null ? "null" : $"'{name}'")}, not 'seven'");
        if (price != Price)
            lost.Add(FormattableString.Invariant($"Price is {price}, not {Price}"));
        return lost.Count == 0 ? null : string.Join("; ", lost);
    }
}
