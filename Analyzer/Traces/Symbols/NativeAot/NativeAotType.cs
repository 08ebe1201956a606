namespace EtwSerializerProfiler.Traces.Symbols.NativeAot;

/// <summary>A type by its name, in the form of the runtime's events.</summary>
/// <param name="Assembly">Simple name of its assembly.</param>
/// <param name="Namespace">Its namespace; empty for the global one.</param>
/// <param name="Name">Full name: nested types after a plus, type arguments in brackets.</param>
internal sealed record NativeAotType(string Assembly, string Namespace, string Name)
{
    /// <summary>Maximum characters of all type arguments: each level of damaged metadata can double them.</summary>
    private const int MaxArgumentsLength = 1 << 14;

    /// <summary>The type without type arguments.</summary>
    public NativeAotType Definition =>
        Name.IndexOf('[', StringComparison.Ordinal) is > 0 and var at ? this with { Name = Name[..at] } : this;

    /// <summary>A type that is nested in it.</summary>
    public NativeAotType Nested(string name) => this with { Name = $"{Name}+{name}" };

    /// <summary>A generic instance of it; the definition when an argument is unknown or the name is too long.</summary>
    public NativeAotType Of(IReadOnlyList<NativeAotType?> arguments) =>
        arguments.Contains(null) || arguments.Sum(argument => (long)argument!.Name.Length) > MaxArgumentsLength
            ? this
            : this with
            {
                Name = $"{Name}[{string.Join(',', arguments.Select(argument => argument!.Name))}]",
            };
}

/// <summary>A managed method of a program compiled by NativeAOT.</summary>
/// <param name="Type">Its type; null when it has none or an unknown one.</param>
/// <param name="Name">Name without its type; empty when it is not known.</param>
/// <param name="IsStub">Whether the compiler generated it; <paramref name="Name"/> is then its purpose.</param>
internal sealed record NativeAotMethod(NativeAotType? Type, string Name, bool IsStub = false);
