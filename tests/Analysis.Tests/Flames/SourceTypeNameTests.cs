using EtwSerializerProfiler.Analysis.Flames;

namespace EtwSerializerProfiler.Analysis.Tests.Flames;

public sealed class SourceTypeNameTests
{
    [Theory]
    [InlineData("System.Byte[]", "Byte[]")]
    [InlineData("System.Int32[,][]", "Int32[,][]")]
    [InlineData("App.Outer+Inner", "Outer.Inner")]
    [InlineData("System.Collections.Generic.List`1[App.Order]", "List<Order>")]
    [InlineData("System.Collections.Generic.Dictionary`2+Entry[System.String,System.Int32[]][]", "Dictionary<String, Int32[]>.Entry[]")]
    [InlineData("System.Func`2[System.Collections.Generic.List`1[System.Int32],System.String]", "Func<List<Int32>, String>")]
    [InlineData("<>f__AnonymousType1`2[System.Int32,System.String]", "anonymous {Int32, String}")]
    [InlineData("<>f__AnonymousType1`2[System.Int32,System.String][]", "anonymous {Int32, String}[]")]
    [InlineData("App.Program+<>c__DisplayClass0_0", "Program.closure")]
    [InlineData("App.Program+<Load>d__7", "Program.Load (state machine)")]
    [InlineData("Program+<<Main>$>d__0", "Program.Main (state machine)")]
    [InlineData(
        "System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1[System.Threading.Tasks.VoidTaskResult,App.Program+<Load>d__7]",
        "Program.Load (state machine)"
    )]
    [InlineData(
        "System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1[System.__Canon,Kestrel.HttpProtocol+<ProcessRequests>d__237`1[System.__Canon]]",
        "HttpProtocol.ProcessRequests (state machine)"
    )]
    [InlineData("<>z__ReadOnlyArray`1[System.Int32]", "ReadOnlyArray<Int32>")]
    [InlineData(
        "System.Collections.Generic.Dictionary`2[System.String,Some.Long.Namespace.AVeryLongTypeNameThatNobodyReads]",
        "Dictionary<…>"
    )]
    [InlineData("System.Collections.Generic.Entry[System.String,System.String][]", "Entry<String, String>[]")]
    [InlineData("App.Outer`2+Inner[System.String,Some.Long.Namespace.AVeryLongTypeNameThatNobodyReads]", "Outer<…>.Inner")]
    [InlineData("", "")]
    [InlineData("Broken`2[System.Int32", "Broken<Int32>")]
    [InlineData("][,", "][,")]
    public void Types_have_their_names_in_the_source(string type, string name) => Assert.Equal(name, SourceTypeName.Of(type));
}
