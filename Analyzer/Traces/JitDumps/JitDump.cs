using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Clr;

namespace EtwSerializerProfiler.Traces.JitDumps;

/// <summary>
/// A jitdump, <c>jit-PID.dump</c>: each piece of code that a runtime generated, with name and time. .NET, Node.js and Python write it.
/// </summary>
/// <remarks>
/// Header: u32 magic "JiTD", u32 version, u32 size of the header, u32 ELF machine, u32 padding, u32 process, u64 time, u64 flags. Records:
/// u32 kind, u32 size with this head, u64 time in ns, then by kind. Numbers are in the byte order of the machine. Source:
/// tools/perf/Documentation/jitdump-specification.txt of the Linux kernel.
/// </remarks>
internal sealed class JitDump
{
    private const uint Magic = 0x4A69_5444;
    private const uint Version = 1;
    private const int HeaderBytes = 40;
    private const int MaxHeaderBytes = 1 << 16;
    private const int RecordHeadBytes = 16;

    /// <summary>Process, thread, address, address of the code, its size and number.</summary>
    private const int LoadBytes = 40;

    /// <summary>Process, thread, address, old and new address of the code, its size and number.</summary>
    private const int MoveBytes = 48;

    /// <summary>Maximum length of a name; longer ones are cut.</summary>
    private const int MaxNameBytes = 16 << 10;

    /// <summary>Flag of the header: times are the processor's own (TSC on x86).</summary>
    private const ulong HasProcessorTimes = 1;

    private readonly List<JitCode> _codes = [];
    private readonly Dictionary<ulong, string> _names = [];

    private JitDump(string path, bool hasSystemTimes)
    {
        Path = path;
        HasSystemTimes = hasSystemTimes;
    }

    private enum Kind : uint
    {
        Load = 0,
        Move = 1,
    }

    /// <summary>Name of a process's dump.</summary>
    public static string FileNameOf(int processId) => string.Create(CultureInfo.InvariantCulture, $"jit-{processId}.dump");

    /// <summary>Whether a file name is that of any process's dump.</summary>
    public static bool IsFileName(string name) =>
        name.StartsWith("jit-", StringComparison.Ordinal)
        && name.EndsWith(".dump", StringComparison.Ordinal)
        && name.Length > 9
        && name.AsSpan(4, name.Length - 9).IndexOfAnyExceptInRange('0', '9') < 0;

    /// <summary>Path of the file.</summary>
    public string Path { get; }

    /// <summary>Whether times are on CLOCK_MONOTONIC; else they are on the processor's own clock.</summary>
    public bool HasSystemTimes { get; }

    /// <summary>ELF number of the code's machine.</summary>
    public uint Machine { get; private init; }

    /// <summary>The code in time order.</summary>
    public IReadOnlyList<JitCode> Codes { get; private set; } = [];

    /// <summary>Position of damage or truncation; null when complete. <see cref="Codes"/> has the code before it.</summary>
    public TraceDamage? Damage { get; private set; }

    /// <summary>Reads a dump.</summary>
    /// <exception cref="TraceFormatException">The file is not a jitdump of version 1.</exception>
    /// <exception cref="IOException">The file is unreadable.</exception>
    public static JitDump Read(string path)
    {
        using var file = new FileStream(
            path,
            FileMode.Open,
            FileAccess.Read,
            FileShare.ReadWrite | FileShare.Delete,
            64 << 10,
            FileOptions.SequentialScan
        );
        Span<byte> header = stackalloc byte[HeaderBytes];
        if (file.ReadAtLeast(header, HeaderBytes, throwOnEndOfStream: false) < HeaderBytes)
            throw new TraceFormatException(
                path,
                0,
                $"a jitdump header of {HeaderBytes} bytes",
                $"the file has {Plural.Of(file.Length, "byte")}",
                "record again"
            );
        if (BinaryPrimitives.ReadUInt32LittleEndian(header) != Magic)
            throw new TraceFormatException(
                path,
                0,
                "the magic number of a jitdump ('DTiJ')",
                "this is not a jitdump of a little-endian machine",
                "remove it, or record again"
            );
        var (version, bytes) = (BinaryPrimitives.ReadUInt32LittleEndian(header[4..]), BinaryPrimitives.ReadUInt32LittleEndian(header[8..]));
        if (version != Version)
            throw new TraceFormatException(
                path,
                4,
                "version 1 of the jitdump format",
                $"the file has version {version}",
                "use a newer version of this tool"
            );
        if (bytes is < HeaderBytes or > MaxHeaderBytes)
            throw new TraceFormatException(
                path,
                8,
                $"a header of {HeaderBytes} bytes",
                $"it has {bytes}: the header is damaged",
                "record again"
            );
        var dump = new JitDump(path, (BinaryPrimitives.ReadUInt64LittleEndian(header[32..]) & HasProcessorTimes) == 0)
        {
            Machine = BinaryPrimitives.ReadUInt32LittleEndian(header[12..]),
        };
        dump.ReadRecords(file, bytes);
        dump.Codes = [.. dump._codes.OrderBy(code => code.Time)];
        return dump;
    }

    private void ReadRecords(FileStream file, long at)
    {
        // The runtime may still be writing.
        var length = file.Length;
        Span<byte> head = stackalloc byte[RecordHeadBytes];
        while (at < length)
        {
            file.Position = at;
            if (length - at < RecordHeadBytes || file.ReadAtLeast(head, RecordHeadBytes, throwOnEndOfStream: false) < RecordHeadBytes)
            {
                Stop(at, length, "a record's header is cut off", isCutOff: true);
                return;
            }

            var (kind, bytes, time) = (
                (Kind)BinaryPrimitives.ReadUInt32LittleEndian(head),
                BinaryPrimitives.ReadUInt32LittleEndian(head[4..]),
                BinaryPrimitives.ReadInt64LittleEndian(head[8..])
            );
            if (bytes < RecordHeadBytes)
            {
                Stop(at, length, $"invalid record size: {Plural.Of(bytes, "byte")}");
                return;
            }

            if (length - at < bytes)
            {
                Stop(at, length, $"a record of {bytes} bytes is cut off", isCutOff: true);
                return;
            }

            // Other kinds (source lines, unwinding, end) do not name code.
            if (kind is Kind.Load or Kind.Move && !TryReadCode(file, kind, time, bytes - RecordHeadBytes))
            {
                Stop(at, length, $"this record of code ({kind}) cannot be decoded");
                return;
            }

            at += bytes;
        }
    }

    private bool TryReadCode(FileStream file, Kind kind, long time, uint bytes)
    {
        var fixedBytes = kind == Kind.Load ? LoadBytes : MoveBytes;
        if (bytes < fixedBytes || time < 0)
            return false;
        Span<byte> body = stackalloc byte[MoveBytes];
        body = body[..fixedBytes];
        file.ReadExactly(body);
        var reader = new PayloadReader(body);
        reader.Int64(); // process and thread
        reader.Int64(); // address as mapped by the runtime: that of the code
        var movedFrom = kind == Kind.Move ? (ulong)reader.Int64() : 0;
        var (start, size, number) = ((ulong)reader.Int64(), (ulong)reader.Int64(), (ulong)reader.Int64());
        if (start + size < start)
            return false;
        var (name, bytesAt) = ("", 0L);
        if (kind == Kind.Load)
        {
            var nameAt = file.Position;
            if (!TryReadName(file, bytes - (uint)fixedBytes, out name, out var nameBytes))
                return false;
            if (nameBytes is { } length && length + size == bytes - (uint)fixedBytes)
                bytesAt = nameAt + length;
            _names[number] = name;
        }
        else
        {
            name = _names.GetValueOrDefault(number, ""); // none: generated before the dump began
        }

        if (size is > 0 and <= uint.MaxValue && name.Length > 0)
            _codes.Add(new JitCode(time, start, (uint)size, name, movedFrom) { BytesAt = bytesAt });
        return true;
    }

    /// <summary>Reads a zero-terminated name; the code's bytes follow.</summary>
    private static bool TryReadName(FileStream file, uint bytes, out string name, out uint? nameBytes)
    {
        nameBytes = null;
        var text = new byte[Math.Min(bytes, 256)];
        for (var read = 0; ;)
        {
            file.ReadExactly(text.AsSpan(read));
            if (text.AsSpan(read).IndexOf((byte)0) is var end and >= 0)
            {
                name = Encoding.UTF8.GetString(text, 0, read + end);
                nameBytes = (uint)(read + end + 1);
                return true;
            }

            read = text.Length;
            if (read == bytes)
            {
                name = "";
                return false;
            }

            if (read >= MaxNameBytes)
            {
                name = Encoding.UTF8.GetString(text);
                return true;
            }

            Array.Resize(ref text, (int)Math.Min(bytes, 2 * (uint)read));
        }
    }

    private void Stop(long at, long length, string reason, bool isCutOff = false) =>
        Damage = new TraceDamage(Path, at, length, reason) { IsCutOff = isCutOff };
}
