using System.Buffers.Binary;
using System.Text;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>
/// Names of native and kernel code in the form of the runtime's rundown (MethodDCEndVerbose, ModuleDCEnd): tools for .etl files take names
/// of code from the trace only in this form. The method's signature marks it as such a name; no runtime writes such a signature.
/// </summary>
internal static class CodeNamePayload
{
    /// <summary>MethodDCEndVerbose and ModuleDCEnd of the rundown provider.</summary>
    public const ushort MethodEvent = 144;
    public const ushort ModuleEvent = 154;

    /// <summary>Version of both events; their last field is the instance of the runtime.</summary>
    public const byte Version = 1;

    /// <summary>Maximum text length: three such texts fit into a record of 64 KB. Names of C++ code can be longer.</summary>
    private const int MaxText = 8000;

    /// <summary>
    /// Signature of precompiled methods, whose real one is unknown; otherwise they look like methods in the runtime's events.
    /// </summary>
    private const string Precompiled = "()";

    private const string Mark = "esp-analyze: ";
    private const string Native = Mark + "native code";
    private const string Kernel = Mark + "kernel code";
    private const string Mapped = Mark + "code of a perf map";
    private const string Stub = Mark + "stub of the runtime";
    private const string Heap = Mark + "code without a name";

    /// <summary>Signature for a symbol that needs an exported name; empty when the trace names it anyway.</summary>
    public static string SignatureOf(CodeSymbol symbol) =>
        symbol switch
        {
            { IsOfFile: true } => Precompiled,
            { MethodId: not 0 } or { Kind: CodeKind.Unknown } => "",
            { Kind: CodeKind.Kernel } => symbol.IsNamed ? Kernel : "",
            { Kind: CodeKind.Native } => symbol.IsNamed ? Native : "",
            { IsStub: true } => Stub,
            { IsNamed: true } => Mapped,
            { Module: SymbolResolver.CodeHeap } => Heap,
            _ => "",
        };

    /// <summary>Reads a name, if a method of the rundown stands for one.</summary>
    public static bool TryRead(in MethodCode code, out CodeName name)
    {
        name = default;
        if (!code.Signature.StartsWith(Mark, StringComparison.Ordinal))
            return false;
        var kind = code.Signature switch
        {
            Native => CodeKind.Native,
            Kernel => CodeKind.Kernel,
            _ => CodeKind.Managed,
        };
        name = new CodeName(
            code.At,
            code.Start,
            code.Size,
            kind,
            code.ModuleId,
            code.Signature == Heap ? "" : code.Name,
            code.Signature == Stub
        );
        return true;
    }

    /// <summary>Creates the payload of a name or a method.</summary>
    public static byte[] Method(long id, ulong start, uint size, long module, string type, string name, string signature, CodeTier tier)
    {
        var texts = Encoding.Unicode.GetBytes($"{Cut(type)}\0{Cut(name)}\0{Cut(signature)}\0");
        var payload = new byte[MethodCodePayload.FixedSize + texts.Length + 2];
        BinaryPrimitives.WriteInt64LittleEndian(payload, id);
        BinaryPrimitives.WriteInt64LittleEndian(payload.AsSpan(8), module);
        BinaryPrimitives.WriteInt64LittleEndian(payload.AsSpan(16), (long)start);
        BinaryPrimitives.WriteUInt32LittleEndian(payload.AsSpan(24), size);
        BinaryPrimitives.WriteInt32LittleEndian(payload.AsSpan(32), MethodCodePayload.FlagsOf(tier));
        texts.CopyTo(payload, MethodCodePayload.FixedSize);
        return payload;
    }

    /// <summary>Creates the payload of a module.</summary>
    public static byte[] Module(long module, string path)
    {
        var texts = Encoding.Unicode.GetBytes($"{Cut(path)}\0\0");
        var payload = new byte[24 + texts.Length + 2];
        BinaryPrimitives.WriteInt64LittleEndian(payload, module);
        BinaryPrimitives.WriteInt64LittleEndian(payload.AsSpan(8), module);
        texts.CopyTo(payload, 24);
        return payload;
    }

    private static string Cut(string text) => text.Length > MaxText ? text[..MaxText] : text;
}
