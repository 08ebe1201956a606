using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Class library methods that identify known issues on stacks.</summary>
internal static class KnownFrames
{
    private const string Contracts = "System.Runtime.Serialization.";

    /// <summary>
    /// Methods that look up the contract of a type or its id, under one lock for all threads up to .NET 6. Their type is DataContract or
    /// nested in it; .NET 7 moved it to the namespace DataContracts.
    /// </summary>
    public static bool IsContractLookup(CodeSymbol symbol) =>
        symbol.TypeName.StartsWith(Contracts + "DataContract", StringComparison.Ordinal)
        && Method(symbol) is "GetBuiltInDataContract" or "GetId";

    /// <summary>
    /// Methods that read base64 text from XML: XmlBaseReader and its subclasses, XmlDictionaryReader, and the data contracts' reader
    /// wrapper.
    /// </summary>
    public static bool IsBase64Read(CodeSymbol symbol) =>
        (
            symbol.TypeName is Contracts + "XmlReaderDelegator"
            || (
                symbol.TypeName.StartsWith("System.Xml.Xml", StringComparison.Ordinal)
                && symbol.TypeName.EndsWith("Reader", StringComparison.Ordinal)
            )
        )
        && Method(symbol) is var method
        && (method is "ReadBytes" || method.Contains("Base64", StringComparison.Ordinal));

    /// <summary>Methods that read an object by its data contract.</summary>
    public static bool IsContractRead(CodeSymbol symbol) =>
        (
            symbol.TypeName.StartsWith(Contracts + "XmlObjectSerializer", StringComparison.Ordinal)
            || symbol.TypeName.StartsWith(Contracts + "DataContract", StringComparison.Ordinal)
        )
        && Method(symbol) is var method
        && (method.Contains("Read", StringComparison.Ordinal) || method.Contains("Deserialize", StringComparison.Ordinal));

    /// <summary>Lock types: Monitor, Lock, SpinLock…</summary>
    public static bool IsThreading(CodeSymbol symbol) =>
        symbol.Kind == CodeKind.Managed && symbol.TypeName.StartsWith("System.Threading.", StringComparison.Ordinal);

    /// <summary>Code of the program or its libraries: neither the class library's nor the runtime's.</summary>
    public static bool IsProgram(CodeSymbol symbol) =>
        symbol is { Kind: CodeKind.Managed, IsNamed: true, IsStub: false }
        && !(
            symbol.TypeName.StartsWith("System.", StringComparison.Ordinal)
            || symbol.Module.StartsWith("System.", StringComparison.OrdinalIgnoreCase)
            || symbol.Module.StartsWith("mscorlib", StringComparison.OrdinalIgnoreCase)
        );

    private static string Method(CodeSymbol symbol) =>
        symbol.Name.Length > symbol.TypeName.Length ? symbol.Name[(symbol.TypeName.Length + 1)..] : "";
}
