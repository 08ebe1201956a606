using System.Text.Json;
using EtwSerializerProfiler.Traces.Assemblies;

namespace EtwSerializerProfiler.Reports.Tests;

public sealed class ReferencesReportTests : IDisposable
{
    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(ReportFormat.Table)]
    [InlineData(ReportFormat.Markdown)]
    [InlineData(ReportFormat.Csv)]
    [InlineData(ReportFormat.Json)]
    public void References(ReportFormat format)
    {
        Write();
        using var output = new StringWriter();

        ReferencesReport.Print([App], all: false, format, output, new SharedFrameworks(Path.Combine(_folder.Path, "shared")));

        Snapshot.Matches(
            "Reports.Tests",
            $"references-{format}".ToLowerInvariant(),
            output.ToString().Replace(_folder.Path, "{folder}", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void All_references_are_shown_on_request()
    {
        Write();

        var (code, output, _) = AnalyzeTool.Run("references", App, "--all");

        Assert.Equal(0, code);
        Assert.Equal(5, output.Split('\n').Count(line => line.Contains("│ 0x", StringComparison.Ordinal)));
    }

    /// <summary>The build that the tests run from has no broken reference.</summary>
    [Fact]
    public void The_analyzers_own_build_has_no_warnings()
    {
        var (code, output, error) = AnalyzeTool.Run(
            "references",
            Path.GetDirectoryName(typeof(ReferencesReport).Assembly.Location)!,
            "--format",
            "json"
        );

        Assert.True(code == 0, error);
        Assert.DoesNotContain(
            JsonDocument
                .Parse(output)
                .RootElement.GetProperty("findings")
                .EnumerateArray()
                .Select(finding => finding.GetProperty("code").GetString()),
            found =>
                found
                    is "reference-flags"
                        or "reference-version"
                        or "assembly-architecture"
                        or "assembly-unreadable"
                        or "assembly-reference"
        );
    }

    [Fact]
    public void A_path_that_is_not_there_is_3() =>
        Assert.Equal(3, AnalyzeTool.Run("references", Path.Combine(_folder.Path, "absent")).Code);

    private string App => Path.Combine(_folder.Path, "app");

    private void Write()
    {
        new SyntheticAssembly("System.Runtime", "9.0.0.0").Write(Path.Combine(_folder.Path, "shared", "Microsoft.NETCore.App", "9.0.2"));
        new SyntheticAssembly("Rewritten", "1.0.0.0")
            .Reference("mscorlib", "4.0.0.0", "b77a5c561934e089", 0x70)
            .Reference("Library", "2.0.0.0")
            .Debuggable(0x107)
            .Configured("Debug")
            .BuiltFor(".NETCoreApp,Version=v9.0")
            .Write(App);
        new SyntheticAssembly("Library", "1.0.0.0")
            .Reference("Gone", "1.0.0.0")
            .BuiltFor(".NETCoreApp,Version=v9.0")
            .Configured("Release")
            .Write(App);
        File.WriteAllText(Path.Combine(App, "damaged.dll"), "no library");
    }
}
