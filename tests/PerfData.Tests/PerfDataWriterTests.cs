using EtwSerializerProfiler.Traces.PerfData;
using EtwSerializerProfiler.Traces.PerfData.Tracepoints;
using EtwSerializerProfiler.Traces.PerfData.Writing;

namespace EtwSerializerProfiler.PerfData.Tests;

/// <summary>The writer, read back by the reader and checked against the layout of the header.</summary>
public sealed class PerfDataWriterTests
{
    internal static PerfDataFeatures Features { get; } =
        new()
        {
            HostName = "machine",
            KernelRelease = "6.18.0",
            ToolVersion = "0.1.0",
            Architecture = "x86_64",
            ProcessorModel = "Some CPU @ 3 GHz",
            ProcessorsPresent = 4,
            ProcessorsOnline = 3,
            MemoryBytes = 1 << 30,
            CommandLine = ["esp-record", "--", "program with blanks", new string('x', 200)],
            Clock = new PerfClockData(1, 1_700_000_000_000_000_000, 123),
        };

    [Fact]
    public void What_is_written_is_read()
    {
        using var file = new TemporaryFile();
        var events = Events();
        using (
            var writer = new PerfDataWriter(
                file.Path,
                events,
                Features,
                TracingData.Write("page", "event", [("sched", HandMade.SwitchFormat)]),
                64 << 10
            )
        )
        {
            writer.FirstTime = 1;
            writer.LastTime = 11;
            foreach (var record in HandMade.Everything())
                writer.Write(record);
        }

        using var reader = PerfDataReader.Open(file.Path);
        Assert.Equal(["cpu-clock:u", "sched:sched_switch"], reader.Events.Select(item => item.Name));
        Assert.Equal(events.Select(item => item.Settings), reader.Events.Select(item => item.Settings));
        Assert.Equal(
            [
                [100, 101],
                [200],
            ],
            reader.Events.Select(item => item.Ids)
        );
        Assert.Null(reader.Events[0].Format);
        Assert.NotNull(SchedSwitchLayout.Create(reader.Events[1]));
        Assert.Equivalent(Features with { FirstTime = 1, LastTime = 11 }, reader.Features, strict: true);
        Assert.Empty(reader.Warnings);
        foreach (var expected in HandMade.Everything())
        {
            Assert.True(reader.TryRead(out var record));
            Assert.Equal(expected, record.Bytes.ToArray());
        }

        Assert.False(reader.TryRead(out _));
        Assert.Null(reader.Damage);
    }

    [Fact]
    public void The_file_is_for_its_user_alone()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "modes are Unix's");
        using var file = new TemporaryFile();
        new PerfDataWriter(file.Path, Events(), Features, [], 64 << 10).Dispose();

        Assert.Equal(
            UnixFileMode.UserRead | UnixFileMode.UserWrite,
            OperatingSystem.IsWindows() ? default : File.GetUnixFileMode(file.Path)
        );
    }

    [Fact]
    public void Build_ids_of_mappings_are_in_the_header_once_a_file_after_every_flush()
    {
        using var file = new TemporaryFile();
        using var copy = new TemporaryFile();
        var mapping = HandMade.Everything()[2];
        var other = (byte[])mapping.Clone();
        other[44] ^= 0xff; // its build id
        other[72 + 5] = (byte)'X';
        using var writer = new PerfDataWriter(file.Path, Events(), Features, default, 64 << 10);
        foreach (var record in (byte[][])[.. HandMade.Everything(), mapping])
        {
            writer.BuildIds.Add(record);
            writer.Write(record);
        }

        writer.Flush();
        File.Copy(file.Path, copy.Path, overwrite: true);
        using (var first = PerfDataReader.Open(copy.Path))
            Assert.Equal([new("/lib/libc.so.6", "deadbeef")], first.Features.BuildIds);
        writer.BuildIds.Add(other);
        writer.Write(other);
        writer.Flush();
        using var second = PerfDataReader.Open(file.Path);
        Assert.Equal([new("/lib/libc.so.6", "deadbeef"), new("/lib/Xibc.so.6", "21adbeef")], second.Features.BuildIds);
        Assert.Empty(second.Warnings);
        Assert.Equal((0L, "machine"), (second.Features.LastTime, second.Features.HostName));
    }

    /// <summary>After each flush the file is one that a killed recorder leaves; a copy of it must read completely.</summary>
    [Fact]
    public void After_every_flush_the_file_is_complete()
    {
        using var file = new TemporaryFile();
        using var copy = new TemporaryFile();
        using var writer = new PerfDataWriter(file.Path, Events(), Features, default, 64 << 10);
        var written = 0;
        for (var flush = 0; flush < 20; flush++)
        {
            for (var index = 0; index < 50 * flush; index++)
                writer.Write(HandMade.CpuSample((ulong)++written, 7, 8, 0, 1, 2));
            writer.Flush();
            File.Copy(file.Path, copy.Path, overwrite: true);

            using var reader = PerfDataReader.Open(copy.Path);
            var read = 0;
            while (reader.TryRead(out var record))
                Assert.Equal(++read, record.Time);
            Assert.Equal(written, read);
            Assert.Null(reader.Damage);
            Assert.Equal("machine", reader.Features.HostName);
        }

        Assert.Equal(written * (long)HandMade.CpuSample(1, 7, 8, 0, 1, 2).Length, writer.DataBytes);
    }

    [Fact]
    public void Unflushed_records_are_missing_and_nothing_else()
    {
        using var file = new TemporaryFile();
        using var copy = new TemporaryFile();
        using var writer = new PerfDataWriter(file.Path, Events(), Features, default, 64 << 10);
        writer.Write(HandMade.CpuSample(1, 7, 8, 0));
        writer.Flush();
        writer.Write(HandMade.CpuSample(2, 7, 8, 0));
        File.Copy(file.Path, copy.Path);

        using var reader = PerfDataReader.Open(copy.Path);
        Assert.True(reader.TryRead(out var record));
        Assert.Equal(1, record.Time);
        Assert.False(reader.TryRead(out _));
        Assert.Null(reader.Damage);
    }

    [Fact]
    public void A_file_that_exists_is_not_overwritten()
    {
        using var file = new TemporaryFile("mine"u8.ToArray());

        Assert.Throws<IOException>(() => new PerfDataWriter(file.Path, Events(), Features, default, 64 << 10));
        Assert.Equal("mine", File.ReadAllText(file.Path));
    }

    [Fact]
    public void A_full_disk_leaves_the_records_of_the_last_flush()
    {
        var disk = Directory.CreateTempSubdirectory("esp-disk-").FullName;
        try
        {
            Assert.SkipUnless(
                OperatingSystem.IsLinux() && Run("mount", $"-t tmpfs -o size=256k tmpfs {disk}") == 0,
                "only root can mount a small disk"
            );
            var path = Path.Combine(disk, "perf.data");
            var record = HandMade.CpuSample(1, 7, 8, 0, 1, 2, 3);
            var flushed = 0L;
            using (var writer = new PerfDataWriter(path, Events(), Features, default, 64 << 10))
            {
                Assert.Throws<IOException>(
                    (Action)(
                        () =>
                        {
                            while (true)
                            {
                                for (var index = 0; index < 100; index++)
                                    writer.Write(record);
                                writer.Flush();
                                flushed += 100;
                            }
                        }
                    )
                );
                writer.Write(record);
            }

            using var reader = PerfDataReader.Open(path);
            var read = 0L;
            while (reader.TryRead(out _))
                read++;
            Assert.Equal(flushed, read);
            Assert.True(flushed > 0);
            Assert.Null(reader.Damage);
        }
        finally
        {
            _ = OperatingSystem.IsLinux() ? Run("umount", disk) : 0;
            Directory.Delete(disk, recursive: true);
        }

        static int Run(string program, string arguments)
        {
            using var process = System.Diagnostics.Process.Start(
                new System.Diagnostics.ProcessStartInfo(program, arguments) { RedirectStandardError = true }
            )!;
            process.WaitForExit();
            return process.ExitCode;
        }
    }

    [Fact]
    public void Settings_have_the_layout_of_the_kernel()
    {
        var settings = new PerfEventSettings
        {
            Kind = PerfEventKind.Tracepoint,
            Config = 372,
            SamplePeriod = 1,
            SampleFields = PerfSampleFields.Ip | PerfSampleFields.Identifier,
            ReadFormat = 16,
            Bits = PerfEventBits.Inherit | PerfEventBits.BuildId,
            WakeupWatermark = 0x100,
            BranchSampleType = 5,
            RegistersUser = 6,
            StackUserBytes = 7,
            ClockId = 1,
            MaxStack = 9,
        };
        var bytes = new byte[PerfEventSettings.Size];
        settings.Write(bytes);

        byte[] expected = new Bytes()
            .U32(2, 128)
            .U64(372, 1, 1 | 1 << 16, 16, 1UL << 1 | 1UL << 34)
            .U32(0x100, 0)
            .U64(0, 0, 5, 6)
            .U32(7, 1)
            .U64(0)
            .U32(0)
            .U16(9, 0)
            .U32(0, 0)
            .U64(0);
        Assert.Equal(expected, bytes);
        Assert.Equal(settings, PerfEventSettings.Read(bytes));
    }

    internal static PerfEvent[] Events() =>
        [
            new(
                "cpu-clock:u",
                PerfEventSettings.Read(HandMade.Attribute(1, 0, 1_000_000, HandMade.Common | HandMade.CallChain)),
                [100, 101]
            ),
            new("sched:sched_switch", PerfEventSettings.Read(HandMade.Attribute(2, 372, 1, HandMade.Common | HandMade.Raw)), [200]),
        ];
}
