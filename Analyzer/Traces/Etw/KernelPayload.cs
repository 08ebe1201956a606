using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>
/// Payloads of kernel events on hot paths, from the MOF classes of the Windows SDK (CSwitch, ReadyThread, SampledProfile, StackWalk_Event,
/// Image_Load). All check the length and ignore short payloads.
/// </summary>
internal static class KernelPayload
{
    // Types of the thread group.
    public const byte ThreadEnd = 2;
    public const byte ContextSwitch = 36;
    public const byte ReadyThread = 50;
    public const byte ThreadSetName = 72;

    // Types of the groups for samples and their stacks.
    public const byte SampledProfile = 46;
    public const byte SetInterval = 72;
    public const byte CollectionStart = 73;
    public const byte Stack = 32;
    public const byte StackGivenUp = 35;
    public const byte StackListedAtEnd = 36;
    public const byte StackKeyOfKernel = 37;
    public const byte StackKeyOfProgram = 38;

    // Types of the image group: unloaded, listed when the session begins and when it ends.
    public const byte ImageUnload = 2;
    public const byte ImageListedAtBegin = 3;
    public const byte ImageListedAtEnd = 4;

    /// <summary>KTHREAD_STATE of a waiting thread.</summary>
    private const byte Waiting = 5;

    /// <summary>KTHREAD_STATE of an ended thread.</summary>
    private const byte Terminated = 4;

    /// <summary>Two reserved fields of an image, in which an exported recording stores the image's offset in its file (u64).</summary>
    public const int FileOffsetAt = 40;

    // Values for a stack's end in an exported recording, if frames alone do not show it: cut, or reaching the thread's start.
    public const ushort StackIsCut = 1;
    public const ushort StackIsWhole = 2;

    /// <summary>Whether such a value means a cut stack; null when it does not say.</summary>
    public static bool? IsCut(ushort stackEnd) => stackEnd == 0 ? null : stackEnd == StackIsCut;

    /// <summary>CSwitch: new thread, old thread; the old thread's state shows whether it was preempted and whether it ended.</summary>
    public static bool TryReadSwitch(
        ReadOnlySpan<byte> payload,
        out int switchedIn,
        out int switchedOut,
        out bool isPreempted,
        out bool hasEnded
    )
    {
        if (payload.Length < 16)
        {
            switchedIn = switchedOut = 0;
            isPreempted = hasEnded = false;
            return false;
        }

        hasEnded = payload[14] == Terminated;

        switchedIn = BinaryPrimitives.ReadInt32LittleEndian(payload);
        switchedOut = BinaryPrimitives.ReadInt32LittleEndian(payload[4..]);
        isPreempted = payload[14] is not (Waiting or Terminated);
        return true;
    }

    /// <summary>ReadyThread: the readied thread.</summary>
    public static bool TryReadReady(ReadOnlySpan<byte> payload, out int thread)
    {
        thread = payload.Length >= 4 ? BinaryPrimitives.ReadInt32LittleEndian(payload) : 0;
        return payload.Length >= 4;
    }

    /// <summary>Start and end of a thread: its process and the thread.</summary>
    public static bool TryReadThread(ReadOnlySpan<byte> payload, out int process, out int thread)
    {
        process = payload.Length >= 8 ? BinaryPrimitives.ReadInt32LittleEndian(payload) : 0;
        thread = payload.Length >= 8 ? BinaryPrimitives.ReadInt32LittleEndian(payload[4..]) : 0;
        return payload.Length >= 8;
    }

    /// <summary>Name of a thread: its process, the thread, and the name.</summary>
    public static bool TryReadThreadName(ReadOnlySpan<byte> payload, out int process, out int thread, out ReadOnlySpan<char> name)
    {
        name = default;
        if (!TryReadThread(payload, out process, out thread))
            return false;
        var text = MemoryMarshal.Cast<byte, char>(payload[8..]);
        var end = text.IndexOf('\0');
        name = end < 0 ? text : text[..end];
        return true;
    }

    /// <summary>File offset of an image in an exported recording; 0 when the event is too short.</summary>
    public static ulong FileOffset(ReadOnlySpan<byte> payload) =>
        payload.Length >= FileOffsetAt + 8 ? BinaryPrimitives.ReadUInt64LittleEndian(payload[FileOffsetAt..]) : 0;

    /// <summary>
    /// SampledProfile: instruction pointer and thread; u16 count; and a reserved field, in which an exported recording stores the state of
    /// the stack's end.
    /// </summary>
    public static bool TryReadSample(ReadOnlySpan<byte> payload, int pointerSize, out ulong address, out int thread, out ushort stackEnd)
    {
        address = 0;
        thread = 0;
        stackEnd = payload.Length >= pointerSize + 8 ? BinaryPrimitives.ReadUInt16LittleEndian(payload[(pointerSize + 6)..]) : (ushort)0;
        if (payload.Length < pointerSize + 4)
            return false;
        address = Pointer(payload, pointerSize);
        thread = BinaryPrimitives.ReadInt32LittleEndian(payload[pointerSize..]);
        return true;
    }

    /// <summary>StackWalk: time and thread of its event, and the addresses as in the file.</summary>
    public static bool TryReadStack(
        ReadOnlySpan<byte> payload,
        out long time,
        out int process,
        out int thread,
        out ReadOnlySpan<byte> addresses
    )
    {
        time = 0;
        process = thread = 0;
        addresses = default;
        if (payload.Length < 16)
            return false;
        time = BinaryPrimitives.ReadInt64LittleEndian(payload);
        process = BinaryPrimitives.ReadInt32LittleEndian(payload[8..]);
        thread = BinaryPrimitives.ReadInt32LittleEndian(payload[12..]);
        addresses = payload[16..];
        return true;
    }

    /// <summary>StackWalk with a key: time and thread of its event, and the key of the stack.</summary>
    public static bool TryReadStackKey(
        ReadOnlySpan<byte> payload,
        int pointerSize,
        out long time,
        out int process,
        out int thread,
        out ulong key
    )
    {
        var fits = TryReadStack(payload, out time, out process, out thread, out var rest) && rest.Length >= pointerSize;
        key = fits ? Pointer(rest, pointerSize) : 0;
        return fits;
    }

    /// <summary>StackWalk that defines a key: the key and the addresses.</summary>
    public static bool TryReadStackDefinition(ReadOnlySpan<byte> payload, int pointerSize, out ulong key, out ReadOnlySpan<byte> addresses)
    {
        key = payload.Length >= pointerSize ? Pointer(payload, pointerSize) : 0;
        addresses = payload[Math.Min(pointerSize, payload.Length)..];
        return payload.Length >= pointerSize;
    }

    /// <summary>Image: process, address, and path; versions 1 (before Vista) and 2 and later.</summary>
    public static bool TryReadImage(
        ReadOnlySpan<byte> payload,
        int pointerSize,
        int version,
        out int process,
        out ulong start,
        out ulong length,
        out ReadOnlySpan<char> path
    )
    {
        process = 0;
        start = length = 0;
        path = default;
        var nameAt = version >= 2 ? 32 + (3 * pointerSize) : 4 + (2 * pointerSize);
        if (version < 1 || payload.Length < nameAt)
            return false;
        start = Pointer(payload, pointerSize);
        length = Pointer(payload[pointerSize..], pointerSize);
        process = BinaryPrimitives.ReadInt32LittleEndian(payload[(2 * pointerSize)..]);
        var text = MemoryMarshal.Cast<byte, char>(payload[nameAt..]);
        var end = text.IndexOf('\0');
        path = end < 0 ? text : text[..end];
        return true;
    }

    /// <summary>A pointer of 4 or 8 bytes.</summary>
    public static ulong Pointer(ReadOnlySpan<byte> bytes, int pointerSize) =>
        pointerSize == 8 ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : BinaryPrimitives.ReadUInt32LittleEndian(bytes);

    /// <summary>
    /// Addresses of 64-bit kernels have their highest bits set; the kernel of a 32-bit system begins at 2 GB, which 64-bit programs also
    /// use.
    /// </summary>
    public static bool IsKernelAddress(ulong address) => address >= 0xFFFF_8000_0000_0000;
}
