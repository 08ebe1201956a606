using EtwSerializerProfiler.Dumps.Stacks;

namespace EtwSerializerProfiler.Dumps.Exceptions;

/// <summary>An exception object.</summary>
/// <param name="Address">Its address.</param>
/// <param name="Type">Full name of its type.</param>
/// <param name="Message">Its message; null when it has none or it is unreadable.</param>
/// <param name="HResult">Its HRESULT; null when unreadable.</param>
public sealed record ExceptionObject(ulong Address, string Type, string? Message, int? HResult)
{
    /// <summary>Frames that it passed, throwing frame first; empty when it was not thrown, or has not passed a frame yet.</summary>
    public IReadOnlyList<DumpFrame> Frames { get; init; } = [];

    /// <summary>The exception that caused it; null for none.</summary>
    public ExceptionObject? Inner { get; init; }

    /// <summary>This exception and its inner exceptions, outermost first.</summary>
    public IEnumerable<ExceptionObject> Chain
    {
        get
        {
            for (var exception = this; exception is not null; exception = exception.Inner)
                yield return exception;
        }
    }

    /// <summary>Whether it was thrown, that is, has frames.</summary>
    public bool IsThrown => Frames.Count > 0;
}
