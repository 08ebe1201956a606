using System.Buffers.Binary;
using System.Globalization;
using EtwSerializerProfiler.Etl;

namespace EtwSerializerProfiler.Benchmarks;

/// <summary>
/// Writes a large .etl file: kinds of events in the proportions and with the mean sizes of net.4.5.2.x64.etl (a PerfView recording of a .NET program: 44 % CPU samples,
/// 19 % method rundown of a 32-bit process, 15 % CLR events, 5 % stacks), and 8 % context switches and ready events, which that recording lacks.
/// </summary>
internal static class EtlMake
{
    private const int Processors = 8;
    private const int Threads = 64;
    private static readonly Guid s_runtime = new("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4");
    private static readonly Guid s_rundown = new("a669021c-c450-4609-a035-5af59af4df18");
    private static readonly Guid s_kernelTraceControl = new("b3e675d7-2554-4f18-830b-2762732560de");

    /// <summary>Names as they are in payloads: UTF-16.</summary>
    private static readonly byte[] s_text = System.Text.Encoding.Unicode.GetBytes(
        "System.Collections.Generic.Dictionary`2[System.__Canon,System.Int32]\0TryInsert\0instance bool (!0,!1,value class InsertionBehavior)\0");

    private static readonly Kind[] s_kinds =
    [
        new(440, EtlHeaderType.PerfInfo64, 0x0F, 46, default, 0, 16, 0), // CPU sample
        new(50, EtlHeaderType.PerfInfo64, 0x18, 38, default, 0, 24, 0), // stack key
        new(20, EtlHeaderType.PerfInfo64, 0x18, 32, default, 0, 16 + 24 * 8, 0), // stack
        new(60, EtlHeaderType.PerfInfo64, 0x05, 36, default, 0, 24, 0), // context switch
        new(20, EtlHeaderType.PerfInfo64, 0x05, 50, default, 0, 8, 0), // ready thread
        new(93, EtlHeaderType.Event32, 0, 0, s_rundown, 144, 279, 0), // MethodDCEndVerbose
        new(92, EtlHeaderType.Event32, 0, 0, s_rundown, 150, 116, 0), // MethodILToNativeMapDCStop
        new(83, EtlHeaderType.Event64, 0, 0, s_runtime, 82, 187, 0), // CLRStackWalk
        new(58, EtlHeaderType.Event64, 0, 0, s_runtime, 10, 66, 0), // GCAllocationTick
        new(12, EtlHeaderType.Event64, 0, 0, s_runtime, 1, 22, 400), // GCStart with a stack of 48 frames
        new(40, EtlHeaderType.Full64, 0, 36, s_kernelTraceControl, 0, 46, 0), // ImageID
        new(20, EtlHeaderType.PerfInfo64, 0x14, 3, default, 0, 166, 0), // image rundown
        new(12, EtlHeaderType.System64, 0x01, 12, default, 0, 12, 0), // disk read
    ];

    /// <summary>Writes the file.</summary>
    /// <param name="path">Path; must not exist.</param>
    /// <param name="bytes">Size that it reaches.</param>
    /// <param name="compress">Whether its buffers are compressed.</param>
    /// <param name="output">Where the result is printed.</param>
    public static async Task RunAsync(string path, long bytes, bool compress, TextWriter output)
    {
        long events = 0;
        var random = new Random(1);
        var kinds = s_kinds.SelectMany((kind, number) => Enumerable.Repeat(number, kind.Share)).ToArray();
        var addresses = Enumerable.Range(0, 2000).Select(_ => 0x7FF8_0000_0000UL + (ulong)random.NextInt64(1 << 26)).ToArray();
        var payload = new byte[1024];
        var room = new byte[1024];
        var stack = new ulong[48];
        using (var writer = new EtlWriter(path, new EtlWriteOptions { Processors = Processors, Compress = compress, CpuMegahertz = 3000, SessionName = "etl-make" }))
        {
            long time = 0;
            while (writer.FileBytes < bytes)
            {
                time += random.Next(60); // 10 MHz: some 330,000 events a second
                var kind = s_kinds[kinds[random.Next(kinds.Length)]];
                var data = payload.AsSpan(0, kind.Payload);
                Fill(data, addresses, random);
                var items = new EtlExtendedItemWriter(room);
                if (kind.Extended > 0)
                {
                    for (var frame = 0; frame < stack.Length; frame++)
                        stack[frame] = addresses[random.Next(frame == 0 ? addresses.Length : 20) + frame];
                    items.AddStack(0, stack);
                }

                var thread = random.Next(Threads);
                var fields = new EtlEventFields
                {
                    HeaderType = kind.Type,
                    Timestamp = time,
                    Processor = (thread + random.Next(2)) % Processors,
                    ThreadId = 4 * thread + 1000,
                    ProcessId = 4 * (thread / 8) + 500,
                    Group = kind.Group,
                    Opcode = kind.Opcode,
                    ProviderId = kind.Provider,
                    Id = kind.Id,
                    Version = 2,
                    Level = 4,
                    Keywords = 0x8000_0000_0000_0001,
                };
                writer.Write(fields, data, items.Written);
                events++;
            }
        }

        await output.WriteLineAsync(string.Create(CultureInfo.InvariantCulture, $"{path}: {new FileInfo(path).Length / 1e6:F1} MB, {events:N0} events")).ConfigureAwait(false);
    }

    /// <summary>Size with a unit: 500M, 2G.</summary>
    public static long ParseSize(string text)
    {
        var unit = text[^1] switch { 'K' or 'k' => 10, 'M' or 'm' => 20, 'G' or 'g' => 30, _ => 0 };
        return long.Parse(unit > 0 ? text[..^1] : text, CultureInfo.InvariantCulture) << unit;
    }

    /// <summary>An address, a small number, text that most events of a kind share, and now and then another byte in it.</summary>
    private static void Fill(Span<byte> data, ulong[] addresses, Random random)
    {
        for (var at = 0; at < data.Length; at += s_text.Length)
            s_text.AsSpan(0, Math.Min(s_text.Length, data.Length - at)).CopyTo(data[at..]);
        for (var at = 40; at < data.Length; at += 40)
            data[at] = (byte)random.Next(26);
        BinaryPrimitives.WriteUInt64LittleEndian(data, addresses[random.Next(addresses.Length)]);
        if (data.Length >= 16)
            BinaryPrimitives.WriteUInt64LittleEndian(data[8..], (ulong)random.Next(4096));
    }

    /// <summary>A kind of event: its share of a thousand and what it is made of.</summary>
    private sealed record Kind(int Share, EtlHeaderType Type, byte Group, byte Opcode, Guid Provider, ushort Id, int Payload, int Extended);
}
