namespace EtwSerializerProfiler.Options;

/// <summary>One entry of <c>-serializer</c>: chooses serializers by name, in any case.</summary>
/// <param name="Text">The name, or a part of it.</param>
/// <param name="Exact">Whether the whole name has to be equal (written <c>#name</c>); otherwise a part is enough.</param>
public readonly record struct SerializerFilter(string Text, bool Exact)
{
    /// <summary>Stands before a name that has to be equal as a whole.</summary>
    public const char ExactPrefix = '#';

    /// <summary>Whether the filter chooses the serializer called <paramref name="name"/>.</summary>
    public bool Matches(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return Exact ? name.Equals(Text, StringComparison.OrdinalIgnoreCase) : name.Contains(Text, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>The entry as it is written on the command line.</summary>
    public override string ToString() => Exact ? ExactPrefix + Text : Text;
}
