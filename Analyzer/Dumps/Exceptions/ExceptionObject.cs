using EtwSerializerProfiler.Dumps.Stacks;

namespace EtwSerializerProfiler.Dumps.Exceptions;

/// <summary>An exception object.</summary>
/// <param name="Address">Its address.</param>
/// <param name="Type">Full name of its type.</param>
/// <param name="Message">Its message; null when it has none or it cannot be read.</param>
/// <param name="HResult">Its HRESULT; null when it cannot be read.</param>
public sealed record ExceptionObject(ulong Address, string Type, string? Message, int? HResult)
{
    /// <summary>Frames it went through, the throwing one first; none when it was not thrown, or not far enough yet.</summary>
    public IReadOnlyList<DumpFrame> Frames { get; init; } = [];

    /// <summary>The exception that caused it.</summary>
    public ExceptionObject? Inner { get; init; }

    /// <summary>It and those that caused it, outermost first.</summary>
    public IEnumerable<ExceptionObject> Chain
    {
        get
        {
            for (var exception = this; exception is not null; exception = exception.Inner)
                yield return exception;
        }
    }

    /// <summary>Whether it was thrown: it has frames.</summary>
    public bool IsThrown => Frames.Count > 0;
}
