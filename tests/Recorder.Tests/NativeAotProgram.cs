using System.Runtime.InteropServices;

[assembly: AssemblyFixture(typeof(EtwSerializerProfiler.Recorder.Tests.NativeAotProgram))]

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>The program of tests/NativeAotProgram, published by NativeAOT when the first test needs it.</summary>
public sealed class NativeAotProgram : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-aot-").FullName;
    private readonly Lazy<Task<ToolResult>> _published;

    /// <summary>Does not publish yet.</summary>
    public NativeAotProgram() => _published = new Lazy<Task<ToolResult>>(PublishInAsync);

    private string Folder => Path.Combine(_root, "out");

    /// <summary>The program; skips the test where NativeAOT's compiler or a linker is missing.</summary>
    internal async Task<(string Path, string Log)> PublishAsync()
    {
        Assert.SkipUnless(
            OperatingSystem.IsLinux() && RuntimeInformation.ProcessArchitecture == Architecture.X64,
            "names of programs that NativeAOT compiled are read from ELF files"
        );
        Assert.SkipWhen(Linker is null, "no linker: apt-get install gcc or clang");
        var published = await _published.Value;
        Assert.SkipWhen(
            published.ExitCode != 0 && published.Output.Contains("error NU1", StringComparison.Ordinal),
            "the feed lacks the compiler of NativeAOT (runtime.linux-x64.Microsoft.DotNet.ILCompiler)"
        );
        Assert.True(published.ExitCode == 0, published.Output + published.Error);
        return (Path.Combine(Folder, "NativeAotProgram"), published.Output);
    }

    /// <summary>A copy of the published program without its debug file.</summary>
    internal async Task<string> CopyWithoutDebugFileAsync()
    {
        var (program, _) = await PublishAsync();
        var copy = Path.Combine(Directory.CreateDirectory(Path.Combine(_root, "alone")).FullName, Path.GetFileName(program));
        if (!File.Exists(copy))
            File.Copy(program, copy);
        return copy;
    }

    /// <summary>The same program for the JIT.</summary>
    internal async Task<string> BuildJittedAsync()
    {
        await PublishAsync();
        var built = await RunAsync("build", Path.Combine(_root, "jitted"), "-p:PublishAot=false");
        Assert.True(built.ExitCode == 0, built.Output + built.Error);
        return Path.Combine(_root, "jitted", "NativeAotProgram");
    }

    /// <inheritdoc />
    public void Dispose() => Directory.Delete(_root, recursive: true);

    private static string? Linker => ((string[])["clang", "gcc"]).FirstOrDefault(name => NeedsProgramAttribute.Find(name) is not null);

    private async Task<ToolResult> PublishInAsync()
    {
        var project = Directory.CreateDirectory(Path.Combine(_root, "project")).FullName;
        foreach (var file in Directory.GetFiles(Path.Combine(Tool.Sources, "tests", "NativeAotProgram")))
            File.Copy(file, Path.Combine(project, Path.GetFileName(file)));
        return await RunAsync("publish", Folder, $"-p:CppCompilerAndLinker={Linker}");
    }

    private Task<ToolResult> RunAsync(string verb, string folder, string property) =>
        PackedSolution.RunAsync(
            packages: null,
            Tool.Host,
            Path.Combine(_root, "project"),
            verb,
            "-c",
            "Release",
            "-o",
            folder,
            "-nodeReuse:false",
            property,
            $"-p:MarksAssembly={Path.Combine(AppContext.BaseDirectory, "EtwSerializerProfiler.Marks.dll")}"
        );
}
