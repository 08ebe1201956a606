using EtwSerializerProfiler.Traces.ThisMachine;
using Microsoft.Win32.SafeHandles;

namespace EtwSerializerProfiler.Traces.Packing;

/// <summary>Replaces a file by a compressed copy.</summary>
internal static class PackedCopy
{
    /// <summary>Writes the copy beside its target, so that the file stays as it is until the copy is complete.</summary>
    /// <param name="path">The file.</param>
    /// <param name="target">Path of the copy; may be that of the file.</param>
    /// <param name="tryWrite">Writes the content; false when the file shall stay.</param>
    /// <returns>Whether the file was replaced; false also when the disk is full.</returns>
    public static bool TryReplace(string path, string target, Func<SafeFileHandle, FileStream, bool> tryWrite)
    {
        var packed = path + ".packed";
        try
        {
            using (var source = File.OpenHandle(path))
            {
                var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
                if (!OperatingSystem.IsWindows())
                    options.UnixCreateMode = File.GetUnixFileMode(source);
                using var copy = new FileStream(packed, options);
                if (!tryWrite(source, copy))
                    target = "";
            }

            if (target.Length == 0)
            {
                File.Delete(packed);
                return false;
            }

            File.Move(packed, target, overwrite: true);
            if (target != path)
                File.Delete(path);
            return true;
        }
        catch (Exception exception) when (WriteFailure.Is(exception) || exception is TraceFormatException)
        {
            File.Delete(packed);
            return false;
        }
    }
}
