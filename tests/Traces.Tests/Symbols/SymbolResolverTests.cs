using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Traces.Tests.Symbols;

public sealed class SymbolResolverTests : IDisposable
{
    private const int Process = 42;
    private const ulong KernelStart = 0xffffffff81000000;
    private static readonly DateTime s_start = new(2026, 11, 21, 12, 0, 0, DateTimeKind.Utc);

    private readonly TempFolder _folder = new();
    private readonly ManagedCodeMap _methods = new();
    private readonly ProcessLayout _layout = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_method_has_module_namespace_and_full_name()
    {
        _methods.Hear(new ModuleLoaded(At(1), 7, "/usr/share/dotnet/System.Collections.dll"));
        Method(10, 0x1000, "System.Collections.Generic.SortedSet`1+Node[System.Int32]", "Split4Node");
        Method(10, 0x2000, "Program", "Main", id: 2);
        Method(10, 0x3000, "dynamicClass", "IL_STUB_PInvoke", id: 3);
        var resolver = Resolver();

        Assert.Equal(
            new CodeSymbol(
                CodeKind.Managed,
                "System.Collections.dll",
                "System.Collections.Generic",
                "System.Collections.Generic.SortedSet`1+Node[System.Int32].Split4Node",
                true,
                1,
                CodeTier.Tier1
            )
            {
                TypeName = "System.Collections.Generic.SortedSet`1+Node[System.Int32]",
            },
            Resolve(resolver, 0x1004, 10)
        );
        Assert.Equal(("", "Program.Main"), (Resolve(resolver, 0x2000, 10).Namespace, Resolve(resolver, 0x2000, 10).Name));
        Assert.Equal(
            ("[dynamic]", "dynamicClass.IL_STUB_PInvoke"),
            (Resolve(resolver, 0x3000, 10).Module, Resolve(resolver, 0x3000, 10).Name)
        );
    }

    [Fact]
    public void Libraries_of_Windows_are_native_unless_the_runtime_loaded_them()
    {
        _methods.Hear(new ModuleLoaded(At(1), 7, @"C:\app\Managed.dll"));
        Map(1, 0x7000_0000, @"\Device\HarddiskVolume3\Windows\System32\clr.dll", 0, "");
        Map(1, 0x7100_0000, @"\Device\HarddiskVolume3\app\managed.dll", 0, "");
        Map(1, 0x7200_0000, @"\Device\HarddiskVolume3\Windows\assembly\mscorlib.ni.dll", 0, "");
        var files = Files();
        var resolver = Resolver(files);

        Assert.Equal(
            [("clr.dll", CodeKind.Native), ("managed.dll", CodeKind.Managed), ("mscorlib.ni.dll", CodeKind.Managed)],
            new ulong[] { 0x7000_0010, 0x7100_0010, 0x7200_0010 }
                .Select(address => Resolve(resolver, address, 5))
                .Select(symbol => (symbol.Module, symbol.Kind))
        );
        Assert.Empty(files.Problems);
    }

    [Fact]
    public void A_cached_answer_is_not_given_for_another_time()
    {
        Method(10, 0x1000, "Type", "A");
        Method(20, 0x1000, "Type", "B", id: 2);
        var resolver = Resolver();

        Assert.Equal(["Type.A", "Type.B", "Type.A"], new long[] { 15, 25, 15 }.Select(time => Resolve(resolver, 0x1000, time).Name));
    }

    [Fact]
    public void A_library_is_named_by_the_file_that_was_recorded()
    {
        var path = _folder.Write("libx.so", ElfBytes.Make(("function", 0x401000, 0x10, 2)));
        Map(1, 0x7000_0000, path, 0x1000, ElfBytes.BuildId);
        var files = Files();
        var resolver = Resolver(files);

        Assert.Equal(
            new CodeSymbol(CodeKind.Native, "libx.so", "", "function", true, 0, CodeTier.Unknown),
            Resolve(resolver, 0x7000_0008, 5)
        );
        Assert.Equal(("libx.so+0x1100", false), (Resolve(resolver, 0x7000_0100, 5).Name, Resolve(resolver, 0x7000_0100, 5).IsNamed));
        Assert.Empty(files.Problems);
    }

    [Fact]
    public void A_library_that_was_replaced_since_names_nothing_and_says_so()
    {
        var path = _folder.Write("libx.so", ElfBytes.Make(("function", 0x401000, 0x10, 2)));
        Map(1, 0x7000_0000, path, 0x1000, "ffff");
        var files = Files();

        Assert.Equal("libx.so+0x1008", Resolve(Resolver(files), 0x7000_0008, 5).Name);
        Assert.Contains("the file changed", Assert.Single(files.Problems), StringComparison.Ordinal);
    }

    [Fact]
    public void Without_a_build_id_files_count_on_the_recorded_machine_only_unless_written_since()
    {
        var path = _folder.Write("libx.so", ElfBytes.Make(("function", 0x401000, 0x10, 2)));
        File.SetLastWriteTimeUtc(path, s_start.AddDays(1));
        Map(1, 0x7000_0000, path, 0x1000, "");

        Assert.False(Resolve(Resolver(Files()), 0x7000_0008, 5).IsNamed);
        File.SetLastWriteTimeUtc(path, s_start);
        Assert.True(Resolve(Resolver(Files()), 0x7000_0008, 5).IsNamed);
        Assert.False(Resolve(Resolver(Files("elsewhere")), 0x7000_0008, 5).IsNamed);
    }

    [Fact]
    public void A_mapping_over_another_and_a_new_program_take_effect_in_time()
    {
        Map(1, 0x7000_0000, "/lib/a.so", 0, "");
        Map(10, 0x7000_0000, "/lib/b.so", 0, "");
        _layout.Hear(new ProgramReplaced(At(20)));
        Map(30, 0x7000_0000, "/lib/c.so", 0, "");
        var resolver = Resolver(Files("elsewhere"));

        Assert.Equal(
            ["a.so", "b.so", "[unknown]", "c.so"],
            new long[] { 5, 15, 25, 35 }.Select(time => Resolve(resolver, 0x7000_0010, time).Module)
        );
    }

    [Fact]
    public void Code_of_the_runtime_that_no_event_names_is_managed_and_unnamed()
    {
        Map(1, 0x7000_0000, "/memfd:doublemapper (deleted)", 0, "");
        Map(1, 0x7100_0000, "/usr/share/System.Text.Json.dll", 0, "");
        var resolver = Resolver();

        var heap = Resolve(resolver, 0x7000_0010, 5);
        var assembly = Resolve(resolver, 0x7100_0010, 5);
        Assert.Equal((CodeKind.Managed, "[code heap]", false), (heap.Kind, heap.Module, heap.IsNamed));
        Assert.Equal((CodeKind.Managed, "System.Text.Json.dll+0x10", false), (assembly.Kind, assembly.Name, assembly.IsNamed));
    }

    [Fact]
    public void The_kernel_is_named_on_the_recorded_machine_since_the_same_boot()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the kernel of Linux");
        Kernel(KernelStart, Environment.MachineName);
        var symbol = Resolve(Resolver(), KernelStart + 0x104, 5, kernel: true);
        Assert.Equal(("[kernel]", "do_something", true), (symbol.Module, symbol.Name, symbol.IsNamed));
        Assert.Equal(
            ("[ext4]", "ext4_write"),
            (
                Resolve(Resolver(), KernelStart + 0x20_0000, 5, kernel: true).Module,
                Resolve(Resolver(), KernelStart + 0x20_0000, 5, kernel: true).Name
            )
        );
    }

    /// <summary>arm64's table begins with _stext: earlier code runs only while booting.</summary>
    [Fact]
    public void The_kernels_code_begins_at_stext_where_no_text_is_listed()
    {
        Kernel(KernelStart, Environment.MachineName);
        _folder.Write("kallsyms", $"{KernelStart:x16} T _stext\n{KernelStart + 0x100:x16} T do_something\n");

        Assert.Equal("do_something", Resolve(Resolver(), KernelStart + 0x104, 5, kernel: true).Name);
    }

    [Theory]
    [InlineData(KernelStart + 0x1000, null, null, "rebooted")]
    [InlineData(KernelStart, null, "2.6.32", "changed its kernel")]
    [InlineData(KernelStart, null, "", "does not name")]
    [InlineData(KernelStart, "elsewhere", null, "only on the recorded machine")]
    public void The_kernel_of_another_boot_or_machine_names_nothing(ulong start, string? host, string? release, string problem)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the kernel of Linux");
        Kernel(start, host ?? Environment.MachineName, release);
        var files = Files();
        var symbol = Resolve(Resolver(files), start + 0x104, 5, kernel: true);

        Assert.Equal((CodeKind.Kernel, "[kernel]+0x104", false), (symbol.Kind, symbol.Name, symbol.IsNamed));
        Assert.Contains(problem, Assert.Single(files.Problems), StringComparison.Ordinal);
    }

    /// <summary>
    /// Its addresses change with each boot, so a recording keeps the functions that were found. What was not found then stays unnamed.
    /// </summary>
    [Theory]
    [InlineData("elsewhere")]
    [InlineData(null)] // rebooted
    public void The_kernels_functions_that_a_recording_keeps_are_named_elsewhere(string? host)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "the kernel of Linux");
        Kernel(KernelStart, Environment.MachineName);
        var recording = Directory.CreateDirectory(Path.Combine(_folder.Path, "r")).FullName;
        var home = Files(recording: recording);
        ulong[] addresses = [KernelStart + 0x104, KernelStart + 0x20_0000];
        var names = Names(home, addresses);
        Assert.Empty(home.Keep(KeptFiles.Symbols));

        Kernel(host is null ? KernelStart + 0x1000 : KernelStart, host ?? Environment.MachineName);
        _folder.Write("kallsyms", $"{KernelStart:x16} T _text\n{KernelStart + 0x100:x16} T something_else\n");
        var away = Files(recording: recording);
        Assert.Equal(names, Names(away, addresses));
        Assert.Equal(["[kernel] do_something", "[ext4] ext4_write"], names);
        Assert.False(Resolve(Resolver(away), KernelStart + 4, 5, kernel: true).IsNamed);
        Assert.Empty(away.Problems);
        Assert.Empty(away.Keep(KeptFiles.Symbols)); // what is kept already stays

        foreach (var damaged in (string[])["nonsense", "ffff 8", "8 ffff ", "ffff 8 name", "8 ffff name\n\n"])
        {
            File.WriteAllText(Path.Combine(recording, "program", "kernel.functions"), damaged);
            var files = Files(recording: recording);
            Assert.False(Resolve(Resolver(files), addresses[0], 5, kernel: true).IsNamed);
            Assert.Contains("kernel.functions at offset", Assert.Single(files.Problems), StringComparison.Ordinal);
        }

        string[] Names(SymbolFiles files, ulong[] addresses) =>
            [
                .. addresses
                    .Select(address => Resolve(Resolver(files), address, 5, kernel: true))
                    .Select(symbol => $"{symbol.Module} {symbol.Name}"),
            ];
    }

    [Fact]
    public void A_perf_map_of_the_recordings_time_names_what_no_event_does()
    {
        var map = _folder.Write($"perf-{Process}.map", "7f00 20 first method\n0x8000 10 Mono:Method\nnonsense\n9000 zz bad\n");
        File.SetLastWriteTimeUtc(map, s_start.AddSeconds(1));
        Assert.Equal(("first method", true), (Resolve(Resolver(), 0x7f1f, 5).Name, Resolve(Resolver(), 0x7f1f, 5).IsNamed));
        Assert.Equal("Mono:Method", Resolve(Resolver(), 0x8000, 5).Name);
        Assert.Equal(CodeKind.Unknown, Resolve(Resolver(), 0x9000, 5).Kind);

        // The process id was reused since.
        File.SetLastWriteTimeUtc(map, s_start.AddDays(1));
        Assert.Equal(CodeKind.Unknown, Resolve(Resolver(), 0x7f1f, 5).Kind);
    }

    [Fact]
    public void Asking_again_allocates_nothing()
    {
        for (var i = 0; i < 1000; i++)
            Method(10, (ulong)(0x1000 + i * 0x100), "Type", $"M{i}", id: i);
        var resolver = Resolver();
        Sweep();
        var before = GC.GetAllocatedBytesForCurrentThread();
        Sweep();
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 20_000); // what the runtime allocates once for itself

        void Sweep()
        {
            for (var i = 0; i < 1000; i++)
                resolver.Resolve((ulong)(0x1000 + i * 0x100), 20 + i, isKernel: false);
        }
    }

    private static EventAt At(long time) => new(time, Process, 1);

    private void Method(long time, ulong start, string type, string name, long id = 1) =>
        _methods.Hear(new MethodCode(At(time), id, 7, start, 0x100, CodeTier.Tier1, false, type, name, "void ()"));

    private void Map(long time, ulong start, string path, ulong offset, string buildId) =>
        _layout.Hear(new FileMapping(At(time), start, 0x1000, offset, path, buildId));

    private void Kernel(ulong start, string host, string? release = null)
    {
        _folder.Write(
            "kallsyms",
            $"{KernelStart:x16} T _text\n{KernelStart + 0x100:x16} t do_something\n{KernelStart + 0x180:x16} D some_data\n{KernelStart + 0x20_0000:x16} t ext4_write\t[ext4]\n"
        );
        _layout.Hear(new KernelMapping(start, 0x100_0000, host, release ?? File.ReadAllText("/proc/sys/kernel/osrelease").Trim()));
    }

    private SymbolFiles Files(string? machine = null, string recording = "") =>
        new(
            machine ?? Environment.MachineName,
            s_start,
            TimeSpan.FromSeconds(10),
            Path.Combine(_folder.Path, "kallsyms"),
            _folder.Path,
            recordingFolder: recording
        );

    private SymbolResolver Resolver(SymbolFiles? files = null) => new(Process, _methods, _layout, files ?? Files());

    private static CodeSymbol Resolve(SymbolResolver resolver, ulong address, long time, bool kernel = false) =>
        resolver.Symbols[resolver.Resolve(address, time, kernel)];
}
