namespace EtwSerializerProfiler.TestSupport;

/// <summary>
/// Held by tests that use what the machine has once, for example a recording of all processes. Test assemblies run side by side as processes of their own, so a lock within one of them would not do.
/// </summary>
/// <remarks>
/// A class takes it as its fixture (<c>IClassFixture&lt;MachineLock&gt;</c>) and holds it for all of its tests. The system takes it from a process that dies. Each user has a lock:
/// a test of root that starts tests of an ordinary user would wait for itself.
/// </remarks>
public sealed class MachineLock : IDisposable
{
    private readonly FileStream _file = Take(Path.Combine(OperatingSystem.IsWindows() ? Path.GetTempPath() : "/tmp", $"esp-tests-{Environment.UserName}.lock"));

    /// <inheritdoc />
    public void Dispose() => _file.Dispose();

    private static FileStream Take(string path)
    {
        while (true)
        {
            try
            {
                return new FileStream(path, FileMode.OpenOrCreate, FileAccess.Read, FileShare.None);
            }
            catch (IOException) when (File.Exists(path))
            {
                Thread.Sleep(50); // another process holds it
            }
        }
    }
}
