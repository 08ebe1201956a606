namespace EtwSerializerProfiler.TestSupport;

/// <summary>
/// Values of the trait that marks tests which start and record programs: <c>dotnet test --filter-not-trait Kind=Records</c> runs only the
/// logic tests.
/// </summary>
public static class TestKind
{
    /// <summary>Name of the trait.</summary>
    public const string Trait = "Kind";

    /// <summary>
    /// Starts and records programs. Asserts only what holds on a machine under any load: runs found, sums, orders, losses reported, exit
    /// codes.
    /// </summary>
    public const string Records = "Records";
}
