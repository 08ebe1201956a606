namespace EtwSerializerProfiler.Marks;

/// <summary>
/// Names of the operations a run can measure. Each has a method of its own in <see cref="RunMarker"/> (name + "Duration"),
/// so that the marker thread's wait stack names the operation in a trace that carries no run marks.
/// </summary>
public static class RunOperation
{
    /// <summary>Object graph to bytes.</summary>
    public const string Serialize = nameof(Serialize);

    /// <summary>Bytes to object graph, every object touched once.</summary>
    public const string Deserialize = nameof(Deserialize);

    /// <summary>Serialize and deserialize in one window.</summary>
    public const string Combined = nameof(Combined);

    /// <summary>Nothing, in a fresh process: what the process and its marks cost by themselves.</summary>
    public const string StartRuntime = nameof(StartRuntime);

    /// <summary>Construction of the serializer in a fresh process, without a use of it.</summary>
    public const string Construct = nameof(Construct);

    /// <summary>Construction of the serializer and its first serialize in a fresh process.</summary>
    public const string FirstSerialize = nameof(FirstSerialize);

    /// <summary>Construction of the serializer and its first deserialize in a fresh process.</summary>
    public const string FirstDeserialize = nameof(FirstDeserialize);

    /// <summary>Any other operation: a program's own benchmark, or a whole program that marks no run.</summary>
    public const string Run = nameof(Run);
}
