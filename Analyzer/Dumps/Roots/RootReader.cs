using System.Buffers.Binary;
using EtwSerializerProfiler.Dumps.Files;
using EtwSerializerProfiler.Dumps.Threads;
using Microsoft.Diagnostics.Runtime;

namespace EtwSerializerProfiler.Dumps.Roots;

/// <summary>
/// Enumerates what keeps objects alive, with a name for each. Stacks are read word by word, and every word that is the address of an object
/// counts (the debugging library's exact walk crashes on stacks with an exception in flight). So a leftover value of a method may appear to
/// hold an object.
/// </summary>
/// <param name="session">The dump.</param>
/// <param name="threads">Its threads.</param>
/// <param name="objects">Its objects.</param>
/// <param name="stages">Notified before each step.</param>
internal sealed class RootReader(DumpSession session, IReadOnlyList<DumpThread> threads, RootTargets objects, DumpStages stages)
{
    /// <summary>Maximum bytes of a stack.</summary>
    private const ulong MaxStackBytes = 16 << 20;

    /// <summary>Bytes to read above the last frame of a stack whose base is unknown.</summary>
    private const ulong BytesAboveLastFrame = 1024;

    /// <summary>Reports each certain root, those with the best names first.</summary>
    /// <param name="found">Receives the object's address and its holder; the text is created only on demand.</param>
    public void ReadCertain(Action<ulong, Func<string>> found)
    {
        Try("static fields", () => Statics(found));
        Try(
            "static variables",
            () =>
            {
                foreach (var root in session.Runtime.Heap.EnumerateAdditionalRoots())
                    found(root.Object.Address, () => root.RootKind == ClrRootKind.ThreadStaticVar ? "thread static field" : "static field");
            }
        );
        Try(
            "handles",
            () =>
            {
                foreach (var handle in session.Runtime.EnumerateHandles().Where(handle => handle.IsStrong))
                    found(handle.Object.Address, () => $"{handle.HandleKind.ToString().ToLowerInvariant()} handle");
            }
        );
        Try(
            "queue of finalizers",
            () =>
            {
                foreach (var root in session.Runtime.Heap.EnumerateFinalizerRoots())
                    found(root.Object.Address, () => "queue of finalizers");
            }
        );
    }

    /// <summary>Reports each object whose address is on a stack.</summary>
    /// <inheritdoc cref="ReadCertain"/>
    public void ReadStacks(Action<ulong, Func<string>> found)
    {
        foreach (var thread in threads)
            Stack(thread, found);
    }

    private void Statics(Action<ulong, Func<string>> found)
    {
        foreach (var type in session.Runtime.EnumerateModules().SelectMany(module => module.EnumerateTypesWithStaticFields()))
        {
            foreach (var field in type.StaticFields.Where(field => field.IsObjectReference))
            {
                foreach (var domain in session.Runtime.AppDomains)
                {
                    if (field.ReadObject(domain) is { IsNull: false } value)
                        found(value.Address, () => $"static field {type.Name}.{field.Name}");
                }
            }
        }
    }

    private void Stack(DumpThread thread, Action<ulong, Func<string>> found)
    {
        if (thread.Frames.Count == 0 || thread.Frames[0].StackPointer is not (> 0 and var from))
            return;
        var to = thread.StackBase > from ? thread.StackBase : thread.Frames[^1].StackPointer + BytesAboveLastFrame;
        if (to <= from || to - from > MaxStackBytes)
            return;
        var stack = new byte[to - from];
        var read = session.Target.DataReader.Read(from, stack);
        var pointer = session.Target.DataReader.PointerSize;
        var frame = 0;
        for (var at = 0; at + pointer <= read; at += pointer)
        {
            while (frame + 1 < thread.Frames.Count && thread.Frames[frame + 1].StackPointer <= from + (ulong)at)
                frame++;
            var word =
                pointer == 8
                    ? BinaryPrimitives.ReadUInt64LittleEndian(stack.AsSpan(at))
                    : BinaryPrimitives.ReadUInt32LittleEndian(stack.AsSpan(at));
            if (objects.IndexOf(word) < 0)
                continue;
            var place = thread.Frames[frame];
            found(
                word,
                () =>
                    FormattableString.Invariant(
                        $"stack of thread {thread.ManagedId}{(thread.Name.Length > 0 ? $" ({thread.Name})" : "")}, {place.Method}"
                    )
            );
        }
    }

    private void Try(string stage, Action step)
    {
        if (!stages.Enter("roots: " + stage))
            return;
        try
        {
            step();
        }
        // Damaged memory can make ClrMD throw anything.
        catch (Exception exception) when (exception is not (OutOfMemoryException or OperationCanceledException)) { }
    }
}
