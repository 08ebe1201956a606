using System.Runtime.InteropServices;
using EtwSerializerProfiler.Traces.PerfData;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>Reads registers, callers and stack of a stopped thread into its own memory. Used by one thread.</summary>
/// <param name="stackBytes">Bytes of stack in a sample.</param>
internal sealed unsafe class ThreadStop(int stackBytes) : IDisposable
{
    /// <summary>The kernel's default for perf's call chains (kernel.perf_event_max_stack).</summary>
    public const int MaxFrames = 127;

    /// <summary>Bytes of stack copied at once. Frames beyond are read in pieces of this size.</summary>
    private const int CopyBytes = 16 << 10;

    /// <summary>
    /// Maximum number of pieces: a chain of frames of 4 KB each ends early instead of stopping the thread for milliseconds.
    /// </summary>
    private const int MaxPieces = 32;

    /// <summary>Size of a caller's frame pointer and return address.</summary>
    private const int FrameBytes = 16;

    private const int PageBytes = 4096;

    private static readonly bool s_isArm64 = RuntimeInformation.ProcessArchitecture == Architecture.Arm64;

    /// <summary>Registers of this architecture in a sample, lowest number first.</summary>
    public static ulong RegisterMask { get; } = s_isArm64 ? UserRegisterSet.Arm64 : UserRegisterSet.X64;

    private readonly int _copyBytes = Math.Max(CopyBytes, stackBytes);
    private readonly byte* _stack = (byte*)NativeMemory.Alloc((nuint)Math.Max(CopyBytes, stackBytes));
    private readonly byte* _piece = (byte*)NativeMemory.Alloc(CopyBytes);
    private readonly ulong* _registers = (ulong*)NativeMemory.AllocZeroed(64, 8);
    private readonly ulong* _frames = (ulong*)NativeMemory.Alloc(MaxFrames, 8);
    private int _stackLength;
    private int _frameCount;

    /// <summary>Address of the instruction, or of the one after the current system call.</summary>
    public ulong Instruction => _registers[s_isArm64 ? 32 : 16];

    public ulong StackPointer => _registers[s_isArm64 ? 31 : 19];

    public ulong FramePointer => _registers[s_isArm64 ? 29 : 4];

    /// <summary>Return address of the innermost function on arm64.</summary>
    public ulong Link => _registers[30];

    /// <summary>Number of the system call that the thread is leaving; negative for none.</summary>
    public long SystemCall { get; private set; }

    /// <summary>Leaf and callers.</summary>
    public ReadOnlySpan<ulong> Frames => new(_frames, _frameCount);

    /// <summary>Stack from the stack pointer, up to the size of a sample.</summary>
    public ReadOnlySpan<byte> Stack => new(_stack, Math.Min(_stackLength, stackBytes));

    /// <summary>Reads registers; false when the thread has ended.</summary>
    public bool ReadRegisters(int thread)
    {
        var vector = new PtraceNative.IoVector { Start = _registers, Length = 64 * 8 };
        if (PtraceNative.Trace(PtraceNative.GetRegisterSet, thread, PtraceNative.GeneralRegisters, (nint)(&vector)) != 0)
            return false;
        if (!s_isArm64)
        {
            SystemCall = (long)_registers[15]; // orig_rax
            return true;
        }

        int number;
        vector = new PtraceNative.IoVector { Start = &number, Length = 4 };
        SystemCall =
            PtraceNative.Trace(PtraceNative.GetRegisterSet, thread, PtraceNative.Arm64SystemCall, (nint)(&vector)) == 0 ? number : -1;
        return true;
    }

    /// <summary>
    /// Copies the stack and follows the chain of frame pointers like the kernel's perf_callchain_user: a frame is the caller's frame
    /// pointer, then the return address, which may be signed on arm64.
    /// </summary>
    public void ReadStack(SampledThread thread)
    {
        var bottom = StackPointer;
        _stackLength = Read(
            thread.Id,
            bottom,
            _stack,
            thread.OutermostFrame > bottom
                ? (int)Math.Clamp(thread.OutermostFrame + FrameBytes - bottom, (ulong)stackBytes, (ulong)_copyBytes)
                : _copyBytes
        );
        _frames[0] = Instruction;
        _frameCount = 1;
        var pieceAt = 0UL;
        var pieceLength = 0;
        var pieces = 0;
        for (var frame = FramePointer; _frameCount < MaxFrames && frame >= bottom && (frame & 7) == 0;)
        {
            byte* found;
            if (frame - bottom + FrameBytes <= (ulong)_stackLength)
            {
                found = _stack + (frame - bottom);
            }
            else
            {
                if (frame < pieceAt || frame - pieceAt + FrameBytes > (ulong)pieceLength)
                {
                    if (pieces++ == MaxPieces)
                        return;
                    pieceAt = frame;
                    pieceLength = Read(thread.Id, frame, _piece, CopyBytes);
                    if (pieceLength < FrameBytes)
                        return;
                }

                found = _piece + (frame - pieceAt);
            }

            var caller = UserRegisterSet.WithoutSignature(*(ulong*)(found + 8));
            if (caller == 0)
                return;
            _frames[_frameCount++] = caller;
            thread.OutermostFrame = frame;
            var next = *(ulong*)found;
            if (next <= frame)
                return; // the stack grows downwards, so a caller's frame is above
            frame = next;
        }
    }

    public void Dispose()
    {
        NativeMemory.Free(_stack);
        NativeMemory.Free(_piece);
        NativeMemory.Free(_registers);
        NativeMemory.Free(_frames);
    }

    /// <summary>Reads memory up to the first missing page.</summary>
    /// <remarks>A transfer can be truncated only between elements of the vector (process_vm_readv(2)), so each page has its own.</remarks>
    private static int Read(int thread, ulong address, byte* to, int bytes)
    {
        const int MaxElements = (32 << 10) / PageBytes + 2;
        var pages = stackalloc PtraceNative.IoVector[MaxElements];
        var count = 0;
        for (var left = (ulong)bytes; left > 0 && count < MaxElements; count++)
        {
            var length = Math.Min(left, PageBytes - address % PageBytes);
            pages[count] = new PtraceNative.IoVector { Start = (void*)address, Length = (nuint)length };
            address += length;
            left -= length;
        }

        var local = new PtraceNative.IoVector { Start = to, Length = (nuint)bytes };
        return (int)Math.Max(0, PtraceNative.ReadMemory(thread, &local, 1, pages, (nuint)count, 0));
    }
}
