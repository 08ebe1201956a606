using EtwSerializerProfiler.Analysis.Catalog;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Stacktags;
using EtwSerializerProfiler.Traces.Symbols;
using Microsoft.Diagnostics.Runtime;

namespace EtwSerializerProfiler.Dumps.Stacks;

/// <summary>Creates frames from the debugging library's data, with the serializer of their code.</summary>
internal sealed class FrameReader
{
    /// <summary>Namespace of the code that XmlSerializer generates.</summary>
    private const string GeneratedNamespace = "Microsoft.Xml.Serialization.GeneratedAssembly";

    /// <summary>Frames that the runtime inserts where managed code calls it; they carry no information.</summary>
    private static readonly HashSet<string> s_transitions =
    [
        "InlinedCallFrame",
        "DebuggerU2MCatchHandlerFrame",
        "SoftwareExceptionFrame",
        "FaultingExceptionFrame",
        "HelperMethodFrame",
        "PrestubMethodFrame",
        "ProtectValueClassFrame",
        "GCFrame",
    ];

    private readonly Dictionary<ulong, DumpFrame> _methods = [];

    /// <summary>Creates the frame of a method; a method without a name is dynamic code.</summary>
    public DumpFrame Read(ClrMethod? method) => method is null ? new DumpFrame(DumpFrame.Unnamed, "", null, 0) : Of(method);

    /// <summary>Creates the frame; null for the runtime's transitions and for code without a name.</summary>
    public DumpFrame? Read(ClrStackFrame frame)
    {
        if (frame.Method is { } method)
            return Of(method) with { StackPointer = frame.StackPointer };
        if (frame.Kind == ClrStackFrameKind.ManagedMethod)
            return new DumpFrame(DumpFrame.Unnamed, "", null, frame.StackPointer);
        return frame.FrameName is { Length: > 0 } name && !s_transitions.Contains(name)
            ? new DumpFrame($"[{name}]", "", null, frame.StackPointer)
            : null;
    }

    private DumpFrame Of(ClrMethod method)
    {
        if (_methods.TryGetValue(method.MethodDesc, out var known))
            return known;
        var type = method.Type?.Name ?? "";
        var name =
            method.Signature is { Length: > 0 } signature ? signature
            : method.Name is { Length: > 0 } simple
                ? type.Length > 0 ? $"{type}.{simple}"
                    : simple
            : DumpFrame.Unnamed;
        var module = method.Type?.Module.Name is { Length: > 0 } path ? FileName(path) : "";
        var entry = Entry(name, method.Name ?? "", module);
        var contract =
            entry is null
            && module.StartsWith(SuiteCatalog.ContractModule + ".", StringComparison.OrdinalIgnoreCase)
            && type.StartsWith(SuiteCatalog.ContractType.TrimEnd('`'), StringComparison.Ordinal)
            && method.Name is SerializerTags.Serialize or SerializerTags.Deserialize
                ? method.Name
                : null;
        var frame = new DumpFrame(MethodNames.Simplify(name), module, entry ?? contract ?? Library(type, module), 0)
        {
            IsEntry = entry is not null,
            IsContract = contract is not null,
        };
        _methods.Add(method.MethodDesc, frame);
        return frame;
    }

    /// <summary>
    /// The serializer whose entry a method is. The catalogs have names without parameters; generic types have their arity and no arguments
    /// there.
    /// </summary>
    internal static string? Entry(string signature, string simpleName, string module)
    {
        var (method, simple) = (WithoutArguments(signature.Split('(')[0]), WithoutArguments(simpleName));
        var typeName =
            simple.Length > 0 && method.Length > simple.Length && method.EndsWith("." + simple, StringComparison.Ordinal)
                ? method[..^(simple.Length + 1)]
                : "";
        var tag = SerializerEntries.Suites.Matcher.Find(
            new CodeSymbol(CodeKind.Managed, module, "", method, IsNamed: true, 0, default) { TypeName = typeName }
        );
        return tag >= 0 && SerializerEntries.Suites.Entry(tag) is var (operation, serializer) ? $"{operation} {serializer}" : null;
    }

    private static string? Library(string type, string module)
    {
        if (type.StartsWith(GeneratedNamespace, StringComparison.Ordinal))
            return "XmlSerializer (generated)";
        var name = Path.GetFileNameWithoutExtension(module);
        return LibraryCatalog.Modules.Concat(LibraryCatalog.Packages).Any(known => known.Equals(name, StringComparison.OrdinalIgnoreCase))
            ? name
            : null;
    }

    /// <summary>
    /// A type's name without brackets: <c>List`1[[System.Int32, …]]</c> and <c>List&lt;System.Int32&gt;</c> are the same type.
    /// </summary>
    private static string WithoutArguments(string name)
    {
        var at = name.IndexOf('[', StringComparison.Ordinal);
        while (at >= 0)
        {
            var (end, depth) = (at, 0);
            do
            {
                depth +=
                    name[end] == '[' ? 1
                    : name[end] == ']' ? -1
                    : 0;
                end++;
            } while (depth > 0 && end < name.Length);
            name = name.Remove(at, end - at);
            at = name.IndexOf('[', StringComparison.Ordinal);
        }

        return name;
    }

    /// <summary>File name of a path from any system.</summary>
    internal static string FileName(string path) => path[(path.LastIndexOfAny(['/', '\\']) + 1)..];
}
