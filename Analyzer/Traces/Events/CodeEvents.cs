using System.Buffers.Binary;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Events;

/// <summary>
/// A method has code at an address: MethodLoadVerbose while the program runs, MethodDCEndVerbose at the end of the session.
/// </summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="MethodId">The runtime's id of the method, shared by all its code.</param>
/// <param name="ModuleId">The runtime's id of its module.</param>
/// <param name="Start">First address of the code.</param>
/// <param name="Size">Bytes of code.</param>
/// <param name="Tier">Tier of the code.</param>
/// <param name="IsRundown">Whether the event lists code at the end of the session, so that its creation time is unknown.</param>
/// <param name="Namespace">Full name of the type, <c>dynamicClass</c> for dynamic methods and stubs.</param>
/// <param name="Name">Name of the method.</param>
/// <param name="Signature">Return and parameter types in the runtime's notation.</param>
public readonly record struct MethodCode(
    EventAt At,
    long MethodId,
    long ModuleId,
    ulong Start,
    uint Size,
    CodeTier Tier,
    bool IsRundown,
    string Namespace,
    string Name,
    string Signature
) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.MethodCode;

    static bool ITraceEvent.ShowsKind => true;

    /// <summary>The runtime's id of the code within the method; null when the event lacks it.</summary>
    public long? NativeCodeId { get; init; }

    /// <summary>Metadata token of the method (MethodDef) in its module; 0 when the event lacks it.</summary>
    public int Token { get; init; }
}

/// <summary>Code at an address was freed; other code may replace it.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="Start">Its first address.</param>
public readonly record struct MethodCodeFreed(EventAt At, ulong Start) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.MethodCode;
}

/// <summary>Name of native code in the trace itself: <c>esp-analyze export</c> writes the names known on the recorded machine.</summary>
/// <param name="At">Time of the event; the name holds for the whole trace.</param>
/// <param name="Start">First address.</param>
/// <param name="Size">Bytes.</param>
/// <param name="Kind">Kind of code.</param>
/// <param name="ModuleId">Id of its module, like that of a managed module.</param>
/// <param name="Name">The name; empty for unnamed code of the runtime.</param>
/// <param name="IsStub">Whether it is unannounced code of the runtime whose kind is known.</param>
public readonly record struct CodeName(EventAt At, ulong Start, uint Size, CodeKind Kind, long ModuleId, string Name, bool IsStub)
    : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.MethodCode;
}

/// <summary>A managed module was loaded.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="ModuleId">The runtime's id of the module.</param>
/// <param name="Path">Its file, or its name if it has none.</param>
public readonly record struct ModuleLoaded(EventAt At, long ModuleId, string Path) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.MethodCode;

    /// <summary>Whether the program created it in memory (Reflection.Emit).</summary>
    public bool IsDynamic { get; init; }
}

/// <summary>Names the PDB file of a module, which identifies the loaded file.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="ModuleId">The runtime's id of the module.</param>
/// <param name="Pdb">GUID of its PDB file.</param>
public readonly record struct ModulePdb(EventAt At, long ModuleId, Guid Pdb) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.MethodCode;
}

/// <summary>
/// A part of the inline tree of a piece of jitted code (Microsoft-Windows-DotNETRuntimePrivate, event 189); a view, valid during the call.
/// </summary>
public readonly ref struct InlineTreeChunk : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.MethodCode;

    /// <summary>Number of an unreadable chunk.</summary>
    public const int Damaged = -1;

    /// <summary>Creates a chunk.</summary>
    /// <param name="at">Time, process and thread.</param>
    /// <param name="methodId">The runtime's id of the method.</param>
    /// <param name="nativeCodeId">The runtime's id of the code within the method.</param>
    /// <param name="number">Number of the chunk, from 0.</param>
    /// <param name="isLast">Whether it is the tree's last chunk.</param>
    /// <param name="data">Its bytes.</param>
    public InlineTreeChunk(EventAt at, long methodId, long nativeCodeId, int number, bool isLast, ReadOnlySpan<byte> data)
    {
        At = at;
        MethodId = methodId;
        NativeCodeId = nativeCodeId;
        Number = number;
        IsLast = isLast;
        Data = data;
    }

    /// <summary>Time and compiling thread, directly after the method's load event.</summary>
    public EventAt At { get; }

    /// <summary>The runtime's id of the method.</summary>
    public long MethodId { get; }

    /// <summary>The runtime's id of the code within the method.</summary>
    public long NativeCodeId { get; }

    /// <summary>Number of the chunk, from 0; <see cref="Damaged"/> for an unreadable one.</summary>
    public int Number { get; }

    /// <summary>Whether it is the tree's last chunk.</summary>
    public bool IsLast { get; }

    /// <summary>Its bytes.</summary>
    public ReadOnlySpan<byte> Data { get; }
}

/// <summary>
/// IL offsets of a piece of code, from the runtime's map for debuggers (MethodILToNativeMap); a view, valid during the call. It is adjacent
/// to the code's event on the same thread: after its load, or before it in the rundown at the end.
/// </summary>
public readonly ref struct CodeStatements : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.MethodCode;

    /// <summary>Time, process and thread.</summary>
    public required EventAt At { get; init; }

    /// <summary>The runtime's id of the method, shared by all its code.</summary>
    public required long MethodId { get; init; }

    /// <summary>Whether the code was already loaded; else the code's event follows.</summary>
    public required bool IsOfLoaded { get; init; }

    /// <summary>IL offsets (i32), consecutively; negative ones mean no IL.</summary>
    public required ReadOnlySpan<byte> Instructions { get; init; }

    /// <summary>Offset in the code (u32) for each.</summary>
    public required ReadOnlySpan<byte> Offsets { get; init; }
}

/// <summary>Metadata of a method (runtime event 72), for methods that need no code, such as inlined ones.</summary>
/// <param name="MethodId">The runtime's id of the method.</param>
/// <param name="TypeId">The runtime's id of its type.</param>
/// <param name="Token">Its metadata token (MethodDef), in the module of its type.</param>
/// <param name="LoaderModuleId">The runtime's id of the module that loaded it: its own, or that of a type argument.</param>
public readonly record struct MethodDetails(long MethodId, long TypeId, int Token, long LoaderModuleId) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.MethodCode;
}

/// <summary>Metadata of a type (an entry of runtime event 15, BulkType); a view, valid during the call.</summary>
public readonly ref struct TypeDetails : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.MethodCode;

    private readonly ReadOnlySpan<byte> _parameters;

    /// <summary>Creates the details.</summary>
    /// <param name="typeId">The runtime's id of the type.</param>
    /// <param name="moduleId">The runtime's id of its module.</param>
    /// <param name="token">Its metadata token (TypeDef); 0 for types without one.</param>
    /// <param name="isArray">Whether it is an array.</param>
    /// <param name="parameters">Ids of its type arguments, or of an array's element type: 8 bytes each.</param>
    public TypeDetails(long typeId, long moduleId, int token, bool isArray, ReadOnlySpan<byte> parameters)
    {
        TypeId = typeId;
        ModuleId = moduleId;
        Token = token;
        IsArray = isArray;
        _parameters = parameters;
    }

    /// <summary>The runtime's id of the type.</summary>
    public long TypeId { get; }

    /// <summary>The runtime's id of its module.</summary>
    public long ModuleId { get; }

    /// <summary>Its metadata token (TypeDef); 0 for types without one.</summary>
    public int Token { get; }

    /// <summary>Whether it is an array.</summary>
    public bool IsArray { get; }

    /// <summary>Returns the ids of its type arguments, or of an array's element type, as a new array.</summary>
    public long[] Parameters()
    {
        if (_parameters.Length < 8)
            return [];
        var ids = new long[_parameters.Length / 8];
        for (var i = 0; i < ids.Length; i++)
            ids[i] = BinaryPrimitives.ReadInt64LittleEndian(_parameters[(8 * i)..]);
        return ids;
    }
}
