using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.NativeAot;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.NativeAot;

public sealed class NativeAotTests : IDisposable
{
    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(9)]
    [InlineData(10)]
    [InlineData(16)]
    public void Methods_have_the_names_of_the_runtime_s_events(int version)
    {
        var image = Read(NativeAotBytes.Make(version));

        Assert.Equal("App.dll App App.Work.Ser", Name(image, NativeAotBytes.Ser + 8));
        Assert.Equal("App.dll App App.Work+Inner`1[System.__Canon].Sum", Name(image, NativeAotBytes.Sum));
        Assert.Equal("App.dll App App.Work+Inner`1[System.Int32].Sum", Name(image, NativeAotBytes.SumOfInt32));
        Assert.Equal("", image.NativeAot!.Problem);
    }

    [Fact]
    public void Without_symbols_the_program_s_own_tables_name_methods()
    {
        var image = Read(NativeAotBytes.Make(withSymbols: false));

        Assert.Equal("App.dll App App.Work.Ser", Name(image, NativeAotBytes.Ser));
        Assert.Equal("App.dll App App.Work+Inner`1.Sum", Name(image, NativeAotBytes.Sum));
        Assert.Equal("App.dll App App.Work+Inner`1[System.Int32].Sum", Name(image, NativeAotBytes.SumOfInt32));
        Assert.Equal("?", Name(image, NativeAotBytes.GetName));
    }

    [Fact]
    public void What_the_table_of_stack_traces_leaves_out_is_named_by_its_symbol_or_stays_as_it_is()
    {
        var image = Read(NativeAotBytes.Make());

        Assert.Equal("App.dll App App.Item.get_Name", Name(image, NativeAotBytes.GetName));
        // Get_Other, get.Other, <get>Other: nothing says which.
        Assert.Equal("? App_App_Item__get_Other", Name(image, NativeAotBytes.Unknown));
        Assert.Equal("[stub] delegate", Name(image, NativeAotBytes.Thunk));
        Assert.Equal("[stub] generic dictionary", Name(image, NativeAotBytes.Lookup)); // outside of managed code
        Assert.Null(image.FindManaged(0x1190));
    }

    [Fact]
    public void Tables_of_an_unknown_version_name_nothing()
    {
        var image = Read(NativeAotBytes.Make(17));

        Assert.Equal("? App_App_Work__Ser", Name(image, NativeAotBytes.Ser));
        Assert.Equal("its tables have version 17, which is not known", image.NativeAot!.Problem);
    }

    [Theory]
    [InlineData("App_Item<Int32__App_Item>", "App.Item[System.Int32,App.Item]")]
    [InlineData("App_Item<App_Item<Int32><Array>>", "App.Item[App.Item[System.Int32][]]")]
    [InlineData("App_Item<Int32__System___Canon>", "App.Item[System.Int32,System.__Canon]")]
    [InlineData("App_Item<App_Other>", "App.Item")] // not known
    [InlineData("App_Item<Int32", "App.Item")]
    [InlineData("App_Item<>", "App.Item")]
    public void Type_arguments_come_from_symbols(string symbol, string name)
    {
        var item = new NativeAotType("App", "", "Item");

        Assert.Equal(
            name.Replace("App.Item", "Item", StringComparison.Ordinal),
            new MangledNames([item], []).Instance(item, symbol + "__Method").Name
        );
    }

    [Fact]
    public void A_symbol_that_two_methods_may_have_names_none()
    {
        NativeAotType[] types = [new("App", "", "A_B"), new("App", "", "A.B"), new("App", "", "C"), new("App", "", "C__D")];
        var names = new MangledNames(types, [(types[2], ["<X>", "D__E"]), (types[3], ["E"])]);

        Assert.Null(names.Method("App_A_B__Run"));
        Assert.Null(names.Method("App_C__D__E")); // C.D__E or C__D.E
        Assert.Equal("<X>", names.Method("App_C___X_")!.Name);
        Assert.Equal("<X>", names.Method("App_C___X__1")!.Name); // the second of the name
        Assert.Equal("Run", names.Method("App_C__Run<Int32>")!.Name);
        Assert.Null(names.Method("App_C__get_X"));
        Assert.Null(names.Method("___________________________________________________________"));
        Assert.Null(names.Method($"App_C<{string.Join("__", Enumerable.Repeat("Int32", 2000))}__>__Run"));
    }

    [Fact]
    public void A_damaged_program_does_no_harm()
    {
        var whole = NativeAotBytes.Make();
        var random = new Random(4711);
        byte[] extremes = [0, 1, 0x7f, 0x80, 0xff];
        for (var round = 0; round < 4000; round++)
        {
            var bytes = (byte[])whole.Clone();
            for (var change = 0; change < 1 + round % 6; change++)
                bytes[random.Next(0x1200, 0x1840)] = random.Next(2) == 0 ? extremes[random.Next(extremes.Length)] : (byte)random.Next(256);
            var image = Read(bytes);
            for (var address = NativeAotBytes.Ser; address < NativeAotBytes.Lookup; address += 0x10)
                image.FindManaged(address - 0x400000);
        }
    }

    private ElfImage Read(byte[] bytes) => ElfImage.Read(_folder.Write("app", bytes))!;

    private static string Name(ElfImage image, ulong address) =>
        image.FindManaged(address - 0x400000) switch
        {
            { Type: { } type } method => $"{type.Assembly}.dll {type.Namespace} {type.Name}.{method.Name}",
            { IsStub: true } stub => stub.Name,
            var method => $"? {method?.Name}".TrimEnd(),
        };
}
