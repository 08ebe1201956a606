namespace EtwSerializerProfiler.TestSupport;

/// <summary>What a test, or every test of a class, needs and a machine may lack. Without it the tests of a class are one skipped test (<see cref="NeedsFramework"/>).</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method, AllowMultiple = true)]
internal abstract class NeedAttribute : Attribute
{
    /// <summary>Why the tests cannot run here; null when they can.</summary>
    public abstract string? Missing { get; }
}
