using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Inlining;

namespace EtwSerializerProfiler.Traces.Tests.Symbols;

/// <summary>
/// The inlined methods that a frame represents, decided by the IL of this assembly and of the class library. Every method of a tree has an
/// IL body; its mapping is handmade.
/// </summary>
public sealed class InlineExpansionTests
{
    private const ulong Root = 0x1000;
    private const ulong Callee = 0x10_0000;
    private const ulong Library = 0x20_0000;
    private static readonly EventAt s_at = new(5, 1, 1);

    private readonly ManagedCodeMap _map = new();
    private readonly ProcessLayout _layout = new();
    private readonly SymbolFiles _files = new("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero);
    private readonly Dictionary<string, long> _ids = [];

    /// <summary>The module into which the runtime loaded a method, in traces without types; null in those with types.</summary>
    private Func<MethodBase, long>? _loader;

    public InlineExpansionTests()
    {
        foreach (var (id, assembly) in ((long, Assembly)[])[(1, typeof(InlineExpansionTests).Assembly), (2, typeof(object).Assembly)])
        {
            _map.Hear(new ModuleLoaded(s_at, id, assembly.Location));
            _map.Hear(new ModulePdb(s_at, id, ModuleMetadata.Read(assembly.Location).Pdbs[0]));
        }

        _layout.Hear(new FileMapping(s_at, Library, 0x1000, 0, "/lib/libc.so.6", ""));
    }

    /// <summary>Sort(Slice(n)): the call of Sort has no mapping of its own, so the range of Slice covers it.</summary>
    [Fact]
    public void A_call_in_the_tail_of_an_inlined_method_is_its_callers()
    {
        Tree("Sort", [("Slice", -1), ("Construct", 0)], (2, 0));

        Assert.Equal(["Sort"], Caller("Sort"));
        Assert.Equal(["Slice*", "Sort"], Caller("Check"));
        Assert.Equal(["Construct*", "Slice*", "Sort"], Leaf(0));
    }

    /// <summary>Frames of the last callee are kept apart from those of the others.</summary>
    [Fact]
    public void A_caller_of_several_methods_in_turn_has_the_frames_of_each()
    {
        Tree("Sort", [("Slice", -1), ("Construct", 0)], (2, 0));
        Load(Id(Method("Sort")), Callee, Method("Sort"), 0x100);
        Load(Id(Method("Check")), Callee + 0x1000, Method("Check"), 0x100);
        var resolver = Resolver();

        for (var round = 0; round < 3; round++)
        {
            Assert.Equal(["Sort"], Names(resolver, Root + 8, resolver.Resolve(Callee, 10, isKernel: false)));
            Assert.Equal(["Slice*", "Sort"], Names(resolver, Root + 8, resolver.Resolve(Callee + 0x1000, 10, isKernel: false)));
            Assert.Equal(["Construct*", "Slice*", "Sort"], Names(resolver, Root + 8, SymbolResolver.NoCallee));
        }
    }

    /// <summary>A generic instance is loaded into the module of a type argument, where its token is another method.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Without_types_a_method_is_where_its_callers_IL_names_it(bool isLoadedElsewhere)
    {
        _loader = method => isLoadedElsewhere ? 3 - Module(method) : Module(method);
        Tree("Sort", [("Slice", -1), ("Construct", 0)], (2, 0));

        Assert.Equal(["Sort"], Caller("Sort"));
        Assert.Equal(["Slice*", "Sort"], Caller("Check"));
        Assert.Equal(["Construct*", "Slice*", "Sort"], Leaf(0));
    }

    /// <summary>Slice does not call Sort: no IL names it there, and a wrong name is worse than none.</summary>
    [Fact]
    public void Without_types_a_method_that_no_IL_names_has_no_name()
    {
        _loader = Module;
        Tree("Slice", [("Sort", -1)], (0, 0));

        Assert.Equal(["Slice"], Leaf(0));
    }

    [Fact]
    public void The_method_that_names_the_callee_is_shown_although_it_has_no_mapping()
    {
        Tree("Sort", [("Slice", -1), ("Construct", 0)], (0, 0));

        Assert.Equal(["Slice*", "Sort"], Caller("Check"));
        Assert.Equal(["Sort"], Caller("Sort"));
    }

    [Fact]
    public void Of_two_methods_that_may_have_called_it_none_is_shown()
    {
        Tree("Both", [("CheckOnce", -1), ("CheckTwice", -1), ("Construct", -1)], (3, 0));

        Assert.Equal(["Both"], Caller("Check", unexpanded: 1));
    }

    /// <summary>
    /// The frame between is missing from the frame pointer chain, or replaced by a tail call: the mapping is used, for a method that makes
    /// any calls.
    /// </summary>
    [Fact]
    public void A_callee_that_nothing_here_calls_has_a_missing_frame_above_it()
    {
        Tree("Sort", [("Slice", -1), ("Construct", 0)], (2, 0));

        Assert.Equal(["[missing frame]", "Slice*", "Sort"], Caller("Both"));
        Assert.Equal(["[missing frame]", "Slice*", "Sort"], Caller("Derived.Hide")); // a method of that name that is not virtual
        Assert.Equal(
            ["[missing frame]", "Slice*", "Sort"],
            Caller(typeof(int).GetMethod("Parse", [typeof(string), typeof(NumberStyles), typeof(IFormatProvider)])!)
        );
    }

    [Fact]
    public void A_delegate_may_call_anything_but_a_named_call_comes_first()
    {
        Tree("Map", [("Apply", -1), ("Construct", 0)], (2, 0));

        Assert.Equal(["Apply*", "Map"], Caller("Both")); // a method that no IL names
        Assert.Equal(["Map"], Caller("Check"));
    }

    [Theory]
    [InlineData("Derived.Draw")] // overrides
    [InlineData("Box.System.IDisposable.Dispose")] // explicit implementation
    [InlineData("Plain.Dispose")] // of a value type, through a constraint
    public void A_virtual_call_reaches_every_implementation(string callee)
    {
        Tree("Sort", [("CallVirtuals", -1), ("Construct", 0)], (2, 0));

        Assert.Equal(["CallVirtuals*", "Sort"], Caller(callee));
    }

    [Theory]
    [InlineData("Derived.Hide")] // a method of that name that is not virtual
    [InlineData("Derived.DrawTwo")] // has another number of parameters than Draw
    public void A_virtual_call_reaches_no_other_method(string callee)
    {
        Tree("Sort", [("CallVirtuals", -1), ("Construct", 0)], (2, 0));

        Assert.Equal(["[missing frame]", "CallVirtuals*", "Sort"], Caller(callee));
    }

    [Fact]
    public void Generic_methods_and_types_are_compared_by_their_definition()
    {
        Tree("Sort", [("CallGenerics", -1), ("Construct", 0)], (2, 0));

        Assert.Equal(["CallGenerics*", "Sort"], Caller(typeof(List<>).GetMethod("Add")!));
        Assert.Equal(
            ["CallGenerics*", "Sort"],
            Caller(
                typeof(Array)
                    .GetMethods()
                    .First(method => method.Name == "IndexOf" && method.IsGenericMethod && method.GetParameters().Length == 2)
            )
        );
        Assert.Equal(["[missing frame]", "CallGenerics*", "Sort"], Caller(typeof(DateTime).GetMethod("Add")!));
    }

    [Fact]
    public void Strings_are_built_by_other_methods_than_constructors()
    {
        Tree("Sort", [("Text", -1), ("Construct", 0)], (2, 0));

        Assert.Equal(
            ["Text*", "Sort"],
            Caller(
                typeof(string).GetMethod(
                    "Ctor",
                    BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance,
                    [typeof(char), typeof(int)]
                )!
            )
        );
    }

    [Fact]
    public void Whom_helpers_and_native_code_are_called_by_is_not_in_il_the_mapping_stands()
    {
        Tree("Sort", [("Slice", -1), ("Construct", 0)], (2, 0));

        Assert.Equal(["Construct*", "Slice*", "Sort"], Caller(Library));
        Assert.Equal(
            ["Construct*", "Slice*", "Sort"],
            Caller(
                typeof(object)
                    .Assembly.GetType("System.Runtime.CompilerServices.CastHelpers")!
                    .GetMethod("ChkCastAny", BindingFlags.NonPublic | BindingFlags.Static)!
            )
        );
        _map.Hear(new MethodCode(s_at, 900, 900, 0x30_0000, 0x100, CodeTier.Tier1, false, "dynamicClass", "IL_STUB_PInvoke", ""));
        Assert.Equal(["Construct*", "Slice*", "Sort"], Caller(0x30_0000));
    }

    [Fact]
    public void A_callee_without_metadata_is_recognized_by_its_name()
    {
        _map.Hear(new MethodCode(s_at, 900, 900, 0x30_0000, 0x100, CodeTier.Tier1, false, typeof(Methods).FullName!, "Check", ""));
        Tree("Sort", [("Slice", -1), ("Construct", 0)], (2, 0));

        Assert.Equal(["Slice*", "Sort"], Caller(0x30_0000));
    }

    /// <summary>
    /// Keep(Make()) in a loop: the allocation has no mapping of its own, so the range of Keep, which is inlined before it, covers it.
    /// </summary>
    [Fact]
    public void An_allocation_is_that_of_the_nearest_method_that_allocates()
    {
        Tree("Allocations", [("Construct", -1), ("NewArray", -1), ("Values", -1)], (1, 0), (3, 0x20));

        Assert.Equal(["NewArray*", "Allocations"], Allocator()); // has no mapping
        Assert.Equal(["NewArray*", "Allocations"], Allocator(0x28)); // a value type is not an object
    }

    [Theory]
    [InlineData("NewArray")]
    [InlineData("NewObject")]
    [InlineData("Boxed")]
    [InlineData("CallOutside")] // the runtime's own code may allocate
    public void An_allocation_is_an_instruction_that_makes_an_object(string method)
    {
        Tree("Allocations", [(method, -1), ("Construct", 0), ("Values", -1)], (2, 0));

        Assert.Equal([method + "*", "Allocations"], Allocator());
    }

    [Fact]
    public void Of_two_methods_that_may_have_allocated_none_is_shown()
    {
        Tree("Allocations", [("NewArray", -1), ("NewObject", -1), ("Construct", -1)], (3, 0));

        Assert.Equal(["Allocations"], Allocator(unexpanded: 1));
    }

    [Fact]
    public void A_method_that_makes_but_exceptions_comes_last()
    {
        Tree("Allocations", [("Construct", -1), ("NewArray", -1), ("Expect", -1), ("Fail", 2)], (1, 0), (4, 0x20));

        Assert.Equal(["NewArray*", "Allocations"], Allocator());
        Assert.Equal(["Fail*", "Expect*", "Allocations"], Allocator(0x28)); // except for the mapping
    }

    [Fact]
    public void Where_nothing_allocates_the_mapping_stands()
    {
        Tree("Both", [("CheckOnce", -1), ("Construct", -1)], (2, 0));

        Assert.Equal(["Construct*", "Both"], Allocator());
    }

    [Fact]
    public void An_exception_is_that_of_the_nearest_method_that_throws()
    {
        var dispatch = typeof(object)
            .Assembly.GetType("System.Runtime.EH")!
            .GetMethod("RhThrowEx", BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Public)!;
        Tree("Expect", [("Construct", -1), ("Fail", -1)], (1, 0));

        Assert.Equal(["Fail*", "Expect"], Caller(dispatch));
    }

    [Fact]
    public void A_static_constructor_is_called_by_the_runtime_and_the_mapping_stands()
    {
        Tree("Map", [("Apply", -1), ("Slice", -1), ("Construct", 1)], (3, 0));

        Assert.Equal(["Construct*", "Slice*", "Map"], Caller(typeof(Once).TypeInitializer!));
    }

    /// <summary>The file of the method's module is missing, or the method has no IL: it may call anything.</summary>
    [Fact]
    public void A_method_without_il_that_can_be_read_may_have_called_it()
    {
        Tree("Sort", [("Outside", -1), ("Construct", 0)], (2, 0));

        Assert.Equal(["Outside*", "Sort"], Caller("Both"));
    }

    [Fact]
    public void A_tree_that_inlines_what_its_caller_does_not_call_ends_there()
    {
        Tree("Sort", [("Slice", -1), ("Both", 0), ("CheckOnce", 1)], (3, 0));

        Assert.Equal(["Slice*", "Sort"], Leaf(0));
        Assert.Equal(["Slice*", "Sort"], Caller(Library));
    }

    [Fact]
    public void A_range_that_is_much_longer_than_the_il_belongs_to_the_caller_from_there_on()
    {
        Tree("Sort", [("Slice", -1), ("Construct", 0), ("Loop", -1)], (2, 0x10), (3, 0x1000));

        Assert.Equal(["Construct*", "Slice*", "Sort"], Leaf(0x10));
        Assert.Equal(["Construct*", "Slice*", "Sort"], Leaf(0x40));
        Assert.Equal(["Sort"], Leaf(0xf00));
        Assert.Equal(["Loop*", "Sort"], Leaf(0x1ff0)); // a loop may be unrolled
    }

    /// <summary>Loads the code of a method with others inlined into it.</summary>
    /// <param name="root">The method.</param>
    /// <param name="inlined">
    /// Those that are inlined, by number from 1 on; each with its caller's place in this list, -1 for the method itself.
    /// </param>
    /// <param name="mappings">Numbers and the offsets at which their code begins.</param>
    private void Tree(string root, (string Name, int Caller)[] inlined, params (int Node, int Offset)[] mappings)
    {
        var nodes = new (long Method, int Child, int Sibling)[inlined.Length + 1];
        nodes[0].Method = Id(Method(root));
        for (var node = inlined.Length; node > 0; node--)
        {
            var caller = inlined[node - 1].Caller + 1;
            (nodes[node].Method, nodes[node].Sibling, nodes[caller].Child) = (
                Id(Method(inlined[node - 1].Name)),
                nodes[caller].Child,
                node
            );
        }

        Load(nodes[0].Method, Root, Method(root), 0x2000);
        _map.Hear(new InlineTreeChunk(s_at, nodes[0].Method, 5, 0, isLast: true, InlineBytes.Tree(nodes, mappings)));
    }

    private string[] Leaf(ulong offset) => Names(Resolver(), Root + offset, SymbolResolver.NoCallee);

    private string[] Allocator(ulong offset = 8, int unexpanded = 0)
    {
        var resolver = Resolver();
        var names = Names(resolver, Root + offset, SymbolResolver.Allocator);
        Assert.Equal(unexpanded, resolver.UnexpandedFrames);
        return names;
    }

    private string[] Caller(string callee, int unexpanded = 0) => Caller(Method(callee), unexpanded);

    private string[] Caller(MethodBase callee, int unexpanded = 0)
    {
        var start = Callee + 0x1000 * (ulong)_ids.Count;
        Load(Id(callee), start, callee, 0x100);
        return Caller(start, unexpanded);
    }

    private string[] Caller(ulong callee, int unexpanded = 0)
    {
        var resolver = Resolver();
        var names = Names(resolver, Root + 8, resolver.Resolve(callee, 10, isKernel: false));
        Assert.Equal(unexpanded, resolver.UnexpandedFrames);
        return names;
    }

    private static string[] Names(SymbolResolver resolver, ulong address, int callee)
    {
        var symbol = resolver.Resolve(address, 10, isKernel: false, callee, out var inlinees);
        return
        [
            .. inlinees
                .ToArray()
                .Append(symbol)
                .Select(number => resolver.Symbols[number])
                .Select(found =>
                    (found.TypeName.Length > 0 ? found.Name[(found.TypeName.Length + 1)..] : found.Name) + (found.IsInlined ? "*" : "")
                ),
        ];
    }

    private SymbolResolver Resolver() => new(1, _map, _layout, _files);

    private void Load(long id, ulong start, MethodBase method, uint size) =>
        _map.Hear(
            new MethodCode(s_at, id, Module(method), start, size, CodeTier.Tier1, false, method.DeclaringType!.FullName!, method.Name, "")
            {
                NativeCodeId = 5,
                Token = method.MetadataToken,
            }
        );

    private long Id(MethodBase method)
    {
        var name = $"{method.DeclaringType}.{method}";
        if (_ids.TryGetValue(name, out var id))
            return id;
        _ids.Add(name, id = 100 + _ids.Count);
        if (method.Name == "Outside")
        {
            _map.Hear(
                new MethodCode(s_at, id, 0, 0x50_0000, 0x100, CodeTier.Tier1, false, method.DeclaringType!.FullName!, method.Name, "")
            );
            return id;
        }

        if (_loader is null)
            _map.Hear(new TypeDetails(1000 + id, Module(method), method.DeclaringType!.MetadataToken, isArray: false, default));
        _map.Hear(new MethodDetails(id, 1000 + id, method.MetadataToken, LoaderModuleId: _loader?.Invoke(method) ?? 0));
        return id;
    }

    private static long Module(MethodBase method) => method.Module.Assembly == typeof(object).Assembly ? 2 : 1;

    private static MethodInfo Method(string name)
    {
        const BindingFlags all =
            BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance | BindingFlags.DeclaredOnly;
        var type = name.Split('.') is [var first, _, ..]
            ? typeof(InlineExpansionTests).GetNestedType(first, BindingFlags.NonPublic)!
            : typeof(Methods);
        return type.GetMethod(name.StartsWith(type.Name + ".", StringComparison.Ordinal) ? name[(type.Name.Length + 1)..] : name, all)!;
    }

    /// <summary>The IL that is examined; it never runs.</summary>
    private static class Methods
    {
        public static void Sort(int n)
        {
            Sort(Slice(n));
            CallVirtuals<Plain>(new Derived(), new Box(), default);
            CallGenerics([]);
            Text();
            Outside();
            Loop(n);
        }

        public static int Slice(int n)
        {
            Check(n);
            return Construct(n);
        }

        public static void Both()
        {
            CheckOnce();
            CheckTwice();
            Construct(1);
        }

        public static void CheckOnce() => Check(1);

        public static void CheckTwice() => Check(2);

        public static void Check(int n) => GC.KeepAlive(n);

        public static int Construct(int n) => n + 1;

        public static int Allocations(int n)
        {
            Construct(NewArray(n).Length);
            NewObject();
            Boxed(n);
            CallOutside();
            Expect(n);
            return Values(n);
        }

        public static int[] NewArray(int n) => new int[n];

        public static object NewObject() => new();

        [System.Diagnostics.CodeAnalysis.SuppressMessage(
            "Performance",
            "CA1859:Use concrete types when possible",
            Justification = "Its IL boxes."
        )]
        public static object Boxed(int n) => n;

        public static void CallOutside() => Outside();

        public static int Values(int n) => new Pair(n).First + new KeyValuePair<int, int>(n, n).Key;

        public static int Expect(int n)
        {
            if (n == 0)
                Fail();
            return Construct(n);
        }

        public static void Fail() => throw new InvalidOperationException();

        public static int Map(Func<int, int> function)
        {
            Check(1);
            Slice(1);
            return Apply(function);
        }

        public static int Apply(Func<int, int> function) => Construct(function(1));

        public static void CallVirtuals<T>(Base shape, IDisposable box, T plain)
            where T : IDisposable
        {
            shape.Draw(1);
            shape.Hide();
            box.Dispose();
            plain.Dispose();
        }

        public static int CallGenerics(List<string> texts)
        {
            texts.Add("");
            return Array.IndexOf(["a"], "b");
        }

        public static string Text() => new('a', 3);

        public static int Loop(int n)
        {
            for (var i = 0; i < n; i++)
                n--;
            return n;
        }

        [MethodImpl(MethodImplOptions.InternalCall)]
        public static extern void Outside();
    }

    private readonly struct Pair(int first)
    {
        public int First { get; } = first;
    }

    private static class Once
    {
        static Once() => GC.KeepAlive(typeof(Once));
    }

    private abstract class Base
    {
        public abstract void Draw(int size);

        public void Hide() => Draw(0);
    }

    private sealed class Derived : Base
    {
        public override void Draw(int size) => GC.KeepAlive(size);

        public new void Hide() => GC.KeepAlive(this);

        public void DrawTwo(int size, int other) => Draw(size + other);
    }

    private sealed class Box : IDisposable
    {
        void IDisposable.Dispose() => GC.KeepAlive(this);
    }

    private readonly struct Plain : IDisposable
    {
        public void Dispose() { }
    }
}
