using EtwSerializerProfiler.Foundation.Problems;
using EtwSerializerProfiler.Traces.Recordings;

namespace EtwSerializerProfiler.Sessions.Recordings;

/// <summary>The folder of a recording while it is being made.</summary>
internal sealed class RecordingFolder : IDisposable
{
    /// <summary>Bytes set aside so that recording.json can still be written when the traces have filled the disk.</summary>
    private const int ReserveBytes = 256 * 1024;

    private readonly CreatedFolders _created;

    /// <summary>Guards recording.json: runtimes connect concurrently, and the final description must not be replaced by an earlier one.</summary>
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

    /// <summary>File whose space is given back when the final recording.json is written.</summary>
    public string Reserve => File(".reserve");

    /// <summary>Creates the folder.</summary>
    /// <exception cref="IOException">It holds something already, or cannot be created.</exception>
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

    /// <summary>Throws when something lies where a recording is to be made.</summary>
    /// <exception cref="IOException">It holds something already.</exception>
    public static void CheckEmpty(string path)
    {
        var full = System.IO.Path.GetFullPath(path);
        if (System.IO.File.Exists(full))
            throw new ProblemException(new Problem("this is a file, and a recording is a folder", path, "name a folder with --out; it is made when it is not there"));
        if (Directory.Exists(full) && Directory.EnumerateFileSystemEntries(full).Any())
            throw new ProblemException(new Problem("the folder exists and is not empty", path, "name another folder with --out, or remove it"));
    }

    /// <summary>Path of a file in the folder.</summary>
    public string File(string name) => System.IO.Path.Combine(Path, name);

    /// <summary>Writes recording.json while the recording goes on: a recorder that is killed leaves a description.</summary>
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

    /// <summary>Gives the reserve back and writes the final recording.json.</summary>
    public void WriteFinal(Recording recording)
    {
        lock (_writing)
        {
            _final = true;
            System.IO.File.Delete(Reserve);
            RecordingFile.Write(Path, recording);
        }
    }

    /// <summary>Removes a recording of nothing, and the folders that were made for it.</summary>
    /// <param name="file">Name of the file that was recorded; empty for none.</param>
    /// <returns>False when the folder holds something else, too: then nothing is removed.</returns>
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

    /// <summary>Ends a recording that came to no end: the reserve goes, and so do the folders that were made for it when nothing was recorded, so that the next attempt may use them.</summary>
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
