using System.Diagnostics;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Tests.Runs;

public sealed class ProcessFootprintTests
{
    [Fact]
    public void The_peak_holds_memory_that_was_used_before()
    {
        const int Bytes = 64 << 20;
        Array.Fill<byte>(GC.AllocateUninitializedArray<byte>(Bytes), 1); // resident once it is written

        Assert.True(ProcessFootprint.PeakWorkingSetBytes() > Bytes);
        using var self = Process.GetCurrentProcess();
        Assert.True(ProcessFootprint.PeakWorkingSetBytes() >= self.PeakWorkingSet64 / 2);
    }

    [Theory]
    [InlineData("VmHWM:\t  104896 kB", 104_896L * 1024)]
    [InlineData("VmRSS:\t  104896 kB", null)]
    [InlineData("VmHWM:\t  104896 MB", null)]
    [InlineData("VmHWM:\t  many kB", null)]
    [InlineData("VmHWM:", null)]
    public void Reads_the_kernels_status(string line, long? bytes) =>
        Assert.Equal(bytes, ProcessFootprint.Parse(["Name:\tesp-workload", line]));

    [Fact]
    public void A_program_is_its_folder_without_debug_files_and_documentation()
    {
        using var folder = new TempFolder();
        folder.Write("program", "12345");
        folder.Write("program.dbg", "1234567890");
        folder.Write("library.PDB", "1234567890");
        folder.Write("library.xml", "1234567890");
        Directory.CreateDirectory(Path.Combine(folder.Path, "adapters"));
        folder.Write("adapters/library.dll", "123");

        Assert.Equal(8, ProcessFootprint.SizeOf(folder.Path));
        Assert.Equal(RunMeasurement.Unknown, ProcessFootprint.SizeOf(Path.Combine(folder.Path, "missing")));
    }
}
