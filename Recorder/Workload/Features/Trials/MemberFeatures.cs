using EtwSerializerProfiler.Workload.Features.Data;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Which members of a class a serializer writes and reads.</summary>
internal static class MemberFeatures
{
    private const string Group = "Members";

    public static IReadOnlyList<Feature> All { get; } =
    [
        new RoundTripFeature<MemberData.PublicProperties>(
            "public-properties",
            Group,
            "public properties",
            "Public properties, not virtual, with public setters.",
            () => new() { Id = 7, Name = "seven" }
        ),
        new RoundTripFeature<MemberData.VirtualProperties>(
            "virtual-properties",
            Group,
            "virtual properties",
            "Virtual properties. A serializer that reads these, but not other public properties, requires virtual ones.",
            () => new() { Id = 7, Name = "seven" }
        ),
        new RoundTripFeature<MemberData.PublicFields>(
            "public-fields",
            Group,
            "public fields",
            "Public fields.",
            () => new() { Id = 7, Name = "seven" }
        ),
        new RoundTripFeature<MemberData.PrivateFields>(
            "private-fields",
            Group,
            "private fields",
            "A private field with DataMember.",
            () => MemberData.PrivateFields.Create("hidden"),
            (expected, actual) => Texts("the private field", expected.Secret(), actual.Secret())
        ),
        new RoundTripFeature<MemberData.PrivateSetters>(
            "private-setters",
            Group,
            "private setters",
            "A property with a private setter.",
            () => MemberData.PrivateSetters.Create("seven")
        ),
        new RoundTripFeature<MemberData.GetOnlyProperties>(
            "get-only-properties",
            Group,
            "get-only properties",
            "A property without setter in a class with a parameterless constructor.",
            () => new("seven")
        ),
        new RoundTripFeature<MemberData.GetOnlyCollections>(
            "get-only-collections",
            Group,
            "get-only collections",
            "A List<int> property without setter, created empty by its class.",
            () => new() { Items = { 7, 8 } }
        ),
        new RoundTripFeature<MemberData.ReadOnlyFields>(
            "readonly-fields",
            Group,
            "readonly fields",
            "A public readonly field in a class with a parameterless constructor.",
            () => new(7)
        ),
        new RoundTripFeature<MemberData.WithConstructor>(
            "no-default-constructor",
            Group,
            "no parameterless constructor",
            "A class whose only constructor has parameters named like its properties, which have setters.",
            () => new(7, "seven")
        ),
        new RoundTripFeature<MemberData.Immutable>(
            "immutable",
            Group,
            "immutable class",
            "A class whose properties have no setters and whose only constructor has parameters with their names.",
            () => new(7, "seven")
        ),
        new RoundTripFeature<MemberData.WithStruct>(
            "structs",
            Group,
            "structs",
            "A property whose type is a struct with two properties.",
            () =>
                new()
                {
                    Place = new MemberData.Place { X = 3, Y = 4 },
                }
        ),
    ];

    private static string? Texts(string what, string? expected, string? actual) =>
        expected == actual ? null : $"{what} is {(actual is null ? "null" : $"'{actual}'")}, not '{expected}'";
}
