using EtwSerializerProfiler.Traces.Clr;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Inlining;

namespace EtwSerializerProfiler.Traces.Tests.Symbols;

/// <summary>
/// Names of inlined methods that have no code of their own, by the metadata of real assemblies: the class library's and this one's.
/// </summary>
public sealed class InlineeNameTests
{
    private const long Library = 1;
    private const long Own = 2;
    private const ulong Start = 0x1000;
    private static readonly Guid s_runtime = new("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
    private static readonly Guid s_private = new("763fd754-7086-4dfe-95eb-c01a46faf4ca");
    private static readonly string s_library = typeof(object).Assembly.Location;
    private static readonly string s_own = typeof(InlineeNameTests).Assembly.Location;

    private readonly ManagedCodeMap _map = new();
    private readonly SymbolFiles _files = new("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero);

    public InlineeNameTests()
    {
        Module(Library, s_library, Pdb(s_library));
        Module(Own, s_own, Pdb(s_own));
        Types(
            (10, Library, typeof(List<>).MetadataToken, false, [11]),
            (11, Library, typeof(string).MetadataToken, false, []),
            (12, Own, typeof(Outer<,>.Inner).MetadataToken, false, [13, 10]),
            (13, Library, 0, true, [11]),
            (14, Library, typeof(List<>).MetadataToken, false, [14]),
            (15, Own, typeof(Outer<,>).MetadataToken, false, [99, 11])
        );
        Method(20, 10, typeof(List<>).GetMethod("Add")!.MetadataToken);
        Method(21, 12, typeof(Outer<,>.Inner).GetMethod("Call")!.MetadataToken);
    }

    [Fact]
    public void A_name_is_written_as_the_runtime_does_and_has_its_own_module_and_namespace()
    {
        var symbol = Inlinee(20);
        Assert.Equal(
            new CodeSymbol(
                CodeKind.Managed,
                "System.Private.CoreLib.dll",
                "System.Collections.Generic",
                "System.Collections.Generic.List`1[System.String].Add",
                true,
                20,
                CodeTier.Tier1
            )
            {
                TypeName = "System.Collections.Generic.List`1[System.String]",
                IsInlined = true,
            },
            symbol
        );
        Assert.Equal(
            "EtwSerializerProfiler.Traces.Tests.Symbols.InlineeNameTests+Outer`2+Inner[System.String[],System.Collections.Generic.List`1[System.String]].Call",
            Inlinee(21)!.Name
        );
        Assert.Equal(
            ("EtwSerializerProfiler.Traces.Tests.dll", "EtwSerializerProfiler.Traces.Tests.Symbols"),
            (Inlinee(21)!.Module, Inlinee(21)!.Namespace)
        );
        Assert.Empty(_files.Problems);
    }

    [Fact]
    public void Type_arguments_that_are_unknown_or_a_circle_are_a_question_mark()
    {
        Method(22, 14, typeof(List<>).GetMethod("Add")!.MetadataToken);
        Method(23, 15, typeof(Outer<,>).GetMethod("Call")!.MetadataToken);

        Assert.EndsWith("[?]]]]]]]]].Add", Inlinee(22)!.Name, StringComparison.Ordinal);
        Assert.EndsWith("Outer`2[?,System.String].Call", Inlinee(23)!.Name, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0x06000000)] // row 0
    [InlineData(0x06FFFFFF)] // no such row
    [InlineData(0x02000002)] // a type
    [InlineData(0x66000001)] // no such table
    public void A_token_of_no_method_names_nothing(int token)
    {
        Method(30, 10, token);
        Assert.Null(Inlinee(30));
    }

    [Fact]
    public void A_method_of_an_unknown_type_or_module_has_no_name()
    {
        Method(31, 98, 0x06000001);
        Types((97, 96, 0x02000002, false, []));
        Method(32, 97, 0x06000001);

        Assert.Null(Inlinee(31));
        Assert.Null(Inlinee(32));
        Assert.Null(Inlinee(33)); // no details came
    }

    [Fact]
    public void A_missing_file_and_one_that_is_not_an_assembly_are_said_once()
    {
        using var folder = new TempFolder();
        var text = folder.Write("text.dll", "no assembly");
        foreach (
            var (module, path) in ((long, string)[])
                [(50, Path.Combine(folder.Path, "gone.dll")), (51, text), (52, ""), (53, "EtwSerializerProfiler.Traces.dll")]
        )
        {
            Module(module, path, Guid.Empty);
            Types((module, module, 0x02000002, false, []));
            Method(module, module, 0x06000001);
            Method(module + 10, module, 0x06000002);
            Assert.Null(Inlinee(module));
            Assert.Null(Inlinee(module + 10));
        }

        Assert.Equal(4, _files.Problems.Count);
        Assert.Contains("the module has no file", _files.Problems[3], StringComparison.Ordinal);
        Assert.Contains("gone.dll", _files.Problems[0], StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_was_built_again_since_names_nothing_and_says_so()
    {
        Module(Library, s_library, Guid.NewGuid());

        Assert.Null(Inlinee(20));
        Assert.Contains("the file changed since the recording", Assert.Single(_files.Problems), StringComparison.Ordinal);
    }

    private static Guid Pdb(string path) => ModuleMetadata.Read(path).Pdbs[0];

    private void Module(long module, string path, Guid pdb) => Dispatch(s_runtime, 152, InlineBytes.Module(module, path, pdb));

    private void Types(params (long, long, int, bool, long[])[] types) => Dispatch(s_runtime, 15, InlineBytes.Types(types));

    private void Method(long method, long type, int token) => Dispatch(s_runtime, 72, InlineBytes.Method(method, type, token));

    /// <summary>The symbol of a method that is inlined into another one; null when it has no name.</summary>
    private CodeSymbol? Inlinee(long method)
    {
        Dispatch(s_runtime, 143, InlineBytes.Load(1, Own, Start, 0x100, "T", "M", 5));
        Dispatch(s_private, 189, InlineBytes.Chunk(1, 5, 0, true, InlineBytes.Tree([(1, 1, 0), (method, 0, 0)], (1, 0))));
        var resolver = new SymbolResolver(1, _map, new ProcessLayout(), _files);
        resolver.Resolve(Start, 10, false, SymbolResolver.NoCallee, out var inlinees);
        return inlinees.Length == 0 ? null : resolver.Symbols[inlinees[0]];
    }

    private void Dispatch(Guid provider, int id, byte[] payload) =>
        new ClrEventDispatcher(EventHub.Of(_map)).Dispatch(provider, id, new EventAt(5, 1, 1), payload);

    private sealed class Outer<TFirst, TSecond>
    {
        public void Call(TFirst first, TSecond second) => (First, Second) = (first, second);

        public TFirst? First { get; private set; }

        public TSecond? Second { get; private set; }

        public sealed class Inner
        {
            public void Call(TFirst first) => Kept = first;

            public TFirst? Kept { get; private set; }
        }
    }
}
