namespace EtwSerializerProfiler.Marks;

/// <summary>
/// Names of the operations that a run can measure. Each has a method in <see cref="RunMarker"/> (name + "Duration"),
/// so that the marker thread's wait stack names the operation even in a trace without run marks.
/// </summary>
public static class RunOperation
{
    /// <summary>From object graph to bytes.</summary>
    public const string Serialize = nameof(Serialize);

    /// <summary>From bytes to object graph, with every object touched once.</summary>
    public const string Deserialize = nameof(Deserialize);

    /// <summary>Serialize and deserialize in one window.</summary>
    public const string Combined = nameof(Combined);

    /// <summary>Nothing, in a fresh process: the cost of the process and its marks.</summary>
    public const string StartRuntime = nameof(StartRuntime);

    /// <summary>Construction of the serializer in a fresh process without using it.</summary>
    public const string Construct = nameof(Construct);

    /// <summary>Construction of the serializer and its first serialize in a fresh process.</summary>
    public const string FirstSerialize = nameof(FirstSerialize);

    /// <summary>Construction of the serializer and its first deserialize in a fresh process.</summary>
    public const string FirstDeserialize = nameof(FirstDeserialize);

    /// <summary>Any other operation: a user's benchmark, or a whole program without marked runs.</summary>
    public const string Run = nameof(Run);
}
