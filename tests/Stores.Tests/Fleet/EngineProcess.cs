using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace EtwSerializerProfiler.Stores.Tests.Fleet;

/// <summary>A server or worker that a test starts; it ends with the test, whatever happens.</summary>
internal sealed class EngineProcess : IDisposable
{
    private readonly Process _process;
    private readonly string _log;

    /// <summary>Starts it.</summary>
    /// <param name="folder">Folder for its output, and its working directory.</param>
    /// <param name="name">Name of its log.</param>
    /// <param name="program">The program.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="environment">Variables.</param>
    public EngineProcess(
        string folder,
        string name,
        string program,
        IEnumerable<string> arguments,
        IReadOnlyDictionary<string, string>? environment = null
    )
    {
        _log = Path.Combine(folder, $"{name}.out");
        // The shell is replaced by the program, whose output goes to a file, so that no pipe must be read.
        var start = new ProcessStartInfo("/bin/sh") { WorkingDirectory = folder };
        foreach (
            var argument in new[] { "-c", "log=$1; shift; exec \"$@\" >\"$log\" 2>&1 </dev/null", "sh", _log, program }.Concat(arguments)
        )
            start.ArgumentList.Add(argument);
        foreach (var (key, value) in environment ?? new Dictionary<string, string>())
            start.Environment[key] = value;
        _process = Process.Start(start)!;
    }

    /// <summary>Its process id.</summary>
    public int Id => _process.Id;

    /// <summary>Whether it has ended.</summary>
    public bool HasExited => _process.HasExited;

    /// <summary>Its output.</summary>
    public string Output => File.Exists(_log) ? File.ReadAllText(_log) : "";

    /// <summary>A port that nobody listens on.</summary>
    public static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    /// <summary>Restricts a file or folder to this user, as engines require.</summary>
    public static void Restrict(string path)
    {
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }

    /// <inheritdoc cref="TestSupport.Wait.UntilAsync(Func{bool}, Func{string}, Func{bool}?)" />
    public static void Until(Func<bool> condition, Func<string> what) =>
        TestSupport.Wait.UntilAsync(condition, what).GetAwaiter().GetResult();

    /// <summary>Kills it and its children, as kill -9 does.</summary>
    public void Kill()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
    }

    /// <summary>Waits for its end.</summary>
    /// <returns>Its exit code.</returns>
    public int Wait()
    {
        TestSupport.Wait.ForExitAsync(_process).GetAwaiter().GetResult();
        return _process.ExitCode;
    }

    /// <inheritdoc />
    public void Dispose()
    {
        Kill();
        _process.Dispose();
    }
}
