using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>The folder of a recording in progress.</summary>
internal sealed class RecordingFolder : IDisposable
{
    /// <summary>Bytes reserved so that recording.json can be written even if the traces have filled the disk.</summary>
    private const int ReserveBytes = 256 * 1024;

    private readonly CreatedFolders _created;

    /// <summary>Guards recording.json: runtimes connect concurrently, and an interim description must not replace the final one.</summary>
    private readonly Lock _writing = new();

    /// <summary>Whether the final description was written.</summary>
    private bool _final;

    private RecordingFolder(string path, CreatedFolders created)
    {
        Path = path;
        _created = created;
    }

    /// <summary>Absolute path.</summary>
    public string Path { get; }

    /// <summary>File whose space is freed before the final recording.json is written.</summary>
    public string Reserve => File(".reserve");

    /// <summary>Creates the folder.</summary>
    /// <exception cref="IOException">The folder is not empty or cannot be created.</exception>
    public static RecordingFolder Create(string path)
    {
        var full = System.IO.Path.GetFullPath(path);
        CheckEmpty(path);
        var folder = new RecordingFolder(full, CreatedFolders.Create(full));
        try
        {
            System.IO.File.WriteAllBytes(folder.Reserve, new byte[ReserveBytes]);
            return folder;
        }
        catch
        {
            folder.Dispose();
            throw;
        }
    }

    /// <summary>Throws when a path is not usable for a new recording.</summary>
    /// <exception cref="IOException">The path is a file or a folder that is not empty.</exception>
    public static void CheckEmpty(string path)
    {
        var full = System.IO.Path.GetFullPath(path);
        if (System.IO.File.Exists(full))
            throw new ProblemException(
                new Problem(
                    "the path is a file, but a recording needs a folder",
                    path,
                    "name a folder with --out; it is created if missing"
                )
            );
        if (Directory.Exists(full) && Directory.EnumerateFileSystemEntries(full).Any())
            throw new ProblemException(
                new Problem("the folder exists and is not empty", path, "name another folder with --out, or remove it")
            );
    }

    /// <summary>Path of a file in the folder.</summary>
    public string File(string name) => System.IO.Path.Combine(Path, name);

    /// <summary>Writes recording.json during the recording, so that a killed recorder leaves a description.</summary>
    /// <param name="describe">Describes the recording so far.</param>
    /// <exception cref="IOException">The folder cannot be written.</exception>
    public void WriteInterim(Func<Recording> describe)
    {
        lock (_writing)
        {
            if (!_final)
                RecordingFile.Write(Path, describe());
        }
    }

    /// <summary>Frees the reserve and writes the final recording.json.</summary>
    public void WriteFinal(Recording recording)
    {
        lock (_writing)
        {
            _final = true;
            System.IO.File.Delete(Reserve);
            RecordingFile.Write(Path, recording);
        }
    }

    /// <summary>Removes a recording without content, and the folders that were created for it.</summary>
    /// <param name="file">Name of the recorded file; empty for none.</param>
    /// <returns>False when the folder has other files; then nothing is removed.</returns>
    /// <exception cref="IOException">A file cannot be removed.</exception>
    public bool TryRemove(string file)
    {
        lock (_writing)
        {
            string[] own = [Reserve, File(Recording.FileName), .. file.Length > 0 ? [File(file)] : (string[])[]];
            if (_final || Directory.EnumerateFileSystemEntries(Path).Except(own).Any())
                return false;
            foreach (var path in own)
                System.IO.File.Delete(path);
            _created.RemoveEmpty();
            _final = true;
            return true;
        }
    }

    /// <summary>
    /// Cleans up after a recording that did not complete: removes the reserve. If nothing was recorded, removes the created folders, too,
    /// so that the next attempt can use them.
    /// </summary>
    public void Dispose()
    {
        lock (_writing)
        {
            if (_final)
                return;
            System.IO.File.Delete(Reserve);
            if (Directory.EnumerateFileSystemEntries(Path).Any(entry => entry != File(Recording.FileName)))
                return;
            System.IO.File.Delete(File(Recording.FileName));
            _created.RemoveEmpty();
        }
    }
}
