namespace EtwSerializerProfiler.TestSupport;

/// <summary>Names of the trait that tells apart what needs a machine of its own pace: <c>dotnet test --filter-not-trait Kind=Records</c> runs the logic tests alone.</summary>
public static class TestKind
{
    /// <summary>Name of the trait.</summary>
    public const string Trait = "Kind";

    /// <summary>Starts and records programs. Asserts only what holds on a machine under any load: runs found, sums, orders, losses reported, exit codes.</summary>
    public const string Records = "Records";
}
