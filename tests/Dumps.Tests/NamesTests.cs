using EtwSerializerProfiler.Dumps.Stacks;

namespace EtwSerializerProfiler.Dumps.Tests;

public sealed class NamesTests
{
    [Theory]
    [InlineData("Foo.Bar(Int32)", "Foo.Bar(Int32)")]
    [InlineData("Foo.Bar(Int32[], System.String[,])", "Foo.Bar(Int32[], System.String[,])")]
    [InlineData("List`1[[System.Int32, System.Private.CoreLib]].Add(Int32)", "List`1<System.Int32>.Add(Int32)")]
    [InlineData("D`2[[A, X],[B[], Y]].Get", "D`2<A, B[]>.Get")]
    [InlineData("D`1[[L`1[[A, X]], Y]].Get[[B, Z]](C`1<B>)", "D`1<L`1<A>>.Get<B>(C`1<B>)")]
    [InlineData("Broken[[", "Broken<>")]
    public void Type_arguments_read_as_in_source(string name, string simple) => Assert.Equal(simple, MethodNames.Simplify(name));

    [Theory]
    [InlineData(
        "EtwSerializerProfiler.Workload.Serializers.NewtonsoftJson`1[[System.__Canon, System.Private.CoreLib]].Read(System.IO.Stream)",
        "Read",
        "esp-workload.dll",
        "Deserialize Newtonsoft.Json"
    )]
    [InlineData(
        "EtwSerializerProfiler.Workload.Serializers.XmlText`1[[A, B]].Serialize(System.__Canon, System.IO.Stream)",
        "Serialize",
        "esp-workload.dll",
        "Serialize XmlSerializer"
    )]
    [InlineData(
        "EtwSerializerProfiler.Workload.Serializers.XmlText`1[[A, B]]..ctor(A)",
        ".ctor",
        "esp-workload.dll",
        "Construct XmlSerializer"
    )]
    [InlineData("EtwSerializerProfiler.Workload.Serializers.XmlText`1[[A, B]].Other(A)", "Other", "esp-workload.dll", null)]
    [InlineData("EtwSerializerProfiler.Workload.Serializers.XmlText`1[[A, B]].Serialize(A)", "Serialize", "other.dll", null)]
    public void Entry_frames_are_those_of_the_catalog(string signature, string name, string module, string? serializer) =>
        Assert.Equal(serializer, FrameReader.Entry(signature, name, module));
}
