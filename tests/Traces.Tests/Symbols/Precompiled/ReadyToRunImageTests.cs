using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Precompiled;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Precompiled;

/// <summary>
/// Reads the precompiled assemblies of the runtime that runs the tests. Sessions.Tests compares their names with those that the runtime
/// reports.
/// </summary>
public sealed class ReadyToRunImageTests : IDisposable
{
    private static readonly string s_folder = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
    private static readonly string s_small = Path.Combine(s_folder, "System.Threading.dll");

    /// <summary>The compiler replaces the IL of its methods by its own.</summary>
    private const string CompilersOwn = "System.Runtime.CompilerServices.Unsafe";

    private readonly TempFolder _temporary = new();

    public void Dispose() => _temporary.Dispose();

    /// <summary>The runtime maps the file: the code in its memory is the code that runs.</summary>
    [Fact]
    public void The_bytes_of_methods_are_those_that_run()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "reads /proc/self");
        var path = typeof(object).Assembly.Location;
        var image = ReadyToRunImage.Read(path, _ => null)!;
        var mapped = File.ReadLines("/proc/self/maps")
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(parts => parts.Length > 5 && parts[5] == path && parts[1].Contains('x', StringComparison.Ordinal))
            .ToList();
        Assert.NotEmpty(mapped);
        using var memory = File.OpenRead("/proc/self/mem");
        var (methods, bytes) = (0, 0L);
        foreach (var parts in mapped)
        {
            var range = parts[0].Split('-');
            var (start, end, offset) = (Convert.ToUInt64(range[0], 16), Convert.ToUInt64(range[1], 16), Convert.ToUInt64(parts[2], 16));
            for (var at = offset; at < offset + (end - start);)
            {
                if (!image.TryFind(at, out _, out var first, out var size) || size == 0 || first + size > offset + (end - start))
                {
                    at++;
                    continue;
                }

                var code = image.Read(first, size);
                Assert.NotNull(code);
                if (first >= offset)
                {
                    var runs = new byte[code.Length];
                    memory.Position = (long)(start + (first - offset));
                    memory.ReadExactly(runs);
                    Assert.True(runs.AsSpan().SequenceEqual(code), $"method at 0x{first:x}");
                    (methods, bytes) = (methods + 1, bytes + size);
                }

                at = first + size;
            }
        }

        Assert.True(methods > 10_000, $"{methods} methods, {bytes} bytes");
        Assert.Null(image.Read(1, 10));
    }

    [Fact]
    public void Every_method_of_the_platform_has_a_name_and_lies_after_the_one_before()
    {
        foreach (var path in Directory.EnumerateFiles(s_folder, "System.*.dll"))
        {
            if (
                ReadyToRunImage.Read(path, name => ReadyToRunImage.Read(Path.Combine(s_folder, name + ".dll"), _ => null)?.Metadata)
                is not { } image
            )
                continue;
            for (var method = 0; method < image.Count; method++)
                Assert.True(image.Name(method) is { Name.Length: > 0, Type.Length: > 0 }, $"{path}: {method}");
        }
    }

    /// <summary>Invariants of the statements of all platform code: the runtime's own assemblies are available everywhere.</summary>
    [Fact]
    public void Statements_lie_in_the_code_and_in_the_IL_of_their_method()
    {
        var (methods, statements) = (0, 0);
        foreach (var path in Directory.EnumerateFiles(s_folder, "System.*.dll"))
        {
            if (ReadyToRunImage.Read(path, _ => null) is not { } image)
                continue;
            using var bodies = new PEReader(File.OpenRead(path));
            for (var method = 0; method < image.Count; method++)
            {
                var points = image.Points(method);
                Assert.True(points is not null, $"{path}: {method}");
                methods++;
                if (
                    image.Name(method) is not { Token: not 0 and var token } name
                    || name.Type == CompilersOwn
                    || image
                        .Metadata.Reader.GetMethodDefinition(MetadataTokens.MethodDefinitionHandle(token & 0xFFFFFF))
                        .RelativeVirtualAddress
                        is not (not 0 and var address)
                )
                    continue;
                var bytes = bodies.GetMethodBody(address).GetILReader().Length;
                for (var at = 0; at <= points.At(ulong.MaxValue); at++, statements++)
                    Assert.True(
                        points.StatementOf(at, 0) is int.MaxValue || points.StatementOf(at, 0) < bytes,
                        $"{path}: {name}: {points.StatementOf(at, 0)} of {bytes}"
                    );
            }
        }

        Assert.True(methods > 50_000 && statements > 200_000, $"{statements} statements of {methods} methods");
    }

    [Fact]
    public void A_definition_has_the_name_of_its_token()
    {
        var image = ReadyToRunImage.Read(s_small, _ => null)!;
        var barrier = Enumerable
            .Range(0, image.Count)
            .Select(image.Name)
            .First(method => method is { Type: "System.Threading.Barrier", Name: "SignalAndWait" })!;

        Assert.Equal("SignalAndWait", image.Metadata.MethodName(barrier.Token));
    }

    [Fact]
    public void An_assembly_without_precompiled_code_has_no_image() =>
        Assert.Null(ReadyToRunImage.Read(typeof(ReadyToRunImageTests).Assembly.Location, _ => null));

    /// <summary>A mapping names a path. The file must be this machine's, match the mapping, and be older than the trace.</summary>
    [Theory]
    [InlineData(0, true, true)]
    [InlineData(4096, true, false)]
    [InlineData(0, false, false)]
    public void Only_the_file_that_was_recorded_names_code(ulong shift, bool isOlder, bool isNamed)
    {
        var path = Path.Combine(_temporary.Path, "System.Threading.dll");
        File.Copy(s_small, path);
        using var headers = new PEReader(File.OpenRead(path));
        var text = headers.PEHeaders.SectionHeaders[0];
        var length = (ulong)(text.PointerToRawData + text.SizeOfRawData + 4095) / 4096 * 4096;
        var mapping = new FileMapping(default, 0x7000_0000, length + shift, 0, path, "");
        var recorded = File.GetLastWriteTimeUtc(path) + TimeSpan.FromDays(isOlder ? 1 : -1);

        Assert.Equal(isNamed, new SymbolFiles(Environment.MachineName, recorded, TimeSpan.Zero).Precompiled.Image(mapping) is not null);
        Assert.Null(new SymbolFiles("elsewhere", recorded, TimeSpan.Zero).Precompiled.Image(mapping));
    }

    [Fact]
    public void Damaged_files_are_format_errors()
    {
        var bytes = File.ReadAllBytes(s_small);
        var path = Path.Combine(_temporary.Path, "damaged.dll");
        for (var seed = 0; seed < 300; seed++)
        {
            var random = new Random(seed);
            var damaged = (byte[])bytes.Clone();
            for (var i = 0; i < 1 + seed % 50; i++)
                damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            File.WriteAllBytes(path, seed % 5 == 0 ? damaged[..random.Next(damaged.Length)] : damaged);
            try
            {
                var image = ReadyToRunImage.Read(path, _ => null);
                for (var method = 0; method < image?.Count; method++)
                {
                    image.Name(method);
                    _ = image.Points(method)?.At(5);
                }
            }
            catch (BadImageFormatException) { }
        }
    }
}
