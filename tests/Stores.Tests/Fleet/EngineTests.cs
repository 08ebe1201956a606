namespace EtwSerializerProfiler.Stores.Tests.Fleet;

/// <summary>Tests that start servers; one after the other, and beside no other test.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class EngineTests : ICollectionFixture<ClickHouseFixture>
{
    /// <summary>Name of the collection.</summary>
    public const string Name = "Engines";
}
