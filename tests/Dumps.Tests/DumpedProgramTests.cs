using EtwSerializerProfiler.Dumps.Heap;
using EtwSerializerProfiler.Dumps.Locks;
using EtwSerializerProfiler.Traces.Assemblies;
using Microsoft.Diagnostics.Runtime;

namespace EtwSerializerProfiler.Dumps.Tests;

/// <summary>Every number of a process with known objects, locks and exceptions.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class DumpedProgramTests(DumpedProgram program) : IClassFixture<DumpedProgram>
{
    /// <summary>Header, type, reference, number: 8 bytes each.</summary>
    private const int ItemBytes = 32;

    private static readonly Lock s_gate = new();
    private static DumpResult? s_result;

    [Fact]
    public void Objects_are_counted_by_type_and_generation()
    {
        var heap = Result.Heap!;

        Assert.Equal("generations 2 0", program.Facts);
        Assert.Equal(
            (KnownProcess.Items, KnownProcess.Items, (long)KnownProcess.Items * ItemBytes),
            (Type("KnownItem").Count, Type("KnownItem")[HeapGeneration.Gen2], Type("KnownItem").Bytes)
        );
        Assert.Equal((KnownProcess.Young, KnownProcess.Young), (Type("YoungItem").Count, Type("YoungItem")[HeapGeneration.Gen0]));
        Assert.Equal(
            (KnownProcess.LargeArrays, KnownProcess.PinnedArrays),
            (Type("System.Byte[]")[HeapGeneration.Loh], Type("System.Byte[]")[HeapGeneration.Poh])
        );
        Assert.InRange(
            Type("System.Byte[]").BytesByGeneration[(int)HeapGeneration.Loh],
            KnownProcess.LargeArrays * KnownProcess.LargeBytes,
            KnownProcess.LargeArrays * (KnownProcess.LargeBytes + 64)
        );
        Assert.Equal(1, Type("KnownItem[]")[HeapGeneration.Loh]);
        Assert.Equal(heap.Count, heap.Generations.Sum(generation => generation.Count));
        Assert.Equal((0, 0), (heap.DamagedPlaces, heap.UnreadBytes));
    }

    /// <summary>We walk the heap ourselves; ClrMD's slower walk must find the same objects.</summary>
    [Fact]
    public void The_walk_finds_what_the_library_finds()
    {
        var heap = Result.Heap!;
        using var target = DataTarget.LoadDump(program.Heap);
        using var runtime = target.ClrVersions[0].CreateRuntime();
        var (objects, bytes, gaps) = (0L, 0L, 0L);
        foreach (var item in runtime.Heap.EnumerateObjects())
        {
            if (item.IsFree)
                gaps += (long)item.Size;
            else
                (objects, bytes) = (objects + 1, bytes + (long)item.Size);
        }

        Assert.Equal((objects, bytes, gaps), (heap.Count, heap.Bytes, heap.FreeBytes));
    }

    [Fact]
    public void Pinned_objects_and_finalizers_are_found()
    {
        var pinned = Assert.Single(Result.Heap!.Pinned!, row => row.Type == "KnownPoint[]");
        var finalizer = Assert.Single(Result.Heap!.Finalizers!, row => row.Type == "KnownFinalizable");

        Assert.Equal((1, 1, "Gen2"), (pinned.Handles, pinned.Count, pinned.Generations));
        Assert.Equal((KnownProcess.Finalizable, KnownProcess.Finalizing), (finalizer.Registered, finalizer.Ready));
    }

    [Fact]
    public void The_exception_of_a_thread_has_its_inner_ones_and_its_stack()
    {
        var group = Assert.Single(Result.Exceptions!, item => item.Thread?.Name == "thrower");

        Assert.Equal(
            ["System.InvalidOperationException", "System.FormatException", "KnownException"],
            group.First.Chain.Select(exception => exception.Type)
        );
        Assert.Equal(
            ["outer exception", "inner exception", "innermost exception"],
            group.First.Chain.Select(exception => exception.Message)
        );
        Assert.Equal(KnownProcess.HResult, group.First.Chain.Last().HResult);
        Assert.Equal("KnownData.set_Value(Int32)", group.Frames[0].Method);
        Assert.Contains(group.Frames, frame => frame.Method == "KnownProcess.Throw()" && frame.Module == "TestProgram.dll");
        Assert.Contains(group.Frames, frame => frame.Serializer == "System.Text.Json");
        Assert.Equal("System.Text.Json", group.Serializer);
    }

    [Fact]
    public void Equal_exceptions_on_the_heap_are_one_row()
    {
        var group = Assert.Single(Result.Exceptions!, item => item.Thread is null && item.First.Type == "KnownException");

        Assert.Equal(
            (KnownProcess.Kept, "kept on the heap", (int?)KnownProcess.HResult),
            (group.Count, group.First.Message, group.First.HResult)
        );
        Assert.Equal(["KnownProcess.Thrown()"], group.Frames.Select(frame => frame.Method));
    }

    [Fact]
    public void Threads_have_names_stacks_and_serializers()
    {
        var threads = Result.Threads!.GroupBy(thread => thread.Label).ToDictionary(group => group.Key, group => group.First());

        Assert.Equal(
            ["KnownProcess.Hold()", "KnownProcess.Wait()", "KnownProcess.WaitForLock()"],
            ((string[])["holder", "waiter", "waiter of Lock"]).Select(name => threads[name].Place!.Method)
        );
        Assert.Equal("System.Text.Json", threads["thrower"].Serializer);
        Assert.Null(threads["holder"].Serializer);
        Assert.Contains(threads["finalizer"].Frames, frame => frame.Method == "KnownFinalizable.Finalize()");
        Assert.All(Result.Threads!, thread => Assert.Equal("", thread.Problem));
        Assert.Equal(Result.Threads!.Count, Result.Stacks!.Sum(stack => stack.Threads.Count));
    }

    [Fact]
    public void Locks_have_owners_and_those_who_wait()
    {
        // The main thread holds the lock of the console's reader.
        var locks = Result.Locks!.Where(held => held.Owner is not { ManagedId: 1 }).ToList();

        Assert.All(locks, held => Assert.Equal("holder", held.Owner?.Name));
        Assert.Equal(
            [1, KnownProcess.Recursion],
            locks.Where(held => held.Kind == LockKind.MonitorThin).Select(held => held.Entered).Order()
        );
        var monitor = Assert.Single(locks, held => held.Kind == LockKind.Monitor);
        var other = Assert.Single(locks, held => held.Kind == LockKind.Lock);
        Assert.Equal(("KnownLock", 1, 1, "waiter"), (monitor.Type, monitor.Entered, monitor.Waiters, Assert.Single(monitor.Waiting).Name));
        Assert.Equal(
            ("System.Threading.Lock", 1, 1, "waiter of Lock"),
            (other.Type, other.Entered, other.Waiters, Assert.Single(other.Waiting).Name)
        );
        Assert.Equal(4, locks.Count);
    }

    [Fact]
    public void Root_paths_lead_to_the_field_that_keeps_the_objects()
    {
        var row = Assert.Single(Result.Roots!.Rows, row => row.Type == "KnownItem");

        Assert.Equal(("static field KnownProcess.s_all", 5), (row.Root, row.Samples));
        Assert.StartsWith("System.Collections.Generic.List", row.Path, StringComparison.Ordinal);
        Assert.EndsWith("KnownItem[] → KnownItem", row.Path, StringComparison.Ordinal);
    }

    [Fact]
    public void Assemblies_have_their_builds()
    {
        var module = Assert.Single(Result.Modules!, module => module.Name == "TestProgram.dll");
        var file = AssemblyFileReader.Read(Path.Combine(AppContext.BaseDirectory, "TestProgram.dll"));

        Assert.Equal((file.Identity!.Version, file.ModuleId), (module.Version, module.ModuleId));
        Assert.Contains(Result.Modules!, module => module.Name == "System.Private.CoreLib.dll");
    }

    [Fact]
    public void The_process_and_its_runtime_are_reported()
    {
        Assert.Equal(program.ProcessId, Result.Facts.ProcessId);
        Assert.Contains(Environment.Version.ToString(3), Result.Facts.Runtime, StringComparison.Ordinal);
        Assert.Empty(Result.Findings);
    }

    [Fact]
    public void A_mini_dump_has_threads_and_no_heap()
    {
        program.Need();
        var result = DumpAnalysis.Run(program.Mini, new DumpQuery(DumpSections.Default | DumpSections.Locks));

        Assert.Null(result.Heap);
        Assert.Null(result.Locks);
        Assert.Contains(
            result.Findings,
            finding =>
                finding.Code == "dump-section" && finding.Text.StartsWith("heap: not read: the dump has no heap", StringComparison.Ordinal)
        );
        Assert.Contains(result.Threads!, thread => thread.Place?.Method == "KnownProcess.Hold()");
        Assert.Contains(result.Exceptions!, group => group.First.Type == "System.InvalidOperationException");
    }

    [Fact]
    public void Two_dumps_differ_by_what_was_made_between()
    {
        program.Need();
        var (before, after) = (
            DumpAnalysis.Run(program.Heap, new DumpQuery(DumpSections.Heap)),
            DumpAnalysis.Run(program.More, new DumpQuery(DumpSections.Heap))
        );
        var rows = Diff.HeapDiff.Of(before.Heap!, after.Heap!);

        var row = Assert.Single(rows, row => row.Type == "KnownLock");
        Assert.Equal((3, 3 + KnownProcess.More, KnownProcess.More), (row.CountBefore, row.CountAfter, row.CountChange));
        Assert.DoesNotContain(rows, row => row.Type is "KnownItem" or "YoungItem");
    }

    private DumpResult Result
    {
        get
        {
            program.Need();
            lock (s_gate)
                return s_result ??= DumpAnalysis.Run(program.Heap, new DumpQuery(DumpSections.All) { RootTime = TimeSpan.FromMinutes(5) });
        }
    }

    private TypeRow Type(string name) => Assert.Single(Result.Heap!.Types, row => row.Type == name);
}
