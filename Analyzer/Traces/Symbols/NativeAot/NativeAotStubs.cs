using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Traces.Symbols.NativeAot;

/// <summary>Recognizes the stubs that the NativeAOT compiler generates, by their symbols.</summary>
/// <remarks>
/// Names are those of the nodes in ILCompiler.Compiler and of the emitted IL in Common/TypeSystem/IL/Stubs of dotnet/runtime.
/// </remarks>
internal static partial class NativeAotStubs
{
    /// <summary>Name of stubs that look up type arguments of shared generic code.</summary>
    public const string GenericDictionary = RuntimeStubs.Prefix + "generic dictionary";

    /// <summary>Name of stubs that access static fields after running the static constructor.</summary>
    public const string Statics = RuntimeStubs.Prefix + "static fields";

    /// <summary>Name of stubs that MethodInfo.Invoke calls.</summary>
    public const string ReflectionInvoke = RuntimeStubs.Prefix + "reflection invoke";

    /// <summary>Name of stubs that create and call delegates.</summary>
    public const string Delegate = RuntimeStubs.Prefix + "delegate";

    private static readonly (Regex Symbols, NativeAotMethod Stub)[] s_all =
    [
        (GenericDictionarySymbols(), Of(GenericDictionary)),
        (StaticsSymbols(), Of(Statics)),
        (ReflectionInvokeSymbols(), Of(ReflectionInvoke)),
        (UnboxingSymbols(), Of(RuntimeStubs.Prefix + "unboxing")),
        (DelegateSymbols(), Of(Delegate)),
        (FieldSymbols(), Of(RuntimeStubs.Prefix + "ValueType fields")),
    ];

    /// <summary>The stub that a symbol names; null for other code.</summary>
    public static NativeAotMethod? Find(string symbol)
    {
        foreach (var (symbols, stub) in s_all)
        {
            if (symbols.IsMatch(symbol))
                return stub;
        }

        return null;
    }

    private static NativeAotMethod Of(string name) => new(null, name, IsStub: true);

    [GeneratedRegex("^__GenericLookupFrom(Type|Dict)_")]
    private static partial Regex GenericDictionarySymbols();

    [GeneratedRegex("^__Get(NonGC|GC|Thread)StaticBase_")]
    private static partial Regex StaticsSymbols();

    [GeneratedRegex("^Internal_CompilerGenerated__Module___<DynamicInvoke>")]
    private static partial Regex ReflectionInvokeSymbols();

    [GeneratedRegex("^unbox_|__<unbox>")]
    private static partial Regex UnboxingSymbols();

    [GeneratedRegex(
        "^__DelegateCtor_|__(Invoke(OpenStatic|OpenInstance|ClosedStatic|Multicast|ObjectArray|InstanceClosedOverGenericMethod)Thunk|GetThunk)$"
    )]
    private static partial Regex DelegateSymbols();

    [GeneratedRegex("____GetFieldHelper$")]
    private static partial Regex FieldSymbols();
}
