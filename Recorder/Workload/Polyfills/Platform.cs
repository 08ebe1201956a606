using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text;

namespace EtwSerializerProfiler.Polyfills;

/// <summary>Members of newer class libraries for system, process and time.</summary>
internal static class Platform
{
    private static readonly int s_processId = Process.GetCurrentProcess().Id;

    extension(OperatingSystem)
    {
        public static bool IsWindows() => RuntimeInformation.IsOSPlatform(OSPlatform.Windows);

        public static bool IsLinux() => RuntimeInformation.IsOSPlatform(OSPlatform.Linux);

        public static bool IsMacOS() => RuntimeInformation.IsOSPlatform(OSPlatform.OSX);
    }

    extension(Environment)
    {
        public static int ProcessId => s_processId;

        public static string? ProcessPath => Process.GetCurrentProcess().MainModule?.FileName;
    }

    extension(Stopwatch)
    {
        public static TimeSpan GetElapsedTime(long start) =>
            TimeSpan.FromSeconds((Stopwatch.GetTimestamp() - start) / (double)Stopwatch.Frequency);
    }

    extension(Math)
    {
        public static int Clamp(int value, int min, int max) => Math.Min(Math.Max(value, min), max);
    }

    extension(ProcessStartInfo start)
    {
        public void SetArguments(IEnumerable<string> arguments) => start.Arguments = string.Join(" ", arguments.Select(Quote));
    }

    extension(Process process)
    {
        public bool WaitForExit(TimeSpan limit) => process.WaitForExit((int)limit.TotalMilliseconds);

        // Does not kill grandchildren: .NET Framework has no way to find them.
        public void Kill(bool entireProcessTree)
        {
            _ = entireProcessTree;
            process.Kill();
        }
    }

    extension(ref SpinWait spinner)
    {
        // The parameter controls when it sleeps; .NET Framework decides that itself.
        public void SpinOnce(int sleep1Threshold)
        {
            _ = sleep1Threshold;
            spinner.SpinOnce();
        }
    }

    extension(Stream file)
    {
        public void Write(byte[] bytes) => file.Write(bytes, 0, bytes.Length);
    }

    /// <summary>Quotes for CommandLineToArgvW: backslashes are doubled before a quote, including the closing one.</summary>
    private static string Quote(string argument)
    {
        var quoted = new StringBuilder("\"");
        var backslashes = 0;
        foreach (var character in argument)
        {
            if (character == '"')
                quoted.Append('\\', backslashes + 1);
            backslashes = character == '\\' ? backslashes + 1 : 0;
            quoted.Append(character);
        }

        return quoted.Append('\\', backslashes).Append('"').ToString();
    }
}
