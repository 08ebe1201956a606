using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Events;

/// <summary>Methods of the class library that known diseases have on their stacks.</summary>
internal static class KnownFrames
{
    private const string Contracts = "System.Runtime.Serialization.";

    /// <summary>
    /// Methods that find the contract of a type or its number, under one lock for all threads up to .NET 6. Their type is DataContract or nested in it; .NET 7 moved it to the
    /// namespace DataContracts.
    /// </summary>
    public static bool IsContractLookup(CodeSymbol symbol) =>
        symbol.TypeName.StartsWith(Contracts + "DataContract", StringComparison.Ordinal) && Method(symbol) is "GetBuiltInDataContract" or "GetId";

    /// <summary>Reading of base64 text by a reader of XML: XmlBaseReader and its subclasses, XmlDictionaryReader, and the contracts' own view of a reader.</summary>
    public static bool IsBase64Read(CodeSymbol symbol) =>
        (symbol.TypeName is Contracts + "XmlReaderDelegator" || (symbol.TypeName.StartsWith("System.Xml.Xml", StringComparison.Ordinal) && symbol.TypeName.EndsWith("Reader", StringComparison.Ordinal))) &&
        Method(symbol) is var method && (method is "ReadBytes" || method.Contains("Base64", StringComparison.Ordinal));

    /// <summary>Reading of an object by its data contract.</summary>
    public static bool IsContractRead(CodeSymbol symbol) =>
        (symbol.TypeName.StartsWith(Contracts + "XmlObjectSerializer", StringComparison.Ordinal) || symbol.TypeName.StartsWith(Contracts + "DataContract", StringComparison.Ordinal)) &&
        Method(symbol) is var method && (method.Contains("Read", StringComparison.Ordinal) || method.Contains("Deserialize", StringComparison.Ordinal));

    /// <summary>A type of locks: Monitor, Lock, SpinLock…</summary>
    public static bool IsThreading(CodeSymbol symbol) => symbol.Kind == CodeKind.Managed && symbol.TypeName.StartsWith("System.Threading.", StringComparison.Ordinal);

    /// <summary>The program's own code, or that of a library that it brought: not the class library's and not the runtime's.</summary>
    public static bool IsProgram(CodeSymbol symbol) =>
        symbol is { Kind: CodeKind.Managed, IsNamed: true, IsStub: false }
        && !(symbol.TypeName.StartsWith("System.", StringComparison.Ordinal) || symbol.Module.StartsWith("System.", StringComparison.OrdinalIgnoreCase) || symbol.Module.StartsWith("mscorlib", StringComparison.OrdinalIgnoreCase));

    private static string Method(CodeSymbol symbol) => symbol.Name.Length > symbol.TypeName.Length ? symbol.Name[(symbol.TypeName.Length + 1)..] : "";
}
