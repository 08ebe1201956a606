using System.Buffers.Binary;
using System.Text;

namespace EtwSerializerProfiler.Sessions.Ptrace;

/// <summary>Messages of the sampler among the records for the recorder: records with types that no perf.data file has.</summary>
internal static class SamplerMessage
{
    /// <summary>The program was started suspended: i32 process id.</summary>
    public const int Started = 0x45535001;

    /// <summary>A failure: text in UTF-8.</summary>
    public const int Problem = 0x45535002;

    /// <summary>The sampler ends normally; a sampler that was killed does not send it.</summary>
    public const int Ended = 0x45535003;

    private const int HeaderSize = 8;

    /// <summary>Creates the message <see cref="Started"/>.</summary>
    public static byte[] OfStarted(int processId)
    {
        var record = Make(Started, 4);
        BinaryPrimitives.WriteInt32LittleEndian(record.AsSpan(HeaderSize), processId);
        return record;
    }

    /// <summary>Creates the message <see cref="Problem"/>.</summary>
    public static byte[] OfProblem(string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        var record = Make(Problem, bytes.Length);
        bytes.CopyTo(record, HeaderSize);
        return record;
    }

    /// <summary>Creates the message <see cref="Ended"/>.</summary>
    public static byte[] OfEnded() => Make(Ended, 0);

    /// <summary>Process id in <see cref="Started"/>.</summary>
    public static int ProcessId(ReadOnlySpan<byte> record) => BinaryPrimitives.ReadInt32LittleEndian(record[HeaderSize..]);

    /// <summary>Text in <see cref="Problem"/>.</summary>
    public static string Text(ReadOnlySpan<byte> record) => Encoding.UTF8.GetString(record[HeaderSize..]);

    private static byte[] Make(int type, int bytes)
    {
        var record = new byte[HeaderSize + bytes];
        BinaryPrimitives.WriteInt32LittleEndian(record, type);
        BinaryPrimitives.WriteUInt16LittleEndian(record.AsSpan(6), (ushort)record.Length);
        return record;
    }
}
