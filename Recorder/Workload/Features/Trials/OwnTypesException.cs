namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>A serializer takes only types of its own, so that a feature cannot be tried with it.</summary>
public sealed class OwnTypesException : Exception
{
    /// <summary>Creates it.</summary>
    public OwnTypesException()
        : base("The serializer takes only types of its own.")
    {
    }
}
