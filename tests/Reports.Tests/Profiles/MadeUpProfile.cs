using EtwSerializerProfiler.Analysis.Profiles;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Reports.Profiles;
using EtwSerializerProfiler.Traces.Inputs;

namespace EtwSerializerProfiler.Reports.Tests.Profiles;

/// <summary>
/// Samples with all facts known: two rows, three runs, two threads, a GC, a compilation, two exceptions, names that need escaping.
/// </summary>
internal static class MadeUpProfile
{
    public const ulong Libc = 0x7000_0000;
    public const string Serialize = "EtwSerializerProfiler.Workload.Serializers.SystemTextJson.Serialize";
    private const string Deserialize = "EtwSerializerProfiler.Workload.Serializers.XmlText.Read";
    private const ulong Entry = 0x1000;
    private const ulong Field = 0x2000;
    private const ulong Own = 0x3000;
    private const ulong Evil = 0x4000;

    /// <summary>Stacks of all samples in measured runs, outermost frame first, with row and cause.</summary>
    public static IReadOnlyList<(string Row, string Cause, string Stack)> Samples { get; } =
    [
        ("Json Serialize N=1000", "own", $"libc.so.6+?<{Serialize}<Lib.Parser.Parse"),
        ("Json Serialize N=1000", "own", $"libc.so.6+?<{Serialize}<Lib.Parser.Parse"),
        ("Json Serialize N=1000", "reflectionGet", $"libc.so.6+?<{Serialize}<System.Reflection.FieldInfo.GetValue"),
        ("Json Serialize N=1000", "own", $"libc.so.6+?<{Serialize}<Lib.Parser.Parse<Lib.Parser.Parse"),
        ("Json Serialize N=1000", "otherThreads", "libc.so.6+?<" + EvilName),
        ("Json Serialize N=1000", "broken", "[broken stack]<Lib.Parser.Parse"),
        ("Json Serialize N=1000", "harness", "libc.so.6+?<Lib.Parser.Parse"),
        ("Xml Deserialize N=1000", "own", $"libc.so.6+?<{Deserialize}"),
        ("Xml Deserialize N=1000", "own", $"[broken stack]<{Deserialize}"),
    ];

    /// <summary>A name with all characters that a format could mishandle.</summary>
    public const string EvilName = "Evil.\"<T;1>\\ é漢😀</script>.Run,x";

    private static readonly string s_evilMethod = EvilName["Evil.".Length..];

    public static SyntheticTrace Trace(long lost = 0) =>
        new SyntheticTrace { Lost = lost }
            .Run(1, 1000, 11_000, identity: SyntheticTrace.Identity("SystemTextJson"))
            .Run(2, 21_000, 31_000, identity: SyntheticTrace.Identity("SystemTextJson", number: 2))
            .Run(3, 41_000, 51_000, identity: SyntheticTrace.Identity("XmlSerializer", RunOperation.Deserialize))
            .Run(4, 61_000, 62_000, identity: SyntheticTrace.Identity("SystemTextJson", kind: RunKind.WarmUp))
            .Map(0, Libc, "/lib/libc.so.6")
            .Module("/net/System.Private.CoreLib.dll")
            .Module("/app/esp-workload.dll", 2)
            .Module("/app/Lib.dll", 3)
            .Code(1, Entry, "EtwSerializerProfiler.Workload.Serializers.SystemTextJson", "Serialize", 1, module: 2)
            .Code(1, Field, "System.Reflection.FieldInfo", "GetValue", 2)
            .Code(1, Own, "Lib.Parser", "Parse", 3, module: 3)
            .Code(1, Evil, "Evil", s_evilMethod, 4, module: 3)
            .Code(1, 0x5000, "EtwSerializerProfiler.Workload.Serializers.XmlText", "Read", 5, module: 2)
            .Named(1, SyntheticTrace.Main, "main")
            .Named(1, 7, "worker \"7\"")
            .Sample(500, SyntheticTrace.Main, 0, Own, Entry + 8, Libc + 8) // in no run
            .Sample(2000, SyntheticTrace.Main, 0, Own, Entry + 8, Libc + 8)
            .Sample(3000, SyntheticTrace.Main, 0, Own, Entry + 8, Libc + 8)
            .Sample(4000, SyntheticTrace.Main, 0, Field, Entry + 8, Libc + 8)
            .Sample(22_000, SyntheticTrace.Main, 0, Own, Own + 8, Entry + 8, Libc + 8)
            .Sample(22_500, 7, 0, Evil, Libc + 8)
            .Sample(23_000, SyntheticTrace.Main, 0, Own)
            .Sample(24_000, SyntheticTrace.Main, 0, Own, Libc + 8)
            .Sample(42_000, SyntheticTrace.Main, 0, 0x5000, Libc + 8)
            .Sample(43_000, SyntheticTrace.Main, 0, 0x5000)
            .Sample(61_500, SyntheticTrace.Main, 0, Own, Entry + 8, Libc + 8) // a warm-up
            .FullGc(5000, 6000, 1, 0, Traces.Events.GcReason.AllocSmall, Traces.Events.GcKind.Blocking, 10, 5, 1)
            .Jit(7000, 7500, 1, "Lib.Parser", "Parse", Traces.Events.CodeTier.Tier1, 10, 100)
            .Throw(8000, "System.FormatException", "a \"first\"\nmessage", 1)
            .Throw(25_000, "System.FormatException", "second", 1, thread: 7);

    /// <summary>The samples as a format's export reads them.</summary>
    public static ProfileDocument Read(
        ProfileFormat format,
        ProfileGrouping grouping = ProfileGrouping.Row,
        bool inOrder = false,
        SyntheticTrace? trace = null
    ) =>
        ProfileExporter.Read(
            Input(trace ?? Trace()),
            new ProfileExportOptions(format, null) { Grouping = grouping, InOrder = inOrder },
            "made-up"
        );

    /// <summary>The output of a format.</summary>
    public static byte[] Write(
        ProfileFormat format,
        ProfileGrouping grouping = ProfileGrouping.Row,
        bool inOrder = false,
        SyntheticTrace? trace = null
    )
    {
        using var stream = new MemoryStream();
        ProfileExporter.Write(Read(format, grouping, inOrder, trace), format, stream);
        return stream.ToArray();
    }

    /// <summary>The name of a row in this file.</summary>
    public static string Row(string title) =>
        title.Replace("SystemTextJson", "Json", StringComparison.Ordinal).Replace("XmlSerializer", "Xml", StringComparison.Ordinal);

    private static TraceInput Input(SyntheticTrace trace) =>
        new(["made-up"], [new TracedProcess(trace.ProcessId, "program", ".NET 10.0", [trace], [])], [], false, [], ["made-up"]);
}
