using EtwSerializerProfiler.Workload.Features.Data;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>Objects whose type differs from the declared one. The opt-in passes the derived types to the serializer.</summary>
internal static class PolymorphismFeatures
{
    private const string Group = "Polymorphism";

    private static readonly IReadOnlyList<Type> s_dog = [typeof(PolymorphismData.Dog)];

    public static IReadOnlyList<Feature> All { get; } =
    [
        new RoundTripFeature<PolymorphismData.BaseMember>(
            "base-class",
            Group,
            "base class",
            "A property declared as base class holds a derived object.",
            () => new() { Animal = Dog() }
        )
        {
            OptIn = FeatureOptIn.KnownTypes,
            KnownTypes = s_dog,
        },
        new RoundTripFeature<PolymorphismData.AbstractMember>(
            "abstract-class",
            Group,
            "abstract class",
            "A property declared as abstract class holds a derived object.",
            () =>
                new()
                {
                    Shape = new PolymorphismData.Square { Edges = 4, Size = 1.5 },
                }
        )
        {
            OptIn = FeatureOptIn.KnownTypes,
            KnownTypes = [typeof(PolymorphismData.Square)],
        },
        new RoundTripFeature<PolymorphismData.InterfaceMember>(
            "interface",
            Group,
            "interface",
            "A property declared as interface holds an object of a class that implements it.",
            () => new() { Named = Dog() }
        )
        {
            OptIn = FeatureOptIn.KnownTypes,
            KnownTypes = s_dog,
        },
        new RoundTripFeature<PolymorphismData.ObjectMember>(
            "object-class",
            Group,
            "object: a class",
            "A property declared as object holds an object of a class.",
            () => new() { Value = Dog() }
        )
        {
            OptIn = FeatureOptIn.KnownTypes,
            KnownTypes = s_dog,
        },
        new RoundTripFeature<PolymorphismData.ObjectMember>(
            "object-int",
            Group,
            "object: an int",
            "A property declared as object holds an int and must be read as int.",
            () => new() { Value = 7 },
            (_, actual) => actual.Value is 7 ? null : $"Value is {Show(actual.Value)}, not a System.Int32"
        ),
        new RoundTripFeature<PolymorphismData.BaseItems>(
            "base-items",
            Group,
            "List of base class",
            "A list of the base class holds a base object and a derived one.",
            () =>
                new()
                {
                    Animals =
                    {
                        new PolymorphismData.Animal { Legs = 8 },
                        Dog(),
                    },
                }
        )
        {
            OptIn = FeatureOptIn.KnownTypes,
            KnownTypes = s_dog,
        },
        new RoundTripFeature<PolymorphismData.Animal>(
            "base-root",
            Group,
            "root of base class",
            "The root is declared as base class (the serializer's type argument) but is a derived object.",
            Dog
        )
        {
            OptIn = FeatureOptIn.KnownTypes,
            KnownTypes = s_dog,
        },
    ];

    private static PolymorphismData.Dog Dog() => new() { Legs = 4, Name = "Rex" };

    private static string Show(object? value) => value is null ? "null" : $"a {value.GetType().FullName}";
}
