using System.Text.Json;
using static EtwSerializerProfiler.Reports.Tests.AnalyzeTool;

namespace EtwSerializerProfiler.Reports.Tests;

/// <summary>
/// Names of native functions in an .etl written by us: coreclr.dll's by the PDB file that clang and lld made, those of ntdll.dll and of the
/// kernel by files written by us.
/// </summary>
public sealed class NativeNamesTests : IDisposable
{
    private const int App = 4000;
    private const int Main = 4001;
    private const int Marker = 4002;
    private const ulong Entry = 0x7FF8_0000_1000;
    private const ulong Coreclr = 0x7FF9_0000_0000;
    private const ulong Ntdll = 0x7FFA_0000_0000;
    private const ulong Kernel = 0xFFFF_F800_0000_0000;

    // Offsets in the image, from native.publics.txt: section 1 begins at 0x1000.
    private const ulong New = Coreclr + 0x1000 + 64;
    private const ulong WriteBarrier = Coreclr + 0x1000 + 128;
    private const ulong MarkObject = Coreclr + 0x1000 + 320;
    private const ulong Suspend = Coreclr + 0x1000 + 832;

    private static readonly Guid s_native = new("c2a5da14-c02a-ea17-4c4c-44205044422e");
    private static readonly Guid s_ntdll = new("11111111-2222-3333-4444-555555555555");
    private static readonly Guid s_kernel = new("66666666-2222-3333-4444-555555555555");

    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Functions_of_images_are_named_in_cpu()
    {
        var trace = Write();

        Assert.Equal(
            [
                "coreclr.dll JIT_New 1/1",
                "coreclr.dll JIT_WriteBarrier 1/1",
                "coreclr.dll ThreadSuspend::SuspendEE 1/2",
                "coreclr.dll WKS::gc_heap::mark_object_simple 1/1",
                "esp-workload.dll EtwSerializerProfiler.Workload.Serializers.XmlText.Serialize 0/6",
                "ntdll.dll NtWaitForSingleObject 1/1",
                "ntdll.dll RtlUserThreadStart 0/6",
                "ntoskrnl.exe KeWaitForSingleObject 1/1",
            ],
            Rows(trace, Symbols())
        );
        Assert.Empty(Hints("cpu", trace, Symbols()));
    }

    [Fact]
    public void Without_the_files_a_row_is_a_module()
    {
        var trace = Write();

        Assert.Equal(
            [
                "coreclr.dll coreclr.dll+? 4/5",
                "esp-workload.dll EtwSerializerProfiler.Workload.Serializers.XmlText.Serialize 0/6",
                "ntdll.dll ntdll.dll+? 1/6",
                "ntoskrnl.exe ntoskrnl.exe+? 1/1",
            ],
            Rows(trace)
        );
        Assert.Empty(Hints("cpu", trace));
    }

    [Fact]
    public void Causes_know_the_functions_of_the_runtime()
    {
        var trace = Write();

        Assert.Equal((1.0, 1.0, 2.0, 1.0, 0.0), Causes([trace, .. Symbols()]));
        Assert.Equal((0.0, 0.0, 0.0, 0.0, 5.0), Causes([trace]));

        static (double, double, double, double, double) Causes(string[] arguments)
        {
            var row = Json("causes", arguments).GetProperty("rows")[0];
            return (
                row.GetProperty("gcAllocationMs").GetDouble(),
                row.GetProperty("gcCollectionMs").GetDouble(),
                row.GetProperty("gcSuspensionMs").GetDouble(),
                row.GetProperty("gcWriteBarrierMs").GetDouble(),
                row.GetProperty("helpersMs").GetDouble()
            );
        }
    }

    [Theory]
    [InlineData("cpu")]
    [InlineData("causes")]
    [InlineData("table")]
    [InlineData("runs")]
    [InlineData("waits")]
    public void Every_command_says_what_was_not_used(string command)
    {
        var trace = Write();
        var folder = Path.Combine(_folder.Path, "wrong");
        Directory.CreateDirectory(folder);
        File.WriteAllBytes(Path.Combine(folder, "ntdll.pdb"), Pdb(s_kernel, "Wrong"));

        Assert.Single(
            Hints(command, trace, "--symbols", folder),
            hint => hint.Contains("ntdll.pdb was not used: it has another GUID", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void A_trace_without_ids_uses_no_file()
    {
        var trace = Write(hasIds: false);

        Assert.DoesNotContain(Rows(trace, Symbols()), row => row.Contains("Nt", StringComparison.Ordinal));
        Assert.Contains(
            "the trace does not say which PDB files belong to them",
            Assert.Single(Hints("cpu", trace, Symbols())),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void An_image_loaded_where_another_one_was_has_its_own_file()
    {
        var path = Path.Combine(_folder.Path, "again.etl");
        var (first, second) = (new Guid("aaaaaaaa-2222-3333-4444-555555555555"), new Guid("bbbbbbbb-2222-3333-4444-555555555555"));
        using (var trace = Begin(path))
        {
            trace.ImageLoaded(5_000, App, Coreclr, 0x10000, @"\Device\HarddiskVolume1\first.dll");
            trace.ImageId(5_000, App, Coreclr, first, 1, "first.pdb");
            trace.BeginRun(App, Main, Marker, 1, "XmlSerializer", 10_000);
            trace.Sample(10_500, App, Main, Coreclr + 0x1000, Entry);
            trace.ImageUnloaded(11_000, App, Coreclr, 0x10000, @"\Device\HarddiskVolume1\first.dll");
            trace.ImageLoaded(11_100, App, Coreclr, 0x10000, @"\Device\HarddiskVolume1\second.dll");
            trace.ImageId(11_100, App, Coreclr, second, 1, "second.pdb");
            trace.Sample(11_500, App, Main, Coreclr + 0x1000, Entry);
            trace.EndRun(App, Main, Marker, 1, "XmlSerializer", 10_000, 12_000, 0);
        }

        File.WriteAllBytes(Path.Combine(_folder.Path, "first.pdb"), Pdb(first, "First"));
        File.WriteAllBytes(Path.Combine(_folder.Path, "second.pdb"), Pdb(second, "Second"));

        Assert.Equal(
            ["first.dll First 1/1", "second.dll Second 1/1"],
            Rows(path, "--symbols", _folder.Path)
                .Where(row => row.Contains("st ", StringComparison.Ordinal) || row.Contains("cond ", StringComparison.Ordinal))
        );
    }

    [Fact]
    public void A_folder_that_is_not_there_is_wrong_usage()
    {
        var (code, _, error) = Run("cpu", Write(), "--symbols", Path.Combine(_folder.Path, "nowhere"));

        Assert.Equal(2, code);
        Assert.Contains("where: --symbols ", error, StringComparison.Ordinal);
    }

    private static List<string> Rows(params string[] arguments) =>
        [
            .. Json("cpu", arguments)
                .GetProperty("rows")
                .EnumerateArray()
                .Select(row =>
                    $"{row.GetProperty("module").GetString()} {row.GetProperty("method").GetString()} {row.GetProperty("samples").GetInt64()}/{row.GetProperty("inclusiveSamples").GetInt64()}"
                )
                .Order(StringComparer.Ordinal),
        ];

    private static List<string> Hints(string command, params string[] arguments) =>
        [
            .. Json(command, arguments)
                .GetProperty("findings")
                .EnumerateArray()
                .Where(finding => finding.GetProperty("code").GetString() == "symbols")
                .Select(finding => finding.GetProperty("text").GetString()!),
        ];

    private static JsonElement Json(string command, string[] arguments)
    {
        var (code, output, error) = Run([command, .. arguments, "--format", "json"]);
        Assert.True(code == 0, error);
        return JsonDocument.Parse(output).RootElement;
    }

    private static byte[] Pdb(Guid guid, params string[] functions)
    {
        var pdb = new SyntheticPdb(guid).Section(0x1000, 0x1000);
        for (var i = 0; i < functions.Length; i++)
            pdb.Public(1, 0x100 * i, functions[i]);
        return pdb.Build();
    }

    private static SyntheticEtl Begin(string path)
    {
        var trace = new SyntheticEtl(path);
        trace.SampleInterval(1);
        trace.Process(App, "esp-workload.exe");
        trace.Thread(Main, App);
        trace.Thread(Marker, App);
        trace.Module(100, App, Main, 1, @"C:\suite\esp-workload.dll");
        trace.Method(200, App, Main, 1, Entry, 0x100, "EtwSerializerProfiler.Workload.Serializers.XmlText", "Serialize");
        return trace;
    }

    /// <summary>The PDB files: one in the test data, one in a folder, one in the layout of a symbol server.</summary>
    private string[] Symbols()
    {
        var server = Path.Combine(_folder.Path, "ntkrnlmp.pdb", $"{s_kernel:N}1".ToUpperInvariant());
        Directory.CreateDirectory(server);
        File.WriteAllBytes(Path.Combine(server, "ntkrnlmp.pdb"), Pdb(s_kernel, "KiSystemCall64", "?KeWaitForSingleObject@@YAJPEAX@Z"));
        File.WriteAllBytes(Path.Combine(_folder.Path, "ntdll.pdb"), Pdb(s_ntdll, "RtlUserThreadStart", "NtWaitForSingleObject"));
        return ["--symbols", TestFiles.Data("pdb"), "--symbols", _folder.Path];
    }

    private static List<string> Rows(string trace, string[] symbols) => Rows([trace, .. symbols]);

    private static List<string> Hints(string command, string trace, string[] symbols) => Hints(command, [trace, .. symbols]);

    private string Write(bool hasIds = true)
    {
        var path = Path.Combine(_folder.Path, hasIds ? "suite.etl" : "plain.etl");
        using var trace = Begin(path);
        trace.Image(0, Kernel, 0x10_0000, @"\SystemRoot\system32\ntoskrnl.exe");
        trace.Image(App, Coreclr, 0x1_0000, @"\Device\HarddiskVolume1\dotnet\coreclr.dll");
        trace.Image(App, Ntdll, 0x10_0000, @"\Windows\System32\ntdll.dll");
        if (hasIds)
        {
            trace.ImageId(0, 0, Kernel, s_kernel, 1, "ntkrnlmp.pdb");
            trace.ImageId(0, App, Coreclr, s_native, 1, @"D:\a\native.pdb");
            trace.ImageId(0, App, Ntdll, s_ntdll, 1, "ntdll.pdb");
        }

        trace.BeginRun(App, Main, Marker, 1, "XmlSerializer", 10_000);
        trace.Sample(10_100, App, Main, New + 4, Entry + 0x10, Ntdll + 0x1010);
        trace.Sample(10_200, App, Main, MarkObject + 4, Entry + 0x10, Ntdll + 0x1010);
        trace.Sample(10_300, App, Main, Suspend + 4, Entry + 0x10, Ntdll + 0x1010);
        trace.Sample(10_400, App, Main, WriteBarrier, Entry + 0x10, Ntdll + 0x1010);
        trace.Sample(10_500, App, Main, Ntdll + 0x1104, Entry + 0x10, Ntdll + 0x1010);
        trace.Sample(10_600, App, Main, Kernel + 0x1104, Suspend + 8, Entry + 0x10, Ntdll + 0x1010);
        trace.EndRun(App, Main, Marker, 1, "XmlSerializer", 10_000, 12_000, 0);
        return path;
    }
}
