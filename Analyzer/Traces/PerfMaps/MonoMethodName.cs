using System.Text;

namespace EtwSerializerProfiler.Traces.PerfMaps;

/// <summary>
/// A name as Mono's JIT map writes it, taken apart and written as .NET's events do: <c>Ns.Outer/Inner`1&lt;int&gt;:Method&lt;T&gt; (args)</c>, with a wrapper's kind in brackets before
/// it, or the name of a trampoline. (mono_method_full_name and mono_emit_jit_tramp of Mono 6.8.)
/// </summary>
/// <param name="Type">Full name of the type, <c>dynamicClass</c> for a dynamic method; empty for code of the runtime.</param>
/// <param name="Name">Name of the method; of the runtime's code what it is.</param>
public readonly record struct MonoMethodName(string Type, string Name)
{
    private const string WrapperPrefix = "(wrapper ";

    /// <summary>Wrappers that stand for the method they wrap: a call into the runtime, or one with a check before it.</summary>
    private static readonly HashSet<string> s_transparent = ["managed-to-native", "managed-to-managed", "remoting-invoke", "remoting-invoke-with-check", "synchronized", "unbox", "xdomain-invoke"];

    /// <summary>C#'s names of types, which Mono uses for those of the core library.</summary>
    private static readonly Dictionary<string, string> s_types = new()
    {
        ["object"] = "System.Object",
        ["string"] = "System.String",
        ["bool"] = "System.Boolean",
        ["char"] = "System.Char",
        ["sbyte"] = "System.SByte",
        ["byte"] = "System.Byte",
        ["int16"] = "System.Int16",
        ["uint16"] = "System.UInt16",
        ["short"] = "System.Int16",
        ["ushort"] = "System.UInt16",
        ["int"] = "System.Int32",
        ["uint"] = "System.UInt32",
        ["long"] = "System.Int64",
        ["ulong"] = "System.UInt64",
        ["single"] = "System.Single",
        ["double"] = "System.Double",
        ["intptr"] = "System.IntPtr",
        ["uintptr"] = "System.UIntPtr",
    };

    /// <summary>Whether it is code that the runtime made for itself.</summary>
    public bool IsOfRuntime => Type.Length == 0;

    /// <summary>Takes a name apart; null for one that says nothing (Mono writes <c>(null)</c>).</summary>
    public static MonoMethodName? Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        if (text.Length == 0 || text == "(null)")
            return null;
        var wrapper = "";
        if (text.StartsWith(WrapperPrefix, StringComparison.Ordinal) && text.IndexOf(')', StringComparison.Ordinal) is var end and > 0)
        {
            wrapper = text[WrapperPrefix.Length..end];
            text = text[(end + 1)..].TrimStart();
        }

        var colon = OutsideOfBrackets(text, ':');
        if (colon <= 0)
            return new MonoMethodName("", wrapper.Length > 0 ? $"{wrapper} wrapper {text}" : text);
        var rest = text[(colon + 1)..];
        var arguments = rest.IndexOf(" (", StringComparison.Ordinal);
        var name = WithoutGenericArguments(arguments >= 0 ? rest[..arguments] : rest);
        var type = TypeName(text[..colon]);
        return wrapper switch
        {
            "" => new MonoMethodName(type, name),
            "dynamic-method" => new MonoMethodName("dynamicClass", name),
            _ when s_transparent.Contains(wrapper) => new MonoMethodName(type, name),
            _ => new MonoMethodName("", $"{wrapper} wrapper {type}.{name}"),
        };
    }

    private static string TypeName(string type)
    {
        if (s_types.TryGetValue(type.TrimEnd('[', ']'), out var known))
            return known + type[type.TrimEnd('[', ']').Length..];
        var name = new StringBuilder(type.Length);
        for (var i = 0; i < type.Length; i++)
        {
            // Behind the number of a generic type stand its arguments; elsewhere the brackets are part of a name that the compiler made.
            var end = type[i] == '<' && i > 0 && char.IsAsciiDigit(type[i - 1]) ? Closing(type, i) : -1;
            if (end > 0)
            {
                name.Append('[').Append(type, i + 1, end - i - 1).Append(']');
                i = end;
            }
            else
            {
                name.Append(type[i] == '/' ? '+' : type[i]);
            }
        }

        return name.ToString();
    }

    /// <summary>A method's type arguments end its name; brackets before other text are part of a name that the compiler made, or of an interface's.</summary>
    private static string WithoutGenericArguments(string name)
    {
        var start = name.EndsWith('>') ? name.IndexOf('<', 1 < name.Length ? 1 : 0) : -1;
        return start > 0 && Closing(name, start) == name.Length - 1 ? name[..start] : name;
    }

    private static int OutsideOfBrackets(string text, char wanted)
    {
        var depth = 0;
        for (var i = 0; i < text.Length; i++)
        {
            if (text[i] == wanted && depth == 0)
                return i;
            depth += text[i] == '<' ? 1 : text[i] == '>' && depth > 0 ? -1 : 0;
        }

        return -1;
    }

    private static int Closing(string text, int start)
    {
        var depth = 0;
        for (var i = start; i < text.Length; i++)
        {
            depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
            if (depth == 0)
                return i;
        }

        return -1;
    }
}
