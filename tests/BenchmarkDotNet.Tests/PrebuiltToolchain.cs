using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains;
using BenchmarkDotNet.Toolchains.DotNetCli;
using BenchmarkDotNet.Toolchains.Results;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace EtwSerializerProfiler.BenchmarkDotNet.Tests;

/// <summary>
/// BenchmarkDotNet's own program in a separate process for each benchmark, as by default, but compiled here: its default toolchain builds
/// this project once more by 'dotnet build', which the test of the package does from an empty folder.
/// </summary>
internal sealed class PrebuiltToolchain() : Toolchain("Prebuilt", new BesideTests(), new Compiler(), new DotNetCliExecutor(null!))
{
    /// <summary>It is in the tests' folder, where its libraries are.</summary>
    private sealed class BesideTests : GeneratorBase
    {
        protected override string GetBuildArtifactsDirectoryPath(BuildPartition assemblyLocation, string programName) =>
            AppContext.BaseDirectory;

        protected override string GetExecutableExtension() => ".dll";

        protected override string[] GetArtifactsToCleanup(ArtifactsPaths artifactsPaths) =>
            [
                artifactsPaths.ProgramCodePath,
                artifactsPaths.AppConfigPath,
                artifactsPaths.ExecutablePath,
                Path.ChangeExtension(artifactsPaths.ExecutablePath, ".runtimeconfig.json"),
            ];

        protected override void GenerateBuildScript(BuildPartition buildPartition, ArtifactsPaths artifactsPaths) { }
    }

    private sealed class Compiler : IBuilder
    {
        public BuildResult Build(GenerateResult generateResult, BuildPartition buildPartition, ILogger logger)
        {
            var paths = generateResult.ArtifactsPaths;
            var references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!)
                .Split(Path.PathSeparator)
                .Select(path => MetadataReference.CreateFromFile(path));
            var compilation = CSharpCompilation.Create(
                paths.ProgramName,
                [CSharpSyntaxTree.ParseText(File.ReadAllText(paths.ProgramCodePath))],
                references,
                new CSharpCompilationOptions(OutputKind.ConsoleApplication, optimizationLevel: OptimizationLevel.Release, allowUnsafe: true)
            );
            var result = compilation.Emit(paths.ExecutablePath);
            File.Copy(
                Path.ChangeExtension(typeof(PrebuiltToolchain).Assembly.Location, ".runtimeconfig.json"),
                Path.ChangeExtension(paths.ExecutablePath, ".runtimeconfig.json"),
                overwrite: true
            );
            return result.Success
                ? BuildResult.Success(generateResult)
                : BuildResult.Failure(generateResult, string.Join('\n', result.Diagnostics));
        }
    }
}
