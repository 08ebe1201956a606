namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A method has code at an address: MethodLoadVerbose while the program runs, MethodDCEndVerbose at the end of the session.</summary>
/// <param name="At">When and where.</param>
/// <param name="MethodId">The runtime's id of the method; all its code has the same.</param>
/// <param name="ModuleId">The runtime's id of its module.</param>
/// <param name="Start">First address of the code.</param>
/// <param name="Size">Bytes of code.</param>
/// <param name="Tier">How the code was made.</param>
/// <param name="IsRundown">The event lists code that exists at the end of the session; when it was made is not known by it.</param>
/// <param name="Namespace">Full name of the type, <c>dynamicClass</c> for dynamic methods and stubs.</param>
/// <param name="Name">Name of the method.</param>
/// <param name="Signature">Return and parameter types in the runtime's notation.</param>
public readonly record struct MethodCode(
    EventAt At, long MethodId, long ModuleId, ulong Start, uint Size, CodeTier Tier, bool IsRundown, string Namespace, string Name, string Signature)
{
    /// <summary>The runtime's id of the code among those of the method; null when the event does not carry it.</summary>
    public long? NativeCodeId { get; init; }

    /// <summary>Metadata token of the method (MethodDef) in its module; 0 when the event does not carry it.</summary>
    public int Token { get; init; }
}
