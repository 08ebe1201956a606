using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Tests.Symbols;

/// <summary>Code without a method is named by its memory; C++ names are demangled.</summary>
public sealed class RuntimeStubTests
{
    private const string Doublemapper = "/memfd:doublemapper (deleted)";

    private readonly ManagedCodeMap _methods = new();
    private readonly ProcessLayout _layout = new();

    [Fact]
    public void Kinds_of_stubs_are_recognized_by_the_shape_of_their_memory()
    {
        Map(0x10_0000, 0x1000, 0);
        Map(0x20_0000, 0x4000, 0xb1000);
        Map(0x30_0000, 0x1000, 0xe000);
        Map(0x40_0000, 0x3000, 0x111000); // grows over the size of precode
        Map(0x40_0000, 0x4000, 0x111000);
        Map(0x50_0000, 0x4000, 0x211000); // holds a method
        Method(0x50_2000);
        Map(0x60_0000, 0x4000, 0, "//anon"); // the runtime without double mapping: its kind is unknown

        Assert.Equal(
            [
                "[stub] write barrier",
                "[stub] precode",
                "[stub] helper, dispatch or thunk",
                "[stub] helper, dispatch or thunk",
                "[code heap]+0x500010",
                "[code heap]+0x600010",
            ],
            ((ulong[])[0x10_0010, 0x20_0010, 0x30_0010, 0x40_0010, 0x50_0010, 0x60_0010]).Select(address => Resolve(address).Name)
        );
        Assert.Equal(
            (true, false, CodeKind.Managed, "[code heap]"),
            (Resolve(0x20_0010).IsStub, Resolve(0x20_0010).IsNamed, Resolve(0x20_0010).Kind, Resolve(0x20_0010).Module)
        );
        Assert.False(Resolve(0x50_0010).IsStub);
    }

    /// <summary>The runtime's memory with DOTNET_EnableWriteXorExecute=0: no file, and each piece when it is first used.</summary>
    [Fact]
    public void Without_a_second_mapping_kinds_are_recognized_by_runs_of_memory_after_the_runtime()
    {
        Map(0x05_0000, 0x1000, 0, "//anon", time: 0); // another library's
        Map(0x900_0000, 0x1000, 0, "/usr/lib/libcoreclr.so", time: 1);
        Map(0x20_0000, 0x1000, 0, "//anon", time: 2);
        Map(0x30_0000, 0x4000, 0, "//anon", time: 3);
        Map(0x40_0000, 0x1000, 0, "//anon", time: 4);
        Map(0x40_1000, 0x3000, 0, "//anon", time: 5);
        Map(0x50_0000, 0x1000, 0, "//anon", time: 6); // these two hold a method
        Map(0x50_1000, 0x4000, 0, "//anon", time: 7);
        Method(0x50_0100);

        Assert.Equal(
            ["[code heap]+0x50010", "[stub] write barrier", "[stub] precode", "[stub] helper, dispatch or thunk", "[code heap]+0x501010"],
            ((ulong[])[0x05_0010, 0x20_0010, 0x30_0010, 0x40_1010, 0x50_1010]).Select(address => Resolve(address).Name)
        );
    }

    [Fact]
    public void Memory_without_a_file_says_nothing_where_its_order_is_unknown_or_code_is_mapped_twice()
    {
        Map(0x900_0000, 0x1000, 0, "/usr/lib/libcoreclr.so");
        Map(0x20_0000, 0x1000, 0, "//anon"); // both from before the recording
        Assert.Equal("[code heap]+0x200010", Resolve(0x20_0010).Name);

        Map(0x60_0000, 0x1000, 0xe000, time: 2);
        Map(0x70_0000, 0x1000, 0, "//anon", time: 3);
        Assert.Equal("[code heap]+0x700010", Resolve(0x70_0010).Name);
    }

    [Fact]
    public void A_method_keeps_its_name_wherever_it_lies()
    {
        Map(0x20_0000, 0x4000, 0);
        Method(0x20_1000);

        Assert.Equal("Type.Method", Resolve(0x20_1010).Name);
        Assert.Equal("[code heap]+0x200010", Resolve(0x20_0010).Name);
    }

    [Theory]
    [InlineData("_Znwm", "operator new(unsigned long)")]
    [InlineData("_ZNSt6vectorIiSaIiEE9push_backERKi@@GLIBCXX_3.4", "std::vector<int, std::allocator<int> >::push_back(int const&)")]
    [InlineData("_Zwhatever", "_Zwhatever")]
    [InlineData("malloc", "malloc")]
    [InlineData("", "")]
    public void Names_of_Cpp_become_readable_and_others_stay(string name, string readable)
    {
        Assert.SkipUnless(
            OperatingSystem.IsLinux() && System.Runtime.InteropServices.NativeLibrary.TryLoad("libstdc++.so.6", out _),
            "libstdc++ is not there"
        );

        Assert.Equal(readable, CppNames.Demangle(name));
    }

    private void Map(ulong start, ulong length, ulong offset, string path = Doublemapper, long time = 1) =>
        _layout.Hear(new FileMapping(new EventAt(time, 42, 42), start, length, offset, path, ""));

    private void Method(ulong start) =>
        _methods.Hear(new MethodCode(new EventAt(1, 42, 42), 1, 1, start, 0x100, CodeTier.Tier1, false, "Type", "Method", "void ()"));

    private CodeSymbol Resolve(ulong address)
    {
        var resolver = new SymbolResolver(42, _methods, _layout, new SymbolFiles("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero));
        return resolver.Symbols[resolver.Resolve(address, 10, isKernel: false)];
    }
}
