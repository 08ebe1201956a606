using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.PerfMaps;

/// <summary>
/// A name that the .NET runtime writes to a perf map or a jitdump, parsed into the parts of its events: <c>instance void [Module]
/// Ns.Type::Method(args)[Tier]</c>. (PerfMap::LogJITCompiledMethod of dotnet/runtime.)
/// </summary>
/// <param name="Module">Simple name of the method's assembly.</param>
/// <param name="Type">Full name of the type.</param>
/// <param name="Name">Name of the method.</param>
/// <param name="Signature">Return and parameter types in the runtime's notation.</param>
/// <param name="Tier">Tier of the code.</param>
public readonly record struct DotNetMapName(string Module, string Type, string Name, string Signature, CodeTier Tier)
{
    /// <summary>Prefix for names of runtime code without a method: <c>stub CreateHelper&lt;DynamicHelper&gt;</c>.</summary>
    private const string StubPrefix = "stub ";

    /// <summary>
    /// The same prefix with a number, <c>stub&lt;17&gt; Allocate&lt;FixupPrecode&gt;</c>: DOTNET_PerfMapStubGranularity has its lowest bit
    /// set.
    /// </summary>
    private const string NumberedStubPrefix = "stub<";

    private static readonly Dictionary<string, CodeTier> s_tiers = new()
    {
        ["MinOptJitted"] = CodeTier.MinOpt,
        ["Optimized"] = CodeTier.Optimized,
        ["QuickJitted"] = CodeTier.Tier0,
        ["OptimizedTier1"] = CodeTier.Tier1,
        ["OptimizedTier1OSR"] = CodeTier.Tier1Osr,
        ["InstrumentedTier"] = CodeTier.Tier0Instrumented,
        ["InstrumentedTierOptimized"] = CodeTier.Tier1Instrumented,
        ["ReadyToRun"] = CodeTier.ReadyToRun,
        ["PreJIT"] = CodeTier.ReadyToRun,
    };

    /// <summary>Parses a method's name; null for another form.</summary>
    /// <param name="text">The name.</param>
    /// <param name="texts">Pool of the parts, which repeat often; null for none.</param>
    public static DotNetMapName? Parse(ReadOnlySpan<char> text, TextPool? texts = null)
    {
        var tier = CodeTier.Unknown;
        if (text is [.., ']'] && text.LastIndexOf(")[") is > 0 and var end)
        {
            tier = s_tiers.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(text[(end + 2)..^1], out var known) ? known : tier;
            text = text[..(end + 1)];
        }

        // The module is between blanks, unlike brackets of a return type, an array or another assembly.
        var open = text.IndexOf(" [");
        var close = -1;
        while (open >= 0)
        {
            close = open + text[open..].IndexOf(']');
            if (close > open && close + 1 < text.Length && text[close + 1] == ' ')
                break;
            var next = close < open ? -1 : text[close..].IndexOf(" [");
            open = next < 0 ? -1 : close + next;
        }

        if (open < 0)
            return null;
        var method = text[(close + 2)..];
        var colons = method.IndexOf("::");
        var arguments = colons < 0 ? -1 : method[colons..].IndexOf('(');
        if (arguments < 0)
            return null;
        var name = method.Slice(colons + 2, arguments - 2);

        // The method's type arguments in brackets are not part of its name.
        if (name.IndexOf('[') is > 0 and var instance)
            name = name[..instance];
        return new DotNetMapName(
            Kept(text[(open + 2)..close]),
            Kept(method[..colons]),
            Kept(name),
            string.Concat(text[..open], " ", method[(colons + arguments)..]),
            tier
        );

        string Kept(ReadOnlySpan<char> part) => texts?.Of(part) ?? new string(part);
    }

    /// <summary>Formats the name in the form of <see cref="Parse"/>. Without a signature, in the form of Mono's maps.</summary>
    public override string ToString()
    {
        var open = Signature.IndexOf('(', StringComparison.Ordinal);
        if (open < 0)
            return $"{Type}:{Name} ()";
        var tier = Tier;
        var made = s_tiers.FirstOrDefault(pair => pair.Value == tier).Key ?? "PreStub";
        return $"{(open == 0 ? "?" : Signature[..open].Trim())} [{Module}] {Type}::{Name}{Signature[open..]}[{made}]";
    }

    /// <summary>Formats the name of code without a method, for <see cref="StubOf"/>.</summary>
    internal static string StubText(string stub) => StubPrefix + stub;

    /// <summary>Kind of code without a method, in the terms of <see cref="Symbols.RuntimeStubs"/>; null for another form.</summary>
    public static string? StubOf(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        if (text.StartsWith(StubPrefix + Symbols.RuntimeStubs.Prefix, StringComparison.Ordinal))
            return text[StubPrefix.Length..]; // an export of esp-analyze
        return !text.StartsWith(StubPrefix, StringComparison.Ordinal) && !text.StartsWith(NumberedStubPrefix, StringComparison.Ordinal)
                ? null
            : text.Contains("WriteBarrier", StringComparison.Ordinal) ? Symbols.RuntimeStubs.WriteBarrier
            : Symbols.RuntimeStubs.Helper;
    }
}
