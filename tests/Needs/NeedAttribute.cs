namespace EtwSerializerProfiler.TestSupport;

/// <summary>
/// A requirement of a test, or of every test of a class, that a machine may lack. If it is missing, the tests of a class become one skipped
/// test (<see cref="NeedsFramework"/>).
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method, AllowMultiple = true)]
internal abstract class NeedAttribute : Attribute
{
    /// <summary>Why the tests cannot run here; null when they can.</summary>
    public abstract string? Missing { get; }
}
