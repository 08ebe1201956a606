using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfMaps;

namespace EtwSerializerProfiler.Traces.Tests;

/// <summary>Names of Mono's JIT map, as Mono 6.8 wrote them.</summary>
public sealed class MonoNamesTests
{
    [Theory]
    [InlineData("System.Xml.XmlTextReaderImpl:.ctor (System.IO.Stream)", "System.Xml.XmlTextReaderImpl", ".ctor", "System.Xml.dll")]
    [InlineData(
        "EtwSerializerProfiler.Workload.Serializers.XmlText`1<TGraph_REF>:Read (System.IO.Stream)",
        "EtwSerializerProfiler.Workload.Serializers.XmlText`1[TGraph_REF]",
        "Read",
        "esp-workload.exe"
    )]
    [InlineData(
        "EtwSerializerProfiler.Parsing.OptionNames:.cctor ()",
        "EtwSerializerProfiler.Parsing.OptionNames",
        ".cctor",
        "EtwSerializerProfiler.Parsing.dll"
    )]
    [InlineData(
        "EtwSerializerProfiler.Options.SuiteOptionSet/<>c:.cctor ()",
        "EtwSerializerProfiler.Options.SuiteOptionSet+<>c",
        ".cctor",
        "EtwSerializerProfiler.Options.dll"
    )]
    [InlineData(
        "string:Join<EtwSerializerProfiler.Options.SuiteTest> (string,System.Collections.Generic.IEnumerable`1<EtwSerializerProfiler.Options.SuiteTest>)",
        "System.String",
        "Join",
        "mscorlib.dll"
    )]
    [InlineData(
        "System.Array/EmptyInternalEnumerator`1<int>:.cctor ()",
        "System.Array+EmptyInternalEnumerator`1[int]",
        ".cctor",
        "mscorlib.dll"
    )]
    [InlineData(
        "<>z__ReadOnlyArray`1<X.T>:System.Collections.Generic.IEnumerable<T>.GetEnumerator ()",
        "<>z__ReadOnlyArray`1[X.T]",
        "System.Collections.Generic.IEnumerable<T>.GetEnumerator",
        "[no namespace]"
    )]
    [InlineData("Program:<Main>$ (string[])", "Program", "<Main>$", "[no namespace]")]
    [InlineData(
        "(wrapper managed-to-native) System.Reflection.RuntimeConstructorInfo:InternalInvoke (object)",
        "System.Reflection.RuntimeConstructorInfo",
        "InternalInvoke",
        "mscorlib.dll"
    )]
    [InlineData("(wrapper dynamic-method) object:ReadBookFromXml (object)", "dynamicClass", "ReadBookFromXml", "[no namespace]")]
    [InlineData("(wrapper alloc) object:AllocSmall (intptr,intptr)", "", "alloc wrapper System.Object.AllocSmall", "[mono]")]
    [InlineData(
        "(wrapper runtime-invoke) <Module>:runtime_invoke_void__this__ (object)",
        "",
        "runtime-invoke wrapper <Module>.runtime_invoke_void__this__",
        "[mono]"
    )]
    [InlineData("generic_trampoline_jit", "", "generic_trampoline_jit", "[mono]")]
    [InlineData(
        "System.Runtime.Serialization.FormatterServices:GetUninitializedObject (System.Type)",
        "System.Runtime.Serialization.FormatterServices",
        "GetUninitializedObject",
        "mscorlib.dll"
    )]
    [InlineData(
        "System.Runtime.Serialization.DataContractSerializer:.ctor (System.Type)",
        "System.Runtime.Serialization.DataContractSerializer",
        ".ctor",
        "System.Runtime.Serialization.dll"
    )]
    [InlineData("System.Net.Dns:GetHostName ()", "System.Net.Dns", "GetHostName", "[platform]")]
    [InlineData(
        "EtwSerializerProfiler.Adapters.ProtobufNet.ProtobufNet`1<TGraph_REF>:Read (System.IO.Stream)",
        "EtwSerializerProfiler.Adapters.ProtobufNet.ProtobufNet`1[TGraph_REF]",
        "Read",
        "EtwSerializerProfiler.Adapters.ProtobufNet.dll"
    )]
    [InlineData(
        "EtwSerializerProfiler.Adapters.FlatBuffers.FlatShelf/View:get_Title ()",
        "EtwSerializerProfiler.Adapters.FlatBuffers.FlatShelf+View",
        "get_Title",
        "EtwSerializerProfiler.Adapters.FlatBuffers.dll"
    )]
    [InlineData("My.App.Book/Page:Turn ()", "My.App.Book+Page", "Turn", "My.App")]
    public void A_name_is_taken_apart_and_its_module_found(string text, string type, string method, string module)
    {
        var name = MonoMethodName.Parse(text);

        Assert.Equal(new MonoMethodName(type, method), name);
        Assert.Equal(module, MonoModules.Of(type));
    }

    [Theory]
    [InlineData("(null)")]
    [InlineData("")]
    public void A_name_that_says_nothing_is_none(string text) => Assert.Null(MonoMethodName.Parse(text));

    [Fact]
    public void A_map_gives_methods_and_their_modules()
    {
        using var folder = new TempFolder();
        var path = folder.Write(
            PerfMap.FileNameOf(42),
            "41882000 db generic_trampoline_jit\n40000100 20 (null)\n40000200 40 old:Name ()\n40000200 40 System.Xml.XmlReader:Read ()\nno map\n40000300 10 System.Xml.XmlReader:Close ()\n"
        );
        var source = PerfMapSource.Open(path, 42, new TraceClock(5, 1_000_000_000));
        var heard = new Methods();

        source.Read(heard, EventKinds.MethodCode);

        Assert.Equal((EventKinds.MethodCode, 42), (source.Kinds, source.ProcessId));
        Assert.Equal(
            [
                "System.Xml.dll 40000200+40 System.Xml.XmlReader.Read",
                "System.Xml.dll 40000300+10 System.Xml.XmlReader.Close",
                "[mono] 41882000+db .generic_trampoline_jit",
            ],
            heard.Found
        );
        source.Read(heard, EventKinds.CpuSamples);
        Assert.Equal(3, heard.Found.Count);
    }

    private sealed class Methods : IEventSubscriber
    {
        private readonly Dictionary<long, string> _modules = [];

        public List<string> Found { get; } = [];

        /// <inheritdoc />
        public void Subscribe(EventHub hub)
        {
            hub.Subscribe<ModuleLoaded>(OnModuleLoaded);
            hub.Subscribe<MethodCode>(OnMethodCode);
        }

        private void OnModuleLoaded(in ModuleLoaded module) => _modules.Add(module.ModuleId, module.Path);

        private void OnMethodCode(in MethodCode code) =>
            Found.Add(FormattableString.Invariant($"{_modules[code.ModuleId]} {code.Start:x}+{code.Size:x} {code.Namespace}.{code.Name}"));
    }
}
