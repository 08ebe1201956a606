using System.Collections.Immutable;
using System.Globalization;
using System.Runtime.InteropServices;
using EtwSerializerProfiler.Naming;
using EtwSerializerProfiler.Traces;
using Microsoft.Diagnostics.Runtime;

namespace EtwSerializerProfiler.Dumps.Files;

/// <summary>An open dump: the memory of a process and the .NET runtime in it.</summary>
public sealed class DumpSession : IDisposable
{
    /// <summary>Maximum dump memory that the reader caches.</summary>
    private const long CacheBytes = 32 << 20;

    private DumpSession(string path, DumpHeader header, DataTarget target, ClrRuntime runtime)
    {
        (Path, Header, Target, Runtime) = (path, header, target, runtime);
        Bytes = new FileInfo(path).Length;
    }

    /// <summary>Path of the dump.</summary>
    public string Path { get; }

    /// <summary>The header of the dump.</summary>
    public DumpHeader Header { get; }

    /// <summary>Size of the file in bytes.</summary>
    public long Bytes { get; }

    /// <summary>Id of the process.</summary>
    public int ProcessId => Target.DataReader.ProcessId;

    /// <summary>Name and version of the runtime: "CoreCLR 10.0.12".</summary>
    public string RuntimeName =>
        $"{(Runtime.ClrInfo.Flavor == ClrFlavor.Core ? "CoreCLR" : Runtime.ClrInfo.Flavor == ClrFlavor.Desktop ? ".NET Framework" : Runtime.ClrInfo.Flavor.ToString())} {RuntimeVersion ?? "of unknown version"}";

    /// <summary>Version of the runtime: that of the library, or else that of the shared framework's folder; null when unknown.</summary>
    public string? RuntimeVersion =>
        Runtime.ClrInfo.Version is { Major: > 0 } version ? version.ToString() : FolderVersion(Runtime.ClrInfo.ModuleInfo.FileName);

    /// <summary>Path of the runtime's library in the process.</summary>
    public string RuntimePath => Runtime.ClrInfo.ModuleInfo.FileName;

    /// <summary>System of the process.</summary>
    public string Platform => PlatformName(Target.DataReader.TargetPlatform);

    /// <summary>Processor of the process.</summary>
    public Architecture Architecture => Target.DataReader.Architecture;

    /// <summary>Whether server GC is used: one heap per processor.</summary>
    public bool IsServerCollector => Runtime.Heap.IsServer;

    internal DataTarget Target { get; }

    internal ClrRuntime Runtime { get; }

    /// <summary>Opens a dump.</summary>
    /// <param name="path">The file.</param>
    /// <param name="debuggingLibrary">
    /// The runtime's debugging library (mscordaccore); null to search for it beside the runtime of the dumped process.
    /// </param>
    /// <exception cref="TraceFormatException">
    /// The file is not a dump of a .NET process, is damaged, comes from another kind of machine, or its runtime's debugging library is
    /// missing.
    /// </exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static DumpSession Open(string path, string? debuggingLibrary = null)
    {
        ArgumentNullException.ThrowIfNull(path);
        if (!File.Exists(path))
            throw DumpErrors.Of(
                path,
                "the file does not exist",
                0,
                "a dump",
                "no file",
                "name a dump, or the folder of a recording with one"
            );
        var header = DumpHeader.Read(path);
        if (header.Architecture is { } architecture && architecture != RuntimeInformation.ProcessArchitecture)
            throw OtherMachine(path, architecture.ToString(), RuntimeInformation.ProcessArchitecture.ToString());
        DataTarget? target = null;
        try
        {
            target = DataTarget.LoadDump(
                path,
                new DataTargetOptions
                {
                    FileLocator = new LocalLibraries(),
                    CacheOptions = new CacheOptions { MaxDumpCacheSize = CacheBytes },
                }
            );
            CheckMachine(path, target.DataReader);
            return new DumpSession(path, header, target, Create(path, target, debuggingLibrary));
        }
        catch (TraceFormatException)
        {
            target?.Dispose();
            throw;
        }
        // A damaged dump can make ClrMD throw anything.
        catch (Exception exception) when (exception is not (IOException or UnauthorizedAccessException or OutOfMemoryException))
        {
            target?.Dispose();
            throw DumpErrors.Of(
                path,
                "the dump is damaged",
                0,
                "a dump of a .NET process",
                OneLine(exception),
                "copy it again, or take another",
                exception
            );
        }
    }

    /// <inheritdoc />
    public void Dispose()
    {
        Runtime.Dispose();
        Target.Dispose();
    }

    internal static string OneLine(Exception exception) =>
        $"{exception.GetType().Name}: {string.Join(' ', exception.Message.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)).TrimEnd('.')}";

    private static ClrRuntime Create(string path, DataTarget target, string? library)
    {
        if (target.ClrVersions.IsEmpty)
            throw DumpErrors.Of(
                path,
                "the dump is of a process without .NET",
                0,
                "a .NET runtime among its modules",
                string.Create(CultureInfo.InvariantCulture, $"none of its {Plural.Of(target.EnumerateModules().Count(), "module")} is one"),
                "name the dump of a .NET process; gdb or lldb read this one"
            );
        var runtime = target.ClrVersions[0];
        try
        {
            if (library is not null)
                // Linux dumps do not contain the runtime's version to compare.
                return runtime.CreateRuntime(library, ignoreMismatch: runtime.Version.Major == 0);
            return runtime.CreateRuntime();
        }
        catch (Exception exception)
            when (exception is not (IOException or UnauthorizedAccessException or OutOfMemoryException)
                || exception is FileNotFoundException
            )
        {
            var name =
                runtime
                    .DebuggingLibraries.Where(found => found.Kind == DebugLibraryKind.Dac)
                    .Select(found => System.IO.Path.GetFileName(found.FileName))
                    .FirstOrDefault()
                ?? "mscordaccore";
            throw DumpErrors.Of(
                path,
                "the debugging library of its runtime is missing or does not fit",
                0,
                $"{name} beside {runtime.ModuleInfo.FileName}",
                OneLine(exception),
                $"install exactly this build of .NET{(FolderVersion(runtime.ModuleInfo.FileName) is { } version ? " " + version : "")} here (a self-contained program contains it), or name the file with --dac",
                exception
            );
        }
    }

    private static void CheckMachine(string path, IDataReader reader)
    {
        if (reader.Architecture != RuntimeInformation.ProcessArchitecture)
            throw OtherMachine(path, reader.Architecture.ToString(), RuntimeInformation.ProcessArchitecture.ToString());
        if (!RuntimeInformation.IsOSPlatform(reader.TargetPlatform))
            throw OtherMachine(
                path,
                PlatformName(reader.TargetPlatform),
                OperatingSystem.IsWindows() ? "Windows"
                    : OperatingSystem.IsLinux() ? "Linux"
                    : "macOS"
            );
    }

    private static TraceFormatException OtherMachine(string path, string made, string here) =>
        DumpErrors.Of(
            path,
            $"the dump is from another kind of machine ({made})",
            0,
            $"a dump of a process for {here}, like esp-analyze itself",
            $"it is for {made}",
            $"run esp-analyze on {made}: the runtime's debugging library is made for one system and processor"
        );

    private static string PlatformName(OSPlatform platform) =>
        platform == OSPlatform.Windows ? "Windows"
        : platform == OSPlatform.Linux ? "Linux"
        : platform == OSPlatform.OSX ? "macOS"
        : platform.ToString();

    private static string? FolderVersion(string path) =>
        System.IO.Path.GetFileName(System.IO.Path.GetDirectoryName(path)) is { Length: > 0 } folder
        && char.IsAsciiDigit(folder[0])
        && folder.Contains('.', StringComparison.Ordinal)
            ? folder
            : null;
}

/// <summary>Finds debugging libraries and images only on this machine; downloads nothing.</summary>
internal sealed class LocalLibraries : IFileLocator
{
    /// <inheritdoc />
    public string? FindPEImage(string fileName, int buildTimeStamp, int imageSize, bool checkProperties) => Existing(fileName);

    /// <inheritdoc />
    public string? FindPEImage(
        string fileName,
        SymbolProperties archivedUnder,
        ImmutableArray<byte> buildIdOrUUID,
        OSPlatform originalPlatform,
        bool checkProperties
    ) => Existing(fileName);

    private static string? Existing(string fileName) => Path.IsPathRooted(fileName) && File.Exists(fileName) ? fileName : null;
}
