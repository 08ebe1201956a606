namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>A method as calls name it: by its generic definition.</summary>
/// <param name="Type">Full name of its type, without type arguments.</param>
/// <param name="Name">Its name.</param>
/// <param name="Parameters">Number of its parameters; null when its metadata is missing.</param>
/// <param name="IsVirtual">Whether it can be called through another type; true when its metadata is missing.</param>
internal sealed record MethodIdentity(string Type, string Name, int? Parameters, bool IsVirtual)
{
    /// <summary>What an interface calls it: the name of an explicit implementation is preceded by that of the interface.</summary>
    public string InterfaceName { get; } = Name.LastIndexOf('.') is > 0 and var dot ? Name[(dot + 1)..] : Name;
}
