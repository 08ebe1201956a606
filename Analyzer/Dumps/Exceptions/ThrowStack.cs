using EtwSerializerProfiler.Dumps.Stacks;

namespace EtwSerializerProfiler.Dumps.Exceptions;

/// <summary>
/// Finds the throwing frame in a thread's stack. During a throw, frames of the runtime's search for a handler, of handlers and of filters
/// are above it.
/// </summary>
internal static class ThrowStack
{
    private static readonly string[] s_search =
    [
        "System.Runtime.EH.",
        "System.Runtime.StackFrameIterator.",
        "System.AppContext.OnFirstChanceException",
        "System.Exception.",
        "System.Runtime.ExceptionServices.",
        "EtwSerializerProfiler.DumpHook.ThrowWatch.", // the recorder's own handler; until .NET 8 native code calls it
    ];

    /// <summary>The complete stack of an exception.</summary>
    /// <param name="recorded">The stack in the exception object.</param>
    /// <param name="thread">The stack of the thread that threw it.</param>
    /// <returns><paramref name="recorded"/> when the thread no longer throws.</returns>
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

    /// <summary>The frames from the throwing one of the outermost throw; all frames when there is no throw.</summary>
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
