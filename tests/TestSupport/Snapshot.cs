namespace EtwSerializerProfiler.TestSupport;

/// <summary>
/// Compares an output with the one in tests/PROJECT/Snapshots/NAME.txt. On a difference the output is written beside it as
/// NAME.received.txt; with the environment variable UPDATE_SNAPSHOTS=1 it replaces the snapshot.
/// </summary>
public static class Snapshot
{
    /// <summary>Compares; line ends do not matter.</summary>
    /// <exception cref="SnapshotException">The output differs, or there is no snapshot yet.</exception>
    public static void Matches(string project, string name, string actual)
    {
        var folder = Path.Combine(TestFiles.Root, "tests", project, "Snapshots");
        var path = Path.Combine(folder, name + ".txt");
        var received = Path.Combine(folder, name + ".received.txt");
        actual = actual.ReplaceLineEndings("\n").Replace(TestFiles.Root, "{root}", StringComparison.Ordinal);
        Directory.CreateDirectory(folder);
        if (Environment.GetEnvironmentVariable("UPDATE_SNAPSHOTS") == "1")
        {
            File.WriteAllText(path, actual);
            return;
        }

        var expected = File.Exists(path) ? File.ReadAllText(path).ReplaceLineEndings("\n") : null;
        if (expected == actual)
            return;
        File.WriteAllText(received, actual);
        throw new SnapshotException(
            expected is null
                ? $"There is no snapshot {path}; see {received}."
                : $"{FirstDifference(expected, actual)} Compare {path} with {received}."
        );
    }

    private static string FirstDifference(string expected, string actual)
    {
        var expectedLines = expected.Split('\n');
        var actualLines = actual.Split('\n');
        var line = 0;
        while (line < expectedLines.Length && line < actualLines.Length && expectedLines[line] == actualLines[line])
            line++;
        return $"Line {line + 1} differs: expected '{expectedLines.ElementAtOrDefault(line)}', was '{actualLines.ElementAtOrDefault(line)}'.";
    }
}
