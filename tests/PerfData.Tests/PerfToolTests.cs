using System.Diagnostics;
using System.Globalization;
using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Writing;

namespace EtwSerializerProfiler.PerfData.Tests;

/// <summary>Files of <c>perf record</c>, where that is installed: our reader counts the records that <c>perf script</c> prints.</summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class PerfToolTests
{
    [Fact]
    public void Samples_of_perf_record_are_counted_like_perf_script_counts_them()
    {
        using var file = Record("-e cpu-clock:u,page-faults:u -c 100000 -g");
        var printed =
            Run("perf", $"script -i {file.Path} -F event", out var listing) == 0
                ? listing
                    .Split('\n', StringSplitOptions.RemoveEmptyEntries)
                    .GroupBy(line => line.Trim().TrimEnd(':'))
                    .ToDictionary(group => group.Key, group => group.LongCount())
                : [];

        using var reader = PerfDataReader.Open(file.Path);
        var counted = new Dictionary<string, long>();
        var frames = 0L;
        var last = 0L;
        while (reader.TryRead(out var record))
        {
            if (record.Time != 0)
            {
                Assert.True(record.Time >= last);
                last = record.Time;
            }

            if (record.Type != PerfRecordType.Sample)
                continue;
            Assert.True(record.TryReadSample(out var sample));
            counted[sample.Event.Name] = counted.GetValueOrDefault(sample.Event.Name) + 1;
            frames += sample.CallChain.Length;
        }

        Assert.Equal(printed, counted);
        Assert.True(counted["cpu-clock:u"] > 50, $"{counted["cpu-clock:u"]} samples");
        Assert.True(frames > counted.Values.Sum());
        Assert.Null(reader.Damage);
        Assert.NotEqual("", reader.Features.HostName);
    }

    [Fact]
    public void A_compressed_file_of_perf_record_has_the_samples_of_perf_script()
    {
        using var file = Record("-z -e cpu-clock:u -c 100000 -g");
        using var reader = PerfDataReader.Open(file.Path);
        var times = new List<long>();
        while (reader.TryRead(out var record))
        {
            if (record.Type == PerfRecordType.Sample)
                times.Add(record.Time / 1000);
        }

        Assert.Null(reader.Damage);
        Assert.True(times.Count > 50, $"{times.Count} samples");

        var exit = Run("perf", $"script -i {file.Path} -F time,event", out var listing);
        Assert.SkipWhen(exit == 128 + 6, "perf script aborted on the file of perf record");
        Assert.Equal(0, exit);
        Assert.Equal(
            listing
                .Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Where(line => line.Contains("cpu-clock", StringComparison.Ordinal))
                .Select(line => long.Parse(line.Split(':')[0].Replace(".", "", StringComparison.Ordinal), CultureInfo.InvariantCulture)),
            times
        );
    }

    [Fact]
    public void Build_ids_that_perf_record_wrote_are_read_as_perf_lists_them()
    {
        using var file = Record("-e cpu-clock:u -c 100000");
        var expected = BuildIds(file.Path);

        using var reader = PerfDataReader.Open(file.Path);
        Assert.NotEmpty(expected);
        Assert.Equal(expected, reader.Features.BuildIds.Select(pair => $"{pair.Value} {pair.Key}").Order());
    }

    [Fact]
    public void Build_ids_that_we_write_are_listed_by_perf()
    {
        Assert.SkipUnless(File.Exists("/usr/bin/perf"), "perf is not installed");
        using var file = new TemporaryFile();
        var mapping = HandMade.Everything()[2];
        mapping[40] = 20; // a build id of full length: perf prints it so
        for (var at = 44; at < 64; at++)
            mapping[at] = (byte)at;
        using (
            var writer = new PerfDataWriter(
                file.Path,
                [
                    new PerfEvent(
                        "cpu-clock",
                        new PerfEventSettings
                        {
                            Kind = PerfEventKind.Software,
                            SampleFields = PerfSampleFields.Ip | PerfSampleFields.Tid | PerfSampleFields.Time,
                        },
                        [1]
                    ),
                ],
                new PerfDataFeatures(),
                default,
                64 << 10
            )
        )
        {
            writer.BuildIds.Add(mapping);
            writer.WriteFinishedRound();
        }

        Assert.Equal(["2c2d2e2f303132333435363738393a3b3c3d3e3f /lib/libc.so.6"], BuildIds(file.Path));
    }

    private static IEnumerable<string> BuildIds(string path)
    {
        Assert.Equal(0, Run("perf", $"buildid-list -i {path}", out var listing));
        return listing.Split('\n', StringSplitOptions.RemoveEmptyEntries).Order();
    }

    private static TemporaryFile Record(string options)
    {
        var file = new TemporaryFile();
        int? exit = null;
        try
        {
            exit = Run("perf", $"record {options} -o {file.Path} -- sh -c \"i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done\"", out _);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            // Not installed.
        }

        if (exit != 0)
            file.Dispose();
        Assert.SkipUnless(
            exit == 0,
            exit is null
                ? "perf is not installed"
                : string.Create(CultureInfo.InvariantCulture, $"perf record ended with {exit}: not permitted here")
        );
        return file;
    }

    internal static int Run(string program, string arguments, out string output)
    {
        using var process = Process.Start(
            new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true }
        )!;
        var errors = process.StandardError.ReadToEndAsync();
        output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        errors.Wait();
        return process.ExitCode;
    }
}
