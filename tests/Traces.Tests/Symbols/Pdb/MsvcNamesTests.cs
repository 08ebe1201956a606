using EtwSerializerProfiler.Traces.Symbols.Pdb;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Pdb;

/// <summary>Readable names against those of llvm-undname, which has parameters and more around them.</summary>
public sealed class MsvcNamesTests
{
    /// <summary>Names that contain another symbol: llvm-undname writes it with its parameters.</summary>
    private static readonly Dictionary<string, string> s_own = new()
    {
        ["??$apply@$1?twice@@YAHH@Z@@YAHH@Z"] = "apply<&twice>",
        ["?Get@?$Holder@PEAXP6AXPEAX@Z$1?DoNothing@@YAXPEAX@Z$0A@@@QEAAPEAXXZ"] =
            "Holder<void *, void (__cdecl *)(void *), &DoNothing, 0>::Get",
        ["??__E?member@Foo@@2VBar@@A@@YAXXZ"] = "`dynamic initializer for 'Foo::member''",
    };

    public static TheoryData<string, string> Recorded =>
        [.. File.ReadAllLines(TestFiles.Data("pdb/undname.txt")).Select(line => line.Split('\t')).Select(parts => (parts[0], parts[1]))];

    [Theory]
    [MemberData(nameof(Recorded))]
    public void A_name_is_that_of_llvm_undname_without_its_parameters(string decorated, string full)
    {
        var name = MsvcNames.Undecorate(decorated, isX86: false);

        if (s_own.TryGetValue(decorated, out var own))
            Assert.Equal(own, name);
        else if (full.EndsWith(')') || full.Contains(") ", StringComparison.Ordinal) || full.Contains("[thunk]", StringComparison.Ordinal))
            Assert.Contains(
                $" {name}{(full.Contains("[thunk]", StringComparison.Ordinal) ? "" : "(")}",
                $" {full}",
                StringComparison.Ordinal
            );
        else
            Assert.True(name == decorated || full.Contains(name, StringComparison.Ordinal), name); // data: never looked up
    }

    [Theory]
    [InlineData("?x@?1??bar@Foo@@SAXHH@Z@4HA", "`Foo::bar'::`2'::x")]
    [InlineData("?inner@Local@?1??main_of_test@@9@SAHH@Z", "`main_of_test'::`2'::Local::inner")]
    [InlineData("??R<lambda_1>@?0??run@Pool@@QEAAXPEAV1@0@Z@QEBA@H@Z", "`Pool::run'::`1'::<lambda_1>::operator()")]
    [InlineData("?f@?BM@??outer@@YAXXZ@QEAAXXZ", "`outer'::`28'::f")]
    public void Functions_inside_of_functions(string decorated, string expected) =>
        Assert.Equal(expected, MsvcNames.Undecorate(decorated, isX86: false));

    [Theory]
    [InlineData("JIT_New")]
    [InlineData("?")]
    [InlineData("??")]
    [InlineData("?@")]
    [InlineData("?a")]
    [InlineData("?a@")]
    [InlineData("?a@9@YAXXZ")]
    [InlineData("??@0123456789abcdef0123456789abcdef@")]
    [InlineData("??_C@_04ABCD@text@")]
    [InlineData("?f@?$T@P8Foo@@EAAXXZ@@QEAAXXZ")]
    [InlineData("?f@?$T@$2X@@QEAAXXZ")]
    public void What_is_not_understood_stays(string name) => Assert.Equal(name, MsvcNames.Undecorate(name, isX86: false));

    [Theory]
    [InlineData("_JIT_New@4", "JIT_New")]
    [InlineData("_main", "main")]
    [InlineData("@JIT_WriteBarrierEAX@0", "JIT_WriteBarrierEAX")]
    [InlineData("@odd", "@odd")]
    [InlineData("_a@b", "a@b")]
    [InlineData("_", "_")]
    [InlineData("plain", "plain")]
    [InlineData("?f@@YGXXZ", "f")]
    public void Names_of_x86(string decorated, string expected) => Assert.Equal(expected, MsvcNames.Undecorate(decorated, isX86: true));

    [Fact]
    public void Names_that_grow_without_bounds_stay()
    {
        var name = "?f@" + string.Concat(Enumerable.Range(0, 200).Select(_ => "?$T@")) + "@@";
        var types = "?f@?$T@" + string.Concat(Enumerable.Repeat("P6AX", 500)) + "@@";
        var doubling =
            "?f@?1??g@@YAXPEAH"
            + string.Concat(Enumerable.Range(0, 9).Select(i => FormattableString.Invariant($"P6AX{i}{i}{i}@Z")))
            + "@Z@4HA";

        foreach (var each in (string[])[name, types, doubling, new string('?', 5000), "?" + new string('a', 9000) + "@@"])
            Assert.Equal(each, MsvcNames.Undecorate(each, isX86: false));
    }

    [Fact]
    public void Damaged_names_are_survived()
    {
        var names = Recorded.Select(row => row.Data.Item1).ToArray();
        var random = new Random(7);
        for (var i = 0; i < 50_000; i++)
        {
            var name = names[random.Next(names.Length)].ToCharArray();
            for (var changes = random.Next(1, 4); changes > 0; changes--)
                name[random.Next(name.Length)] =
                    random.Next(2) == 0 ? name[random.Next(name.Length)] : "?@$0123456789ABPQY_ZX"[random.Next(21)];
            Assert.NotEmpty(MsvcNames.Undecorate(new string(name, 0, random.Next(1, name.Length + 1)), isX86: false));
        }
    }
}
