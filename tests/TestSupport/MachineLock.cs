namespace EtwSerializerProfiler.TestSupport;

/// <summary>
/// Held by tests that use a resource of which the machine has only one, for example a recording of all processes. Test assemblies run in
/// parallel as separate processes, so a lock within a process is not enough.
/// </summary>
/// <remarks>
/// A class takes it as its fixture (<c>IClassFixture&lt;MachineLock&gt;</c>) and holds it for all of its tests. The system releases it when
/// a process dies. Each user has a lock:
/// a test of root that starts tests of an ordinary user would wait for itself.
/// </remarks>
public sealed class MachineLock : IDisposable
{
    private readonly FileStream _file = Take(
        Path.Combine(OperatingSystem.IsWindows() ? Path.GetTempPath() : "/tmp", $"esp-tests-{Environment.UserName}.lock")
    );

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
