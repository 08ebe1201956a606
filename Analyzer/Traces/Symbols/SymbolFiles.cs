using System.Globalization;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfMaps;
using EtwSerializerProfiler.Traces.Symbols.Inlining;
using EtwSerializerProfiler.Traces.Symbols.Kept;
using EtwSerializerProfiler.Traces.Symbols.Lines;
using EtwSerializerProfiler.Traces.Symbols.Pdb;
using EtwSerializerProfiler.Traces.Symbols.Precompiled;
using EtwSerializerProfiler.Traces.ThisMachine;

namespace EtwSerializerProfiler.Traces.Symbols;

/// <summary>
/// Symbols from files of this machine: libraries, the kernel, perf maps; each is read once. A file is used only if it is the recorded one:
/// by its build id or, if the recording has none, because the recording was made on this machine.
/// </summary>
public sealed class SymbolFiles
{
    /// <summary>Module of the kernel's own code.</summary>
    public const string KernelModule = "[kernel]";

    private readonly bool _sameMachine;

    /// <summary>Whether the machine is unknown: files of record-trace do not name it.</summary>
    private readonly bool _isAnyMachine;

    /// <summary>Whether the traces are another tool's; their perf maps are found when each process is opened, not here.</summary>
    private bool _isBare;
    private readonly DateTime _startedUtc;
    private readonly DateTime _endedUtc;
    private readonly string _kernelSymbolFile;
    private readonly string _mapFolder;

    /// <summary>Folder of the recording, empty when there is none. A perf map in it belongs to the process.</summary>
    private readonly string _recordingFolder;
    private readonly ProgramFiles _program;

    /// <summary>Symbols of each of several recordings by label; empty for one recording.</summary>
    private readonly IReadOnlyDictionary<string, SymbolFiles> _byRecording = new Dictionary<string, SymbolFiles>();

    /// <summary>PDB files of images of Windows; null for none.</summary>
    private readonly PdbFiles? _pdbs;
    private readonly ImageFiles _images;

    private readonly Dictionary<int, PerfMap?> _maps = [];
    private readonly Dictionary<(string Path, Guid Pdb), (ModuleMetadata? Metadata, string? Reason)> _assemblies = [];

    /// <summary>Assemblies whose IL was requested but is unavailable, with the reason.</summary>
    private readonly List<((string Path, Guid Pdb) Assembly, string Reason)> _withoutIl = [];
    private readonly HashSet<(string Path, Guid Pdb)> _saidAssemblies = [];
    private readonly List<string> _problems = [];
    private readonly Dictionary<ModuleMetadata, AssemblyLines?> _lines = [];

    /// <summary>Images whose debug information cannot be read.</summary>
    private readonly HashSet<ReadyToRunImage> _withoutPoints = [];
    private KernelSymbols? _kernel;
    private bool _triedKernel;
    private bool _isKernelKept;

    /// <summary>Symbols for a recording.</summary>
    /// <param name="machineName">Machine it was made on, empty when unknown.</param>
    /// <param name="startedUtc">When it began.</param>
    /// <param name="duration">How long it took: a perf map of that time is its own.</param>
    /// <param name="pdbs">PDB files of images of Windows; null for none.</param>
    /// <param name="recordingFolder">Folder of the recording, empty when there is none.</param>
    public SymbolFiles(string machineName, DateTime startedUtc, TimeSpan duration, PdbFiles? pdbs = null, string recordingFolder = "")
        : this(machineName, startedUtc, duration, "/proc/kallsyms", "/tmp", pdbs, recordingFolder) { }

    /// <summary>Symbols for several recordings.</summary>
    /// <param name="byRecording">Those of each recording by its label.</param>
    /// <param name="pdbs">PDB files that they share; null for none.</param>
    public SymbolFiles(IReadOnlyDictionary<string, SymbolFiles> byRecording, PdbFiles? pdbs = null)
        : this("", DateTime.MinValue, TimeSpan.Zero, pdbs) => _byRecording = byRecording;

    /// <summary>Symbols of what was opened: those of each recording by its label.</summary>
    /// <param name="input">The trace input.</param>
    /// <param name="pdbs">PDB files of images of Windows; null for none.</param>
    public static SymbolFiles Of(TraceInput input, PdbFiles? pdbs = null)
    {
        ArgumentNullException.ThrowIfNull(input);
        return input.Recordings switch
        {
            [] => OfBare(input, pdbs),
            [var only] => Of(only, input, pdbs),
            var several => new SymbolFiles(
                several.ToDictionary(recording => recording.Label, recording => Of(recording, input, pdbs)),
                pdbs
            ),
        };
    }

    /// <summary>Traces of other tools end when their files were written.</summary>
    private static SymbolFiles OfBare(TraceInput input, PdbFiles? pdbs)
    {
        var machine =
            input
                .Processes.SelectMany(process => process.Sources)
                .OfType<PerfDataSource>()
                .Select(source => source.MachineName)
                .FirstOrDefault(name => name.Length > 0)
            ?? "";
        var written = input.FilesRead.Where(File.Exists).Select(File.GetLastWriteTimeUtc).DefaultIfEmpty(DateTime.MinValue).Max();
        return new SymbolFiles(machine, written, TimeSpan.Zero, pdbs) { _isBare = true, MyCode = input.MyCode };
    }

    private static SymbolFiles Of(InputRecording recording, TraceInput input, PdbFiles? pdbs) =>
        new(
            recording.Description.Host.MachineName,
            recording.Description.StartedUtc,
            TimeSpan.FromMilliseconds(recording.Description.DurationMs),
            pdbs,
            recording.Folder
        )
        {
            MyCode = input.MyCode.Count > 0 ? input.MyCode : NamePattern.List(string.Join(',', recording.Description.MyCode)),
        };

    internal SymbolFiles(
        string machineName,
        DateTime startedUtc,
        TimeSpan duration,
        string kernelSymbolFile,
        string mapFolder,
        PdbFiles? pdbs = null,
        string recordingFolder = ""
    )
    {
        _recordingFolder = recordingFolder;
        _program = new ProgramFiles(recordingFolder);
        _sameMachine = IsThisMachine(machineName);
        _isAnyMachine = machineName.Length == 0;
        _startedUtc = startedUtc;
        _endedUtc = startedUtc + duration;
        _kernelSymbolFile = kernelSymbolFile;
        _mapFolder = mapFolder;
        _pdbs = pdbs;
        _images = new ImageFiles(_program, new DebugFiles(pdbs?.Paths ?? []), path => _sameMachine && IsOlder(path));
        Precompiled = new PrecompiledFiles(_program, path => (_sameMachine || (_isBare && _isAnyMachine)) && IsOlder(path));
    }

    /// <summary>
    /// Assemblies and namespaces that the user calls own code: those of the command line, else of the recording; empty for none.
    /// </summary>
    public IReadOnlyList<NamePattern> MyCode { get; init; } = [];

    /// <summary>Names of all processes' code.</summary>
    public TextPool Texts { get; } = new();

    /// <summary>Why symbols are missing although they could exist, a sentence each.</summary>
    public IReadOnlyList<string> Problems => [.. OwnProblems, .. PdbProblems];

    /// <summary>These problems, except those about PDB files.</summary>
    public IReadOnlyList<string> OwnProblems =>
        [
            .. _problems,
            .. _images.Problems,
            .. Precompiled.Problems,
            .. WithoutIl,
            .. _byRecording.SelectMany(pair => pair.Value.OwnProblems.Select(problem => $"{pair.Key}: {problem}")),
        ];

    /// <summary>One sentence for all remaining assemblies: on a machine other than the recording's there may be many.</summary>
    private IEnumerable<string> WithoutIl
    {
        get
        {
            var unsaid = _withoutIl.Where(item => !_saidAssemblies.Contains(item.Assembly)).ToList();
            if (unsaid is [var (first, reason), ..])
                yield return string.Create(
                    CultureInfo.InvariantCulture,
                    $"the IL of {unsaid.Count} of the recorded assemblies is not available ({first.Path}: {reason}): inlined frames there may be wrong at calls, and callers of small methods are missing"
                );
        }
    }

    /// <summary>The problems about PDB files.</summary>
    public IReadOnlyList<string> PdbProblems => _pdbs?.Problems ?? [];

    /// <summary>The files of one recording.</summary>
    /// <param name="label">Its label among several.</param>
    public SymbolFiles Of(string label) => _byRecording.GetValueOrDefault(label, this);

    /// <summary>The functions of a mapped file; null when it is unreadable, not an ELF file or not the recorded one.</summary>
    internal ElfImage? Image(in FileMapping mapping) => _images.Find(mapping);

    /// <summary>The precompiled assemblies.</summary>
    internal PrecompiledFiles Precompiled { get; }

    /// <summary>The function at an offset in a Windows image, by its PDB file.</summary>
    internal bool TryFindInWindowsImage(in FileMapping image, ulong offset, out string name)
    {
        name = "";
        return _pdbs?.Functions(image) is { } functions && functions.TryFind(offset, out name);
    }

    /// <summary>
    /// The kernel's functions: this machine's if it still runs the recorded kernel since the same boot, else those that the recording
    /// keeps; null for none.
    /// </summary>
    internal KernelSymbols? Kernel(KernelMapping? recorded)
    {
        if (_triedKernel || recorded is not { } mapping)
            return _kernel;
        _triedKernel = true;
        try
        {
            _kernel = ThisKernel(mapping, out var problem);
            _isKernelKept = _kernel is null;
            _kernel ??= _program.Kernel();
            if (_kernel is null)
                _problems.Add($"no kernel symbols: {problem}");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or InvalidDataException)
        {
            _problems.Add($"no kernel symbols: {exception.Message.TrimEnd('.')}");
        }

        return _kernel;
    }

    private KernelSymbols? ThisKernel(in KernelMapping recorded, out string problem)
    {
        problem =
            recorded.HostName.Length == 0 || recorded.Release.Length == 0
                ? "perf.data does not name the machine and kernel it was recorded on"
            : !IsThisMachine(recorded.HostName)
                ? "the recording keeps none, and they can be read only on the recorded machine, before it reboots"
            : "";
        if (problem.Length > 0)
            return null;
        var symbols = KernelSymbols.Parse(File.ReadAllBytes(_kernelSymbolFile));
        if (symbols.TextStart == 0)
            problem = "/proc/kallsyms hides its addresses from this user; run as root";
        else if (symbols.TextStart != recorded.Start || !IsThisRelease(recorded.Release))
            problem = "the recording keeps none, and the machine rebooted or changed its kernel since the recording";
        return problem.Length > 0 ? null : symbols;
    }

    /// <summary>
    /// The perf map of a process: the one in the recording, else one on this machine from the recording's time; null when there is none.
    /// </summary>
    internal PerfMap? Map(int processId)
    {
        if (_maps.TryGetValue(processId, out var map))
            return map;
        if (MapFile(processId) is { } file)
        {
            try
            {
                map = PerfMap.Read(file);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                _problems.Add($"{file} was not used: {exception.Message.TrimEnd('.')}");
            }
        }

        _maps.Add(processId, map);
        return map;
    }

    private string? MapFile(int processId)
    {
        var name = PerfMap.FileNameOf(processId);
        if (_recordingFolder.Length > 0 && File.Exists(Path.Combine(_recordingFolder, name)))
            return Path.Combine(_recordingFolder, name);
        var file = new FileInfo(Path.Combine(_mapFolder, name));
        if (
            !_sameMachine
            || _isBare
            || file is not { Exists: true, Length: > 0 }
            || file.LastWriteTimeUtc < _startedUtc
            || file.LastWriteTimeUtc > _endedUtc.AddMinutes(1)
        )
            return null;
        if (FileTrust.Refusal(file.FullName, processId) is not { } reason)
            return file.FullName;
        _problems.Add($"{file.FullName} was not used: {reason}");
        return null;
    }

    /// <summary>The metadata of an assembly; null when its file is missing, not an assembly, or not the recorded one.</summary>
    /// <param name="path">Its file, or its name when it has none.</param>
    /// <param name="pdb">GUID of its PDB file, empty when the recording does not say.</param>
    /// <param name="isNeeded">Whether names depend on it; if so, <see cref="Problems"/> reports why it is missing.</param>
    internal ModuleMetadata? Metadata(string path, Guid pdb, bool isNeeded = true)
    {
        var key = (path, pdb);
        if (!_assemblies.TryGetValue(key, out var assembly))
        {
            _assemblies.Add(key, assembly = ReadMetadata(path, pdb));
            if (assembly.Reason is { } lacking && path.AsSpan().ContainsAny('/', '\\'))
                _withoutIl.Add((key, lacking));
        }

        if (isNeeded && assembly.Reason is { } reason && _saidAssemblies.Add(key))
            _problems.Add($"no names of methods inlined from {(path.Length > 0 ? path : "a module without a file")}: {reason}");
        return assembly.Metadata;
    }

    /// <summary>The IL statements of a precompiled method; null when its image has none.</summary>
    internal CodePoints? Points(ReadyToRunImage image, int method)
    {
        if (_withoutPoints.Contains(image))
            return null;
        try
        {
            return image.Points(method);
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            _withoutPoints.Add(image);
            _problems.Add($"no lines of precompiled code in {image.Path}: {exception.Message.TrimEnd('.')}");
            return null;
        }
    }

    /// <summary>The source lines of an assembly; null when its PDB is unavailable.</summary>
    internal AssemblyLines? Lines(ModuleMetadata module)
    {
        if (_lines.TryGetValue(module, out var lines) || module.ImageFile.IsKept)
            return lines; // kept parts have no lines
        lines = AssemblyLines.Open(module.Path, (name, guid, age) => _pdbs?.Find(name, guid, age) ?? [], _program, out var problem);
        _lines.Add(module, lines);
        if (problem.Length > 0)
            _problems.Add(problem);
        return lines;
    }

    /// <summary>The text of a source file of one of the PDBs from which lines were read.</summary>
    /// <param name="file">Its path, as in <see cref="SourceLine.File"/>.</param>
    public SourceText SourceText(string file) =>
        _lines.Values.Select(lines => lines?.Text(file)).FirstOrDefault(text => text is not null)
        ?? _byRecording.Values.Select(files => files.SourceText(file)).FirstOrDefault(text => text.Problem.Length == 0)
        ?? Symbols.Lines.SourceText.None($"no PDB names {file}");

    /// <summary>
    /// Copies the used files of the program into the recordings, and the parts read of other files. Assemblies without a PDB belong to the
    /// platform or to packages: their parts are enough for names and callers.
    /// </summary>
    /// <param name="what">Which files.</param>
    /// <returns>Files whose parts are too large to keep.</returns>
    /// <exception cref="IOException">One cannot be copied.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to a file is denied.</exception>
    public IReadOnlyList<string> Keep(KeptFiles what)
    {
        var tooLarge = _byRecording.Values.SelectMany(files => files.Keep(what)).ToList();
        if (what == KeptFiles.None || !_program.CanKeep)
            return tooLarge;
        foreach (var ((path, pdb), (metadata, _)) in _assemblies)
        {
            if (metadata is null || pdb == Guid.Empty || metadata.Path != path || metadata.ImageFile.IsKept)
                continue;
            if (what >= KeptFiles.Assemblies && Lines(metadata) is { } lines)
            {
                _program.Keep(path, pdb, lines.Location);
                if (what == KeptFiles.Source)
                    lines.KeepSource(_program);
            }
            else
            {
                KeepParts(metadata.ImageFile, pdb.ToString("N"));
            }
        }

        foreach (var (file, id) in _images.Used)
            KeepParts(file, id);
        Precompiled.Keep();
        if (_kernel is not null && !_isKernelKept)
            _program.Keep(_kernel);
        return tooLarge;

        void KeepParts(ImageFile file, string id)
        {
            if (!_program.TryKeepParts(file, id))
                tooLarge.Add(file.Path);
        }
    }

    /// <summary>Reads the file where it was, else its copy in the recording.</summary>
    private (ModuleMetadata? Metadata, string? Reason) ReadMetadata(string path, Guid pdb)
    {
        var (metadata, reason) = ReadMetadataAt(path, pdb);
        if (metadata is null && _program.Assembly(path, pdb) is { } copy)
            metadata = ReadMetadataAt(copy, pdb).Metadata;
        return (metadata ??= KeptMetadata(path, pdb, ref reason)) is null ? (null, reason) : (metadata, null);
    }

    /// <summary>The recording's copy or parts of an assembly; null when it keeps none.</summary>
    private ModuleMetadata? KeptMetadata(string path, Guid pdb, ref string? reason)
    {
        try
        {
            return pdb != Guid.Empty && _program.Parts(path, pdb.ToString("N")) is { } kept ? ModuleMetadata.Read(kept) : null;
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            reason = $"what the recording keeps of it cannot be read: {exception.Message.TrimEnd('.')}";
            return null;
        }
    }

    private (ModuleMetadata? Metadata, string? Reason) ReadMetadataAt(string path, Guid pdb)
    {
        try
        {
            // A module emitted in memory has only a name; a file with that name in the current folder is a different one.
            if (path.IndexOfAny(['/', '\\']) < 0)
                return (null, "the module has no file");
            if (!File.Exists(path))
                return (null, "the file does not exist");
            var metadata = ModuleMetadata.Read(path);
            var isRecorded = pdb == Guid.Empty || metadata.Pdbs.Count == 0 ? _sameMachine && IsOlder(path) : metadata.Pdbs.Contains(pdb);
            return isRecorded ? (metadata, null) : (null, "the file changed since the recording; record again after a build");
        }
        catch (Exception exception) when (ImageErrors.Is(exception))
        {
            return (null, exception.Message.TrimEnd('.'));
        }
    }

    /// <summary>Whether a file exists and has not changed since the recording.</summary>
    private bool IsOlder(string path) => File.Exists(path) && File.GetLastWriteTimeUtc(path) <= _endedUtc;

    /// <summary><see cref="Environment.MachineName"/> is without a domain, which perf.data's name may have.</summary>
    private static bool IsThisMachine(string name) =>
        name.Length > 0 && name.Split('.')[0].Equals(Environment.MachineName, StringComparison.OrdinalIgnoreCase);

    private static bool IsThisRelease(string release)
    {
        const string File = "/proc/sys/kernel/osrelease";
        return System.IO.File.Exists(File) && System.IO.File.ReadAllText(File).Trim() == release;
    }
}
