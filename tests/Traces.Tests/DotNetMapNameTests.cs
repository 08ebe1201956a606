using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.PerfMaps;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Tests;

/// <summary>Names as .NET 10 wrote them into perf maps.</summary>
public sealed class DotNetMapNameTests
{
    [Theory]
    [InlineData("void [prog] Program::Hash(int32)[QuickJitted]", "prog", "Program", "Hash", "void (int32)", CodeTier.Tier0)]
    [InlineData(
        "int32 [TestProgram] Program::<Main>$(string[])[QuickJitted]",
        "TestProgram",
        "Program",
        "<Main>$",
        "int32 (string[])",
        CodeTier.Tier0
    )]
    [InlineData(
        "void [System.Private.CoreLib] System.Collections.Generic.ArraySortHelper`1[System.Int32]::SwapIfGreater(valuetype System.Span`1<!0>,int32)[OptimizedTier1]",
        "System.Private.CoreLib",
        "System.Collections.Generic.ArraySortHelper`1[System.Int32]",
        "SwapIfGreater",
        "void (valuetype System.Span`1<!0>,int32)",
        CodeTier.Tier1
    )]
    [InlineData(
        "!!0[] [System.Private.CoreLib] System.GC::<AllocateUninitializedArray>g__AllocateNewArrayWorker|77_0(int32,bool)[InstrumentedTierOptimized]",
        "System.Private.CoreLib",
        "System.GC",
        "<AllocateUninitializedArray>g__AllocateNewArrayWorker|77_0",
        "!!0[] (int32,bool)",
        CodeTier.Tier1Instrumented
    )]
    [InlineData(
        "class [System.Runtime]System.Threading.Tasks.Task [prog] Program+<>c::Work(class [System.Runtime]System.String)[OptimizedTier1OSR]",
        "prog",
        "Program+<>c",
        "Work",
        "class [System.Runtime]System.Threading.Tasks.Task (class [System.Runtime]System.String)",
        CodeTier.Tier1Osr
    )]
    [InlineData(
        "Interop/Error /* MT: 0x7fcb3dbdd1f8 */ [NuGet.Common] dynamicClass::IL_STUB_PInvoke(native int,int64*)[Optimized]",
        "NuGet.Common",
        "dynamicClass",
        "IL_STUB_PInvoke",
        "Interop/Error /* MT: 0x7fcb3dbdd1f8 */ (native int,int64*)",
        CodeTier.Optimized
    )]
    [InlineData("void [prog] Program::Sum(int32)", "prog", "Program", "Sum", "void (int32)", CodeTier.Unknown)]
    public void A_method_is_taken_apart(string text, string module, string type, string name, string signature, CodeTier tier) =>
        Assert.Equal(new DotNetMapName(module, type, name, signature, tier), DotNetMapName.Parse(text));

    [Theory]
    [InlineData("")]
    [InlineData("stub CreateHelper<DynamicHelper>")]
    [InlineData("System.String:Concat (string,string)")]
    [InlineData("memcpy")]
    [InlineData("void [prog")]
    [InlineData("void [prog] Program::")]
    [InlineData("void [prog] Program::Hash")]
    [InlineData("[]")]
    public void Another_name_is_none(string text) => Assert.Null(DotNetMapName.Parse(text));

    [Theory]
    [InlineData("stub CreateHelper<DynamicHelper>", "[stub] helper, dispatch or thunk")]
    [InlineData("stub InitThreadManagerPerfMapData<JIT_CopiedWriteBarriers>", "[stub] write barrier")]
    [InlineData("void [prog] Program::Hash(int32)", null)]
    [InlineData("stub<17> Allocate<FixupPrecode>", RuntimeStubs.Helper)]
    public void A_stub_has_the_name_of_its_kind(string text, string? stub) => Assert.Equal(stub, DotNetMapName.StubOf(text));
}
