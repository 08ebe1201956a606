using EtwSerializerProfiler.Dumps.Stacks;

namespace EtwSerializerProfiler.Dumps.Exceptions;

/// <summary>Finds in a thread's stack where it throws: while it does, the runtime's search for a handler, handlers and filters lie over the throwing frame.</summary>
internal static class ThrowStack
{
    private static readonly string[] s_search =
    [
        "System.Runtime.EH.", "System.Runtime.StackFrameIterator.", "System.AppContext.OnFirstChanceException", "System.Exception.", "System.Runtime.ExceptionServices.",
        "EtwSerializerProfiler.DumpHook.ThrowWatch.", // the recorder's own handler: until .NET 8 what calls it is native code
    ];

    /// <summary>The whole stack of an exception.</summary>
    /// <param name="recorded">What the exception has of it.</param>
    /// <param name="thread">The stack of the thread that threw it.</param>
    /// <returns><paramref name="recorded"/> when the thread does not throw any more.</returns>
    public static IReadOnlyList<DumpFrame> Of(IReadOnlyList<DumpFrame> recorded, IReadOnlyList<DumpFrame> thread)
    {
        var below = Of(thread);
        if (ReferenceEquals(below, thread))
            return recorded;
        if (recorded.Count == 0)
            return below;
        for (var i = 0; i < below.Count; i++)
        {
            if (below[i].Method == recorded[0].Method && below.Count - i >= recorded.Count)
                return [.. below.Skip(i)];
        }

        return recorded;
    }

    /// <summary>The frames from the throwing one on, of the outermost throw; all when none is searched for.</summary>
    /// <param name="frames">The stack, leaf first.</param>
    public static IReadOnlyList<DumpFrame> Of(IReadOnlyList<DumpFrame> frames)
    {
        for (var i = frames.Count - 1; i >= 0; i--)
        {
            if (s_search.Any(prefix => frames[i].Method.StartsWith(prefix, StringComparison.Ordinal)))
                return [.. frames.Skip(i + 1)];
        }

        return frames;
    }
}
