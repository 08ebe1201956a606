using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Symbols.Async;

/// <summary>
/// Finds the code of an async method by the name that the task library gives it: that of the compiler-generated type, without namespace and
/// containing types. A name that two types have finds nothing.
/// </summary>
internal sealed class StateMachines
{
    private const string MoveNext = nameof(MoveNext);

    /// <summary>By name the method's code, and its type without type arguments; null for several types.</summary>
    private readonly Dictionary<string, (MethodCode Code, string Type, bool HasInstances)?> _methods = new(StringComparer.Ordinal);

    /// <summary>Creates it from all code of a process.</summary>
    public StateMachines(IEnumerable<MethodCode> codes)
    {
        foreach (var code in codes)
        {
            if (code.Name != MoveNext)
                continue;
            var (name, type) = (SimpleName(code.Namespace), TypeOf(code.Namespace));
            if (!_methods.TryGetValue(name, out var known))
                _methods.Add(name, (code, type, false));
            else if (known is { } other)
                _methods[name] =
                    other.Type == type && other.Code.ModuleId == code.ModuleId
                        ? (other.Code, type, other.HasInstances || other.Code.Namespace != code.Namespace)
                        : null;
        }
    }

    /// <summary>Finds a method.</summary>
    /// <param name="name">Name of its state machine.</param>
    /// <param name="code">A piece of its code. The type has no type arguments when there are several instances.</param>
    public bool TryFind(string name, out MethodCode code)
    {
        code = default;
        if (_methods.GetValueOrDefault(name) is not { } found)
            return false;
        code = found.HasInstances ? found.Code with { Namespace = found.Type, MethodId = 0 } : found.Code;
        return true;
    }

    /// <summary>Whether a method is that of a state machine.</summary>
    public static bool IsOf(string name, CodeSymbol symbol) =>
        symbol.Kind == CodeKind.Managed
        && symbol.Name.EndsWith("." + MoveNext, StringComparison.Ordinal)
        && SimpleName(symbol.TypeName) == name;

    private static string TypeOf(string type) => type.IndexOf('[', StringComparison.Ordinal) is >= 0 and var end ? type[..end] : type;

    private static string SimpleName(string type) => TypeOf(type) is var name ? name[(name.LastIndexOf('+') + 1)..] : "";
}
