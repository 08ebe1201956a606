using System.Buffers.Binary;
using System.Globalization;
using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Traces.ThisMachine;

/// <summary>
/// Decides whether a file of a process may be used that lies in a folder where everybody can make files (/tmp). Names there are
/// predictable, so anybody may have made the file first.
/// </summary>
/// <remarks>A check by path is enough in a sticky folder like /tmp: only the owner of a checked file can replace it.</remarks>
public static partial class FileTrust
{
    private const int CurrentFolder = -100,
        NoFollow = 0x100;
    private const uint BasicFields = 0x7FF;

    /// <summary>Size and places of struct statx (include/uapi/linux/stat.h), the same on every processor.</summary>
    private const int StatusBytes = 256,
        UserAt = 20,
        ModeAt = 28;

    private const int KindMask = 0xF000,
        RegularFile = 0x8000,
        UnixSocket = 0xC000;

    /// <summary>Write permission of the group and of all others.</summary>
    private const int WritableByOthers = 0x12;

    /// <summary>Says why a file may not be used.</summary>
    /// <param name="path">The file: a regular one or a socket.</param>
    /// <param name="processId">
    /// The process that it belongs to. A file of this user's own is always good: the process may have ended, and its id may be another
    /// user's by now.
    /// </param>
    /// <returns>The reason; null when it may be used, and on systems other than Linux, whose temporary folders are a user's own.</returns>
    public static string? Refusal(string path, int processId)
    {
        if (!OperatingSystem.IsLinux())
            return null;
        if (Status(path) is not var (user, mode))
            return "its owner cannot be read";
        if ((mode & KindMask) is not (RegularFile or UnixSocket))
            return "it is neither a file nor a socket (a link, for example)";
        if (user != 0 && user != EffectiveUser() && !Users(processId).Contains(user))
            return string.Create(CultureInfo.InvariantCulture, $"it belongs to another user (uid {user})");
        return (mode & WritableByOthers) != 0
            ? $"others may write to it (mode {Convert.ToString(mode & 0x1FF, 8)}); start the program with umask 022"
            : null;
    }

    /// <summary>The user ids of a process; none when it has ended.</summary>
    private static uint[] Users(int processId)
    {
        try
        {
            if (
                File.ReadLines(string.Create(CultureInfo.InvariantCulture, $"/proc/{processId}/status"))
                    .FirstOrDefault(line => line.StartsWith("Uid:", StringComparison.Ordinal)) is
                { } line
            )
                return [.. line.Split('\t')[1..].Select(number => uint.Parse(number, NumberStyles.None, CultureInfo.InvariantCulture))];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // It has ended.
        }

        return [];
    }

    private static unsafe (uint User, int Mode)? Status(string path)
    {
        var status = stackalloc byte[StatusBytes];
        if (Statx(CurrentFolder, path, NoFollow, BasicFields, status) != 0)
            return null;
        var bytes = new ReadOnlySpan<byte>(status, StatusBytes);
        return (BinaryPrimitives.ReadUInt32LittleEndian(bytes[UserAt..]), BinaryPrimitives.ReadUInt16LittleEndian(bytes[ModeAt..]));
    }

    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    private static unsafe partial int Statx(int folder, string path, int flags, uint fields, byte* status);

    [LibraryImport("libc", EntryPoint = "geteuid")]
    private static partial uint EffectiveUser();
}
