using System.Globalization;
using System.Text;

namespace EtwSerializerProfiler.DumpHook;

/// <summary>Message of a held thread to the recorder: its exception was thrown.</summary>
public sealed class HookRequest
{
    /// <summary>Maximum bytes of a request.</summary>
    public const int MaxBytes = 64 * 1024;

    /// <summary>The recorder's answer: the thread may go on.</summary>
    public const byte Release = (byte)'r';

    /// <summary>The hook's last message: the thread was held until the answer arrived.</summary>
    public const byte WasHeld = (byte)'h';

    /// <summary>Maximum characters of an exception message in the request.</summary>
    public const int MessageLength = 2000;

    /// <summary>Maximum characters of a type name: generic types name their arguments with assemblies.</summary>
    private const int TypeLength = 2000;

    /// <summary>Separates the parts. The message comes last because it may contain the separator.</summary>
    private const char Separator = '\n';

    /// <summary>Identifies the protocol version of both sides.</summary>
    private const string Magic = "esp-dump-1";

    /// <summary>Creates a request.</summary>
    /// <param name="processId">The process.</param>
    /// <param name="threadId">The operating system's id of the thread, 0 when unknown.</param>
    /// <param name="managedThreadId">The runtime's id of the thread.</param>
    /// <param name="trigger">Index of the trigger in the settings.</param>
    /// <param name="throwNumber">Ordinal of the matching throw in the process, from 1.</param>
    /// <param name="ticks">Stopwatch ticks of the throw.</param>
    /// <param name="exceptionType">Full name of the exception's type.</param>
    /// <param name="message">Its message.</param>
    public HookRequest(
        int processId,
        long threadId,
        int managedThreadId,
        int trigger,
        long throwNumber,
        long ticks,
        string exceptionType,
        string message
    )
    {
        ProcessId = processId;
        ThreadId = threadId;
        ManagedThreadId = managedThreadId;
        Trigger = trigger;
        ThrowNumber = throwNumber;
        Ticks = ticks;
        ExceptionType = exceptionType;
        Message = message;
    }

    /// <summary>The process.</summary>
    public int ProcessId { get; }

    /// <summary>The operating system's id of the thread, 0 when unknown.</summary>
    public long ThreadId { get; }

    /// <summary>The runtime's id of the thread.</summary>
    public int ManagedThreadId { get; }

    /// <summary>Index of the trigger.</summary>
    public int Trigger { get; }

    /// <summary>Ordinal of the matching throw in the process, from 1.</summary>
    public long ThrowNumber { get; }

    /// <summary>When the exception was thrown, in Stopwatch ticks, which are those of the traces' clock.</summary>
    public long Ticks { get; }

    /// <summary>Full name of the exception's type.</summary>
    public string ExceptionType { get; }

    /// <summary>Its message, truncated when it is long.</summary>
    public string Message { get; }

    /// <summary>Bytes for the socket: the length of the text as 4 bytes little-endian, then the text in UTF-8.</summary>
    public byte[] ToBytes()
    {
        var text = Encoding.UTF8.GetBytes(
            string.Join(
                Separator,
                Magic,
                Number(ProcessId),
                Number(ThreadId),
                Number(ManagedThreadId),
                Number(Trigger),
                Number(ThrowNumber),
                Number(Ticks),
                Cut(ExceptionType, TypeLength).Replace(Separator, ' '),
                Cut(Message, MessageLength)
            )
        );
        var bytes = new byte[4 + text.Length];
        BitConverter.TryWriteBytes(bytes, text.Length);
        text.CopyTo(bytes, 4);
        return bytes;

        static string Number(long value) => value.ToString(CultureInfo.InvariantCulture);
        static string Cut(string part, int length) => part.Length <= length ? part : part.Substring(0, length);
    }

    /// <summary>Parses the text after the length; null when it is not a request.</summary>
    public static HookRequest? Read(ReadOnlySpan<byte> text)
    {
        var parts = Encoding.UTF8.GetString(text).Split(Separator, 9);
        if (parts.Length != 9 || parts[0] != Magic)
            return null;
        var numbers = new long[6];
        for (var i = 0; i < numbers.Length; i++)
        {
            if (!long.TryParse(parts[i + 1], NumberStyles.None, CultureInfo.InvariantCulture, out numbers[i]))
                return null;
        }

        return numbers[0] > int.MaxValue || numbers[2] > int.MaxValue || numbers[3] > int.MaxValue
            ? null
            : new HookRequest((int)numbers[0], numbers[1], (int)numbers[2], (int)numbers[3], numbers[4], numbers[5], parts[7], parts[8]);
    }
}
