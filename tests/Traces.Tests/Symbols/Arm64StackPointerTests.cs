using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Tests.Symbols;

/// <summary>
/// Made-up arm64 stacks: a native function called the method Called. Its pair lies at the bottom of its frame of 0x30 bytes, so the end of
/// the pair is not the caller's stack pointer. The word there is a return address of an earlier call, into Wrong.
/// </summary>
public sealed class Arm64StackPointerTests : IDisposable
{
    private const ulong Called = 0x1000;
    private const ulong Hot = 0x2000;
    private const ulong Outer = 0x3000;
    private const ulong Wrong = 0x4000;
    private const ulong Library = 0x7000_0000;

    /// <summary>Stores x30 at the bottom of a frame of 32 bytes and leaves x29 as it is.</summary>
    private const ulong Bare = Library + 0x100;

    /// <summary>Stores the pair at the bottom of a frame of 48 bytes and sets x29 to it. Its rules count from SP, as GCC's do.</summary>
    private const ulong Paired = Library + 0x200;

    private const ulong Stack = 0x5000;
    private const ulong CalledFrame = 0x5010;
    private const ulong NativeFrame = 0x5040;
    private const ulong HotFrame = 0x50a0;
    private const ulong OuterFrame = 0x5100;

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>The link register may have any value in the middle of a method, and 0 does not make it x64.</summary>
    [Theory]
    [InlineData(0UL)]
    [InlineData(Called + 0x3c)]
    public void A_native_function_below_a_method_has_no_caller_by_a_stack_pointer_that_is_unknown(ulong link)
    {
        var stack = new ulong[0x28];
        Pair(stack, CalledFrame, HotFrame, Bare + 8);
        stack[Index(CalledFrame + 16)] = Wrong + 8;
        stack[Index(NativeFrame)] = Hot + 8;
        Pair(stack, HotFrame, OuterFrame, Outer + 8);

        Assert.Equal([], Recover(stack, link, Called + 0x40, Bare + 8, Outer + 8));
    }

    /// <summary>
    /// The frame pointer of a native function that calls shows where its frame is: the callers of those below it are known again.
    /// </summary>
    [Fact]
    public void A_native_function_with_a_frame_pointer_gives_the_stack_pointer_again()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "libraries of Linux have no paths here");
        var stack = new ulong[0x28];
        Pair(stack, CalledFrame, NativeFrame, Paired + 8);
        stack[Index(CalledFrame + 16)] = Wrong + 8;
        Pair(stack, NativeFrame, HotFrame, Bare + 8);
        stack[Index(NativeFrame + 48)] = Hot + 8; // Bare's: its stack pointer is the end of the frame above
        Pair(stack, HotFrame, OuterFrame, Outer + 8);

        Assert.Equal([Paired + 8, Bare + 8, Hot + 8], Recover(stack, Called + 0x3c, Called + 0x40, Paired + 8, Bare + 8, Outer + 8));
    }

    [Fact]
    public void A_frame_pointer_below_the_frame_does_not_give_it()
    {
        var stack = new ulong[0x28];
        Pair(stack, CalledFrame, Stack, Paired + 8);
        Pair(stack, Stack, HotFrame, Bare + 8);
        stack[Index(Stack + 48)] = Hot + 8;
        Pair(stack, HotFrame, OuterFrame, Outer + 8);

        Assert.Equal([], Recover(stack, Called + 0x3c, Called + 0x40, Paired + 8, Bare + 8, Outer + 8));
    }

    private static int Index(ulong address) => (int)(address - Stack) / 8;

    private static void Pair(ulong[] stack, ulong at, ulong framePointer, ulong returnAddress) =>
        (stack[Index(at)], stack[Index(at) + 1]) = (framePointer, returnAddress);

    /// <summary>The callers found for a sample in Called, whose frame pointer is its own.</summary>
    private ulong[] Recover(ulong[] stack, ulong link, params ulong[] chain)
    {
        byte[] bare = [0x41, 0x0e, 32, 0x9e, 4];
        byte[] paired = [0x41, 0x0e, 48, 0x9d, 6, 0x9e, 5];
        var path = _folder.Write("libx.so", ElfBytes.MakeArm64((0x401100, 0x100, bare), (0x401200, 0x100, paired)));
        var start = DateTime.UtcNow.AddHours(1); // a file without a build id counts unless it was written since
        var layout = new ProcessLayout();
        var methods = new ManagedCodeMap();
        layout.Hear(new FileMapping(new EventAt(1, 1, 1), Library, 0x1000, 0x1000, path, ""));
        foreach (var method in new[] { Called, Hot, Outer, Wrong })
            methods.Hear(
                new MethodCode(new EventAt(1, 1, 1), (long)method, 1, method, 0x100, CodeTier.Tier1, false, "T", $"{method:x}", "void ()")
            );
        var files = new SymbolFiles(Environment.MachineName, start, TimeSpan.FromSeconds(1));
        var recovery = new SymbolResolver(1, methods, layout, files).Recovery;
        var sample = new CpuSample(new EventAt(5, 1, 1), 1_000_000, false, chain, 0)
        {
            Dump = new StackDump(chain[0], Stack, CalledFrame, link, MemoryMarshal.AsBytes<ulong>(stack)),
        };
        return recovery.TryRecover(sample) ? recovery.Callers.ToArray() : [];
    }
}
