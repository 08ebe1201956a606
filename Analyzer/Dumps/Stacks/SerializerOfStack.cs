namespace EtwSerializerProfiler.Dumps.Stacks;

/// <summary>Finds the serializer of a stack.</summary>
internal static class SerializerOfStack
{
    /// <summary>
    /// The serializer of the outermost entry frame. Otherwise, if the suite calls a serializer that its catalog lacks (as in some
    /// scenarios), the called type; otherwise the outermost frame of a serializer's library; otherwise null.
    /// </summary>
    /// <param name="frames">The stack, leaf first.</param>
    public static string? Of(IReadOnlyList<DumpFrame> frames)
    {
        if (frames.LastOrDefault(frame => frame.IsEntry) is { } entry)
            return entry.Serializer;
        for (var i = frames.Count - 1; i > 0; i--)
        {
            if (frames[i].IsContract)
                return $"{frames[i].Serializer} {TypeName(frames[i - 1].Method)}";
        }

        return frames.LastOrDefault(frame => frame.Serializer is not null)?.Serializer;
    }

    /// <summary>The name of a method's type without its namespace.</summary>
    private static string TypeName(string method)
    {
        var parts = method.Split('(')[0].Split('.');
        return parts.Length > 1 ? parts[^2] : method;
    }
}
