using System.ComponentModel;
using System.Diagnostics;

namespace EtwSerializerProfiler.Traces.ThisMachine;

/// <summary>Asks the system about another process, which may end between two questions and even within one.</summary>
public static class OtherProcess
{
    /// <summary>Reads values of a process.</summary>
    /// <param name="processId">The process.</param>
    /// <param name="read">Reads the values from the process.</param>
    /// <param name="ifGone">The answer when the process has ended, ends meanwhile, or may not be asked.</param>
    public static T Read<T>(int processId, Func<Process, T> read, T ifGone)
    {
        try
        {
            using var process = Process.GetProcessById(processId);
            return Read(process, read, ifGone);
        }
        catch (Exception exception) when (exception is ArgumentException or InvalidOperationException)
        {
            return ifGone;
        }
    }

    /// <inheritdoc cref="Read{T}(int, Func{Process, T}, T)"/>
    public static T Read<T>(Process process, Func<Process, T> read, T ifGone)
    {
        ArgumentNullException.ThrowIfNull(process);
        ArgumentNullException.ThrowIfNull(read);
        try
        {
            return process.HasExited ? ifGone : read(process);
        }
        catch (Exception exception) when (exception is InvalidOperationException or Win32Exception)
        {
            // On Linux a process that is reaped before its /proc/PID/stat is read is a Win32Exception, not an InvalidOperationException.
            return ifGone;
        }
    }

    /// <summary>Whether a process has ended. One that may not be asked runs.</summary>
    /// <param name="processId">The process.</param>
    public static bool HasEnded(int processId)
    {
        try
        {
            using var process = Process.GetProcessById(processId);
            return process.HasExited;
        }
        catch (Exception exception) when (exception is ArgumentException or InvalidOperationException)
        {
            return true;
        }
        catch (Win32Exception)
        {
            return false;
        }
    }
}
