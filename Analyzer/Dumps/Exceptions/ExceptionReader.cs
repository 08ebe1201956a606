using EtwSerializerProfiler.Dumps.Files;
using EtwSerializerProfiler.Dumps.Stacks;
using Microsoft.Diagnostics.Runtime;

namespace EtwSerializerProfiler.Dumps.Exceptions;

/// <summary>Reads exception objects. Damaged parts are omitted.</summary>
/// <param name="session">The dump.</param>
/// <param name="frames">Creates frames.</param>
internal sealed class ExceptionReader(DumpSession session, FrameReader frames)
{
    /// <summary>Maximum length of a chain; longer ones are damaged or cyclic.</summary>
    private const int MaxChainLength = 32;

    /// <summary>Maximum frames of a stack.</summary>
    private const int MaxFrames = 1_000;

    /// <summary>Reads an exception with its inner exceptions.</summary>
    public ExceptionObject Read(ClrException exception) => Read(exception, MaxChainLength);

    private ExceptionObject Read(ClrException exception, int max) =>
        new(
            exception.Address,
            Or(() => exception.Type.Name, null) ?? "[unknown type]",
            Or(() => exception.Message, null),
            Or(() => (int?)exception.HResult, null)
        )
        {
            Frames = Or(() => FramesOf(exception), []),
            Inner = max > 1 && Or(() => exception.Inner, null) is { } inner ? Read(inner, max - 1) : null,
        };

    private List<DumpFrame> FramesOf(ClrException exception)
    {
        var known = exception.EnumerateExceptionStackTrace().Take(MaxFrames).Select(frames.Read).OfType<DumpFrame>().ToList();
        return known.Count > 0 ? known : RecordedStack.Methods(session, exception).Take(MaxFrames).Select(frames.Read).ToList();
    }

    /// <summary>Reads a value, or returns a fallback: on damaged memory ClrMD can throw any exception.</summary>
    private static T Or<T>(Func<T> read, T without)
    {
        try
        {
            return read();
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            return without;
        }
    }
}
