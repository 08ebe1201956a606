namespace EtwSerializerProfiler.Sessions.Etw.Ownership;

/// <summary>An error of starting or stopping sessions.</summary>
/// <param name="HResult">The error as an HRESULT; a Win32 error n is 0x8007nnnn.</param>
/// <param name="Name">Its name in winerror.h, or its source.</param>
/// <param name="Meaning">What it means for sessions.</param>
/// <param name="Fix">How to fix it.</param>
public sealed record EtwError(uint HResult, string Name, string Meaning, string Fix)
{
    /// <summary>Number and name.</summary>
    public string Title => $"0x{HResult:X8} ({Name})";

    /// <summary>Number, name, meaning and fix in one line.</summary>
    public override string ToString() => $"{Title}: {Meaning}; {Fix}";
}
