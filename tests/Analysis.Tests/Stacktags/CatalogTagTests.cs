using System.Reflection;
using EtwSerializerProfiler.Analysis.Catalog;
using EtwSerializerProfiler.Analysis.Causes;
using EtwSerializerProfiler.Analysis.Stacktags;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfMaps;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests.Stacktags;

/// <summary>The tags generated from the catalogs.</summary>
public sealed class CatalogTagTests
{
    private static readonly StacktagMatcher s_serializers = new(SerializerTags.Root);
    private static readonly StacktagMatcher s_causes = new(CauseCatalog.Root);

    public static TheoryData<string, string, string, string> EntryFrames =>
        [
            .. SuiteCatalog.All.SelectMany(entry => Frames(entry, "esp-workload.dll", entry.EntryType)),
            .. AdapterCatalog.All.SelectMany(entry =>
                Frames(
                    entry,
                    AdapterCatalog.ModuleOf(entry) + ".dll",
                    entry.EntryType.EndsWith('`') ? entry.EntryType + "1[System.__Canon]" : entry.EntryType
                )
            ),
            .. SerializerTestsCatalog.All.SelectMany(entry => Frames(entry, "SerializerTests.exe", entry.EntryType + "1[System.__Canon]")),
            .. SerializerTestsCatalog.All.SelectMany(entry =>
                Frames(entry, "SerializerTests.dll", entry.EntryType + "2[System.__Canon,System.__Canon]")
            ),
        ];

    [Theory]
    [MemberData(nameof(EntryFrames))]
    public void An_entry_frame_has_the_tag_of_its_serializer_and_no_other(string module, string type, string method, string path) =>
        Assert.Equal([path], s_serializers.FindAll(Symbol(module, type, method)).Select(tag => s_serializers.Tags[tag].Path));

    /// <summary>Mono's JIT map names no modules: they are derived from the namespace, here for all of this suite's.</summary>
    [Fact]
    public void Entry_frames_of_the_suite_have_their_tags_on_Mono()
    {
        Assert.All(
            SuiteCatalog.All.Concat(AdapterCatalog.All),
            entry =>
            {
                var type = entry.EntryType.EndsWith('`') ? entry.EntryType + "1[TGraph_REF]" : entry.EntryType;
                Assert.Equal($"Deserialize\\{entry.Name}", Tag(type, entry.DeserializeMethod));
                if (entry.TouchMethod?.Split("::") is [var touching, var touch])
                    Assert.Equal($"Deserialize\\{entry.Name}", Tag(touching, touch));
            }
        );
        Assert.Equal("Harness\\Touch the data read", Tag("EtwSerializerProfiler.Contract.GraphModel`1[TGraph_REF]", "Touch"));

        static string Tag(string type, string method) =>
            s_serializers.Find(Symbol(MonoModules.Of(type), type, method)) is >= 0 and var tag ? s_serializers.Tags[tag].Path : "";
    }

    [Fact]
    public void Every_serializer_of_both_suites_can_be_found()
    {
        foreach (var entry in SuiteCatalog.All.Concat(AdapterCatalog.All).Concat(SerializerTestsCatalog.All))
            Assert.NotNull(SerializerEntries.Suites.Of(entry.Name));
        Assert.Null(SerializerEntries.Suites.Of("no such serializer"));
    }

    [Theory]
    [InlineData(
        "SerializerTests.exe",
        "SerializerTests.TestBase`2[System.__Canon,System.__Canon]",
        "SerializeDuration",
        "Harness\\Test duration Serialize"
    )]
    [InlineData(
        "SerializerTests.dll",
        "SerializerTests.TestBase`3[System.__Canon,System.__Canon,System.__Canon]",
        "DeserializeDuration",
        "Harness\\Test duration Deserialize"
    )]
    [InlineData(
        "EtwSerializerProfiler.Marks.dll",
        "EtwSerializerProfiler.Marks.RunMarker",
        "SerializeDuration",
        "Harness\\Test duration Serialize"
    )]
    [InlineData(
        "EtwSerializerProfiler.Marks.dll",
        "EtwSerializerProfiler.Marks.RunMarker",
        "FirstDeserializeDuration",
        "Harness\\Test duration FirstDeserialize"
    )]
    [InlineData(
        "SerializerTests.dll",
        "SerializerTests.TestBase`2[System.__Canon,System.__Canon]",
        "TouchDataNoInline",
        "Harness\\Touch the data read"
    )]
    [InlineData("esp-workload.dll", "EtwSerializerProfiler.Workload.Data.BookShelfModel", "Touch", "Harness\\Touch the data read")]
    public void The_suites_own_work_is_tagged(string module, string type, string method, string path) =>
        Assert.Equal([path], s_serializers.FindAll(Symbol(module, type, method)).Select(tag => s_serializers.Tags[tag].Path));

    /// <summary>The catalog, which references nothing, has the names of the marker's methods.</summary>
    [Fact]
    public void The_marker_waits_in_the_methods_that_are_tagged()
    {
        Assert.Equal(SuiteCatalog.MarkerType, typeof(RunMarker).FullName);
        Assert.Equal(SuiteCatalog.MarksModule, typeof(RunMarker).Assembly.GetName().Name);
        var waits = typeof(RunMarker)
            .GetMethods(BindingFlags.Instance | BindingFlags.NonPublic)
            .Select(method => method.Name)
            .Where(name => name.EndsWith("Duration", StringComparison.Ordinal));
        Assert.Equal(SuiteCatalog.MarkedOperations.Select(SuiteCatalog.WaitOf).Order(), waits.Order());
    }

    /// <summary>Frames of .NET Framework, .NET Core 3, .NET 5 to 7 and .NET 8 to 10.</summary>
    [Theory]
    [InlineData("mscorlib.ni.dll", "System.Reflection.RtFieldInfo", "InternalSetValue", "reflectionSet")]
    [InlineData("mscorlib.dll", "System.Reflection.RtFieldInfo", "UnsafeGetValue", "reflectionGet")]
    [InlineData("System.Private.CoreLib.dll", "System.Reflection.FieldAccessor", "SetValue", "reflectionSet")]
    [InlineData("System.Private.CoreLib.dll", "System.Reflection.FieldInfo", "GetValue", "reflectionGet")]
    [InlineData("System.Private.CoreLib.dll", "System.Reflection.RuntimePropertyInfo", "GetValue", "reflectionGet")]
    [InlineData("System.Private.CoreLib.dll", "System.Reflection.MethodBaseInvoker", "InvokeWithNoArgs", "reflectionInvoke")]
    [InlineData("System.Private.CoreLib.dll", "System.Reflection.MethodInvokerCommon", "Initialize", "reflectionInvoke")]
    [InlineData("System.Private.CoreLib.dll", "System.RuntimeMethodHandle", "InvokeMethod", "reflectionInvoke")]
    [InlineData("[dynamic]", "dynamicClass", "InvokeStub_Book.set_Title", "reflectionInvoke")]
    [InlineData(
        "System.Private.CoreLib.dll",
        "System.RuntimeType+RuntimeTypeCache+MemberInfoCache`1[System.__Canon]",
        "Populate",
        "reflectionMetadata"
    )]
    [InlineData("mscorlib.dll", "System.Activator", "CreateInstance", "activator")]
    [InlineData("mscorlib.dll", "System.RuntimeTypeHandle", "CreateInstance", "activator")]
    [InlineData("mscorlib.dll", "System.RuntimeType", "CreateInstanceDefaultCtor", "activator")]
    [InlineData("System.Private.CoreLib.dll", "System.RuntimeType+ActivatorCache", "CreateUninitializedObject", "activator")]
    [InlineData("System.Private.CoreLib.dll", "System.RuntimeType", "CreateInstanceOfT", "activator")]
    [InlineData("System.Private.CoreLib.dll", "System.RuntimeTypeHandle", "GetActivationInfo", "activator")]
    [InlineData(
        "System.Runtime.Serialization.Formatters.dll",
        "System.Runtime.Serialization.FormatterServices",
        "GetUninitializedObject",
        "activator"
    )]
    [InlineData("System.Private.CoreLib.dll", "System.Runtime.CompilerServices.CastHelpers", "StelemRef", "casts")]
    [InlineData("System.Private.CoreLib.dll", "System.Runtime.TypeCast", "IsInstanceOfClass", "casts")] // NativeAOT
    [InlineData("System.Private.CoreLib.dll", "System.Reflection.Runtime.PropertyInfos.RuntimePropertyInfo", "GetValue", "reflectionGet")]
    [InlineData("System.Private.CoreLib.dll", "System.Reflection.DynamicInvokeInfo", "Invoke", "reflectionInvoke")]
    [InlineData("System.Private.CoreLib.dll", "System.Reflection.Runtime.TypeInfos.RuntimeTypeInfo", "GetFields", "reflectionMetadata")]
    [InlineData("System.Private.CoreLib.dll", "System.Threading.Monitor", "Enter", "locks")]
    [InlineData("System.Private.CoreLib.dll", "System.Runtime.EH", "DispatchEx", "exceptions")]
    [InlineData("System.Private.CoreLib.dll", "System.Number", "UInt32ToDecStr", "text")]
    [InlineData("System.Private.CoreLib.dll", "System.Text.Unicode.Utf8Utility", "TranscodeToUtf8", "encoding")]
    [InlineData("System.Private.CoreLib.dll", "System.IO.StreamWriter", "Flush", "io")]
    [InlineData("System.IO.Compression.dll", "System.IO.Compression.DeflateStream", "Read", "compression")]
    [InlineData("K4os.Compression.LZ4.dll", "K4os.Compression.LZ4.LZ4Codec", "Encode", "compression")]
    [InlineData("MessagePack.dll", "MessagePack.LZ4.LZ4Codec", "LZ4_compress64kCtx_64", "compression")]
    [InlineData("MessagePack.LZ4", "MessagePack.LZ4.LZ4Codec+HashTablePool", "GetUIntHashTablePool", "compression")] // on Mono
    [InlineData(
        "Microsoft.GeneratedCode",
        "Microsoft.Xml.Serialization.GeneratedAssembly.XmlSerializationWriterBookShelf",
        "Write2_Book",
        "emittedCode"
    )]
    [InlineData("[dynamic]", "dynamicClass", "ReadBookFromXml", "emittedCode")]
    [InlineData("System.Linq.Expressions.dll", "System.Linq.Expressions.Compiler.LambdaCompiler", "Compile", "codeGeneration")]
    public void A_managed_frame_has_its_cause(string module, string type, string method, string cause) =>
        Assert.Equal(cause, CauseOf(Symbol(module, type, method)));

    [Theory]
    [InlineData("clr.dll", "JIT_New", "gcAllocation")]
    [InlineData("app", "RhpNewFast", "gcAllocation")] // NativeAOT has its runtime in the program
    [InlineData("app", "WKS::gc_heap::mark_object_simple(unsigned char**)", "gcCollection")]
    [InlineData("app", "WKS::gc_heap::background_mark_simple(unsigned char*)", "gcBackground")]
    [InlineData("app", "RhpAssignRefESI", "gcWriteBarrier")]
    [InlineData("app", "RhpThrowEx", "exceptions")]
    [InlineData("app", "RhpInterfaceDispatch1", "stubs")]
    [InlineData("[nativeaot]", "[stub] generic dictionary", "typeLoading")]
    [InlineData("[nativeaot]", "[stub] reflection invoke", "reflectionInvoke")]
    [InlineData("[nativeaot]", "[stub] delegate", "delegates")]
    [InlineData("[nativeaot]", "[stub] unboxing", "stubs")]
    [InlineData("coreclr.dll", "WKS::gc_heap::allocate_more_space", "gcAllocation")]
    [InlineData("coreclr.dll", "SVR::gc_heap::mark_object_simple", "gcCollection")]
    [InlineData("libcoreclr.so", "WKS::gc_heap::background_mark_simple", "gcBackground")]
    [InlineData("clr.dll", "ThreadSuspend::SuspendEE", "gcSuspension")]
    [InlineData("clr.dll", "JIT_WriteBarrier", "gcWriteBarrier")]
    [InlineData("clr.dll", "ThePreStub", "jit")]
    [InlineData("clrjit.dll", "Compiler::compCompile", "jit")]
    [InlineData("libclrjit.so", "libclrjit.so+0x1234", "jit")]
    [InlineData("clr.dll", "ClassLoader::LoadTypeHandleThrowing", "typeLoading")]
    [InlineData("clr.dll", "JIT_IsInstanceOfClass", "casts")]
    [InlineData("clr.dll", "IL_Throw", "exceptions")]
    [InlineData("libcoreclr.so", "libcoreclr.so+0x1234", "helpers")]
    [InlineData("[kernel]", "clear_page_erms", "kernel")]
    [InlineData("ntoskrnl.exe", "ntoskrnl.exe+0x10", "kernel")]
    [InlineData("NTFS.sys", "NtfsCommonWrite", "kernel")]
    [InlineData("[code heap]", "[stub] write barrier", "gcWriteBarrier")]
    [InlineData("[code heap]", "[stub] precode", "stubs")]
    public void A_native_frame_has_its_cause(string module, string name, string cause) =>
        Assert.Equal(cause, CauseOf(new CodeSymbol(CodeKind.Native, module, "", name, true, 0, CodeTier.Unknown)));

    [Theory]
    [InlineData("Newtonsoft.Json.dll", "Newtonsoft.Json.JsonTextReader", "Read")]
    [InlineData("MessagePack.dll", "MessagePack.MessagePackWriter", "WriteInt32")]
    [InlineData("System.Private.CoreLib.dll", "System.Collections.Generic.List`1[System.__Canon]", "Add")]
    [InlineData("System.Private.Xml.dll", "System.Xml.XmlTextReaderImpl", "Read")]
    [InlineData("System.Private.CoreLib.dll", "System.RuntimeType", "get_Name")]
    [InlineData("MyApp.dll", "System.Activator", "CreateInstance")]
    public void Other_frames_have_none(string module, string type, string method) =>
        Assert.Equal(-1, s_causes.Find(Symbol(module, type, method)));

    /// <summary>
    /// The priority decides between two causes with a pattern for the same frame. Only those listed here have equal priority; their order
    /// decides.
    /// </summary>
    [Fact]
    public void Patterns_of_two_causes_of_one_priority_do_not_overlap()
    {
        var overlaps = new List<string>();
        foreach (var cause in CauseCatalog.All)
        {
            foreach (var entrypoint in cause.Entrypoints)
            {
                // The shortest name that a pattern matches: the pattern without its stars.
                var symbol = new CodeSymbol(
                    CodeKind.Native,
                    entrypoint.Module.Replace("*", "", StringComparison.Ordinal),
                    "",
                    entrypoint.Method.Replace("*", "", StringComparison.Ordinal),
                    true,
                    0,
                    CodeTier.Unknown
                );
                overlaps.AddRange(
                    s_causes
                        .FindAll(symbol)
                        .Select(tag => s_causes.Tags[tag])
                        .Where(tag => tag.Tag.Priority == cause.Priority && tag.Path != CauseCatalog.PathOf(cause))
                        .Select(tag => $"{entrypoint.Module}!{entrypoint.Method}: {CauseCatalog.PathOf(cause)} and {tag.Path}")
                );
            }
        }

        Assert.Empty(overlaps);
    }

    [Fact]
    public void Causes_have_keys_of_their_own_and_all_columns_too()
    {
        Assert.Equal(CauseCatalog.All.Count, CauseCatalog.All.Select(cause => cause.Key).Distinct().Count());
        Assert.Equal(CauseCatalog.All.Count, CauseCatalog.All.Select(CauseCatalog.PathOf).Distinct().Count());
        Assert.All(
            CauseCatalog.All.GroupBy(cause => cause.Group),
            group => Assert.Single(group.Select(cause => cause.Name.Length == 0).Distinct())
        );
    }

    private static IEnumerable<TheoryDataRow<string, string, string, string>> Frames(CatalogEntry entry, string module, string type) =>
        [
            new(module, type, entry.SerializeMethod, $"Serialize\\{entry.Name}"),
            new(module, type, entry.DeserializeMethod, $"Deserialize\\{entry.Name}"),
        ];

    private static string CauseOf(CodeSymbol symbol)
    {
        var tag = s_causes.Find(symbol);
        return tag < 0 ? "" : CauseCatalog.All.Single(cause => CauseCatalog.PathOf(cause) == s_causes.Tags[tag].Path).Key;
    }

    private static CodeSymbol Symbol(string module, string type, string method) =>
        new(CodeKind.Managed, module, "", $"{type}.{method}", true, 1, CodeTier.Tier1) { TypeName = type };
}
