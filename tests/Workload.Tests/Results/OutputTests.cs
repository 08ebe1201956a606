using System.Globalization;
using System.Text.Json;
using CsvHelper;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Workload.Data;
using EtwSerializerProfiler.Workload.Results;
using EtwSerializerProfiler.Workload.Serializers;
using EtwSerializerProfiler.Workload.Tests.Commands;

namespace EtwSerializerProfiler.Workload.Tests.Results;

/// <summary>The files that the suite writes, by the real executable.</summary>
public sealed class OutputTests : IDisposable
{
    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    [Trait(TestKind.Trait, TestKind.Records)]
    public void A_row_a_series_agrees_with_the_runs_and_is_appended_under_one_header()
    {
        string series = InFolder("series.csv"),
            runs = InFolder("runs.csv");
        var (exitCode, output, error) = WorkloadProcess.Run(
            "-serializer",
            "#DataContract,#Google.Protobuf",
            "-n",
            "2,30",
            "-runs",
            "3",
            "-threads",
            "1,2",
            "-payload",
            "4",
            "-seed",
            "7",
            "-out",
            series,
            "-csv",
            runs
        );
        Assert.True(exitCode == 0, error);
        Assert.Equal(
            0,
            WorkloadProcess
                .Run(
                    "-serializer",
                    "#SystemTextJson",
                    "-n",
                    "2",
                    "-runs",
                    "2",
                    "-test",
                    "combined,firstcall",
                    "-seed",
                    "none",
                    "-OUT",
                    series
                )
                .ExitCode
        );

        var rows = Read(series, SeriesCsv.Columns);
        Assert.Equal(16 + 5, rows.Count);
        Assert.Equal(SeriesCsv.Columns, File.ReadLines(series).First().Split(','));
        var measured = Read(runs, RunCsv.Columns).Where(run => run["kind"] == "Measured").ToList();
        foreach (var row in rows.Take(16))
        {
            var own = measured
                .Where(run =>
                    (run["serializer"], run["operation"], run["objects"], run["threads"])
                    == (row["Serializer"], row["operation"], row["Objects"], row["threads"])
                )
                .ToList();
            var times = own.Select(run => (Number(run["stop_ticks"]) - Number(run["start_ticks"])) / Number(run["ticks_per_second"]))
                .Order()
                .ToList();
            Assert.Equal(3, own.Count);
            Assert.Equal(times.Average(), Number(row["Time in s"]), 1e-8);
            Assert.Equal(
                [times[1] * 1000, times[0] * 1000, times[2] * 1000],
                [Number(row["median_ms"]), Number(row["min_ms"]), Number(row["max_ms"])],
                (expected, actual) => Math.Abs(expected - actual) < 1e-8
            );
            Assert.Equal(Math.Round(own.Average(run => Number(run["allocated_bytes"]))), Number(row["allocated_bytes_per_run"]));
            Assert.Equal(own.Sum(run => Number(run["gen0"])), Number(row["gen0"]));
            Assert.All(
                own,
                run =>
                    Assert.Equal(
                        (run["data_bytes"], run["library"], run["library_version"], run["runtime"]),
                        (row["Size in bytes"], row["library"], row["library_version"], row["Framework"])
                    )
            );
            Assert.Equal(("Measured", "4", "3", "7", ""), (row["kind"], row["payload_bytes"], row["runs"], row["seed"], row["error"]));
            Assert.Contains("-serializer #DataContract,#Google.Protobuf -n 2,30", row["CommandLine"], StringComparison.Ordinal);
            Assert.Matches(@"^\d+\.\d+", row["FileVersion"]);
        }

        Assert.Equal(
            ["Combined", "StartRuntime", "Construct", "FirstSerialize", "FirstDeserialize"],
            rows.Skip(16).Select(row => row["operation"])
        );
        Assert.All(rows.Skip(16), row => Assert.Equal(("2", "0", true), (row["runs"], row["seed"], Number(row["median_ms"]) > 0)));
        Assert.All(rows.Skip(17), row => Assert.Equal(("FirstCall", true), (row["kind"], Number(row["allocated_bytes_per_run"]) > 0)));
        Assert.Equal("", rows[17]["Size in bytes"]);
        Assert.Contains("order of serializers by -seed 7", output, StringComparison.Ordinal);
    }

    [Fact]
    [Trait(TestKind.Trait, TestKind.Records)]
    public void No_header_means_none_also_in_a_new_file()
    {
        var series = InFolder("series.csv");
        Assert.Equal(
            0,
            WorkloadProcess
                .Run("-serializer", "#SystemTextJson", "-test", "serialize", "-n", "2", "-runs", "1", "-out", series, "-NoHeader")
                .ExitCode
        );
        Assert.StartsWith("SystemTextJson,2,", Assert.Single(File.ReadAllLines(series)), StringComparison.Ordinal);
    }

    [Fact]
    [Trait(TestKind.Trait, TestKind.Records)]
    public void Kept_data_is_what_was_measured_and_replaces_what_was_there()
    {
        var keep = InFolder("kept/data");
        Directory.CreateDirectory(keep);
        File.WriteAllText(Path.Combine(keep, "XmlSerializer-3-5.txt"), "old");
        File.WriteAllText(Path.Combine(keep, "other.txt"), "stays");
        var runs = InFolder("runs.csv");
        var (exitCode, output, error) = WorkloadProcess.Run(
            "-serializer",
            "xml,protobuf",
            "-test",
            "serialize,firstcall",
            "-n",
            "3,20",
            "-runs",
            "1",
            "-payload",
            "5",
            "-keep",
            keep,
            "-csv",
            runs
        );

        Assert.True(exitCode == 0, error);
        Assert.Contains($"serialized data kept in {keep}: 6 files", output, StringComparison.Ordinal);
        Assert.Equal(
            [
                "DataContractBinaryXml-20-5.bin",
                "DataContractBinaryXml-3-5.bin",
                "Google.Protobuf-20-5.bin",
                "Google.Protobuf-3-5.bin",
                "XmlSerializer-20-5.txt",
                "XmlSerializer-3-5.txt",
                "other.txt",
            ],
            Directory.GetFiles(keep).Select(Path.GetFileName).Order(StringComparer.Ordinal)
        );
        foreach (var run in Read(runs, RunCsv.Columns).Where(run => run["kind"] == "Measured"))
            Assert.Equal(
                Number(run["data_bytes"]),
                Directory.GetFiles(keep, $"{run["serializer"]}-{run["objects"]}-5.*").Select(file => new FileInfo(file).Length).Single()
            );
        Assert.Contains("<Title>Book 3</Title>", File.ReadAllText(Path.Combine(keep, "XmlSerializer-3-5.txt")), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("A b/c:d*é", 7, 0, "A_b_c_d_é-7.txt")]
    [InlineData("x.Y-z+1", 1000000, 9, "x.Y-z+1-1000000-9.txt")]
    public void Names_of_kept_files_are_safe(string name, int objects, int payload, string expected) =>
        Assert.Equal(
            expected,
            KeptData.FileName(
                new SerializerDescription(name, DataFormat.Text, () => GetType().Assembly, () => new BookShelfModel(), _ => null!),
                objects,
                payload
            )
        );

    [Theory]
    [InlineData("-out", "/does/not/exist/series.csv")]
    [InlineData("-keep", "/dev/null/folder")]
    [Trait(TestKind.Trait, TestKind.Records)]
    public void What_cannot_be_written_is_an_error_before_anything_runs(string option, string path)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "the paths are those of a Unix");
        var (exitCode, output, error) = WorkloadProcess.Run(option, path);

        Assert.Equal((2, ""), (exitCode, output));
        Assert.Single(error.Split('\n', StringSplitOptions.RemoveEmptyEntries));
    }

    [Fact]
    [Trait(TestKind.Trait, TestKind.Records)]
    public void The_environment_lies_beside_the_runs_and_stands_above_the_results()
    {
        var (exitCode, output, error) = WorkloadProcess.Run(
            "-serializer",
            "#SystemTextJson,#Newtonsoft.Json",
            "-n",
            "1",
            "-runs",
            "1",
            "-test",
            "serialize",
            "-csv",
            InFolder("runs.csv")
        );
        Assert.True(exitCode == 0, error);

        using var file = JsonDocument.Parse(File.ReadAllText(InFolder("environment.json")));
        var fields = file.RootElement;
        Assert.Equal(output.Split('\n').Take(2), fields.GetProperty("lines").EnumerateArray().Select(line => line.GetString()));
        Assert.Equal(Environment.ProcessorCount, fields.GetProperty("processors").GetInt32());
        Assert.Equal($"net{Environment.Version.Major}.{Environment.Version.Minor}", fields.GetProperty("runtimeLabel").GetString());
        Assert.Equal(["System.Text.Json"], Names("precompiledLibraries"));
        Assert.Equal(["Newtonsoft.Json"], Names("jitLibraries"));
        Assert.Equal((true, true, true, false), (Flag("tieredCompilation"), Flag("tieredPgo"), Flag("concurrentGc"), Flag("serverGc")));
        Assert.Equal("by the JIT", fields.GetProperty("compilation").GetString());
        Assert.InRange(fields.GetProperty("seed").GetInt32(), 1, 1_000_000);
        Assert.Contains($"-seed {fields.GetProperty("seed").GetInt32()}", output, StringComparison.Ordinal);

        List<string?> Names(string name) => [.. fields.GetProperty(name).EnumerateArray().Select(item => item.GetString())];
        bool Flag(string name) => fields.GetProperty(name).GetBoolean();
    }

    [Fact]
    public void Every_column_and_field_is_in_the_document()
    {
        var document = File.ReadAllText(Path.Combine(TestFiles.Root, "docs/metrics.md"));
        Assert.All(SeriesCsv.Columns, column => Assert.Contains($"`{column}`", document, StringComparison.Ordinal));

        var path = InFolder("environment.json");
        Workload.Checks.SuiteEnvironment.Read(SerializerRegistry.All, seed: 1).Write(path);
        using var file = JsonDocument.Parse(File.ReadAllText(path));
        Assert.All(
            file.RootElement.EnumerateObject().Where(field => field.Name != "schema"),
            field => Assert.Contains($"`{field.Name}`", document, StringComparison.Ordinal)
        );
    }

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);

    private string InFolder(string name) => Path.Combine(_folder.Path, name);

    private static List<Dictionary<string, string>> Read(string path, IReadOnlyList<string> columns)
    {
        using var reader = CsvReader.FromFile(path, CsvReaderOptions.Default);
        var rows = new List<Dictionary<string, string>>();
        while (reader.Read())
            rows.Add(columns.ToDictionary(column => column, reader.GetString));
        return rows;
    }
}
