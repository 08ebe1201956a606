using System.Globalization;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Precompiled;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Precompiled;

/// <summary>Precompiled assemblies of the runtime that runs the tests, with their files and without.</summary>
public sealed class PrecompiledFilesTests : IDisposable
{
    private readonly TempFolder _recording = new();

    public void Dispose() => _recording.Dispose();

    [Fact]
    public void Methods_that_were_found_have_the_same_names_when_the_file_is_gone()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "reads /proc/self");
        var mapping = CodeOf(typeof(object).Assembly.Location);
        var offsets = Enumerable.Range(1, 40).Select(step => mapping.FileOffset + (ulong)step * (mapping.Length / 50)).ToList();
        var here = new PrecompiledFiles(new ProgramFiles(_recording.Path), _ => true);
        var found = offsets.Select(offset => here.Find(mapping, offset)).ToList();
        Assert.InRange(found.OfType<PrecompiledPlace>().Count(), 10, 40);
        here.Keep();

        var elsewhere = new PrecompiledFiles(new ProgramFiles(_recording.Path), _ => false);

        Assert.Equal(found.Select(Text), offsets.Select(offset => Text(elsewhere.Find(mapping, offset))));
        Assert.Null(elsewhere.Image(mapping));
        Assert.Null(elsewhere.Find(mapping with { Path = "/elsewhere/System.Private.CoreLib.dll" }, offsets[0]));
        Assert.Empty(elsewhere.Problems);
    }

    [Fact]
    public void A_damaged_file_of_kept_methods_is_a_problem_that_is_reported_once()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "reads /proc/self");
        var mapping = CodeOf(typeof(object).Assembly.Location);
        var here = new PrecompiledFiles(new ProgramFiles(_recording.Path), _ => true);
        var offset = Enumerable
            .Range(1, 40)
            .Select(step => mapping.FileOffset + (ulong)step * (mapping.Length / 50))
            .First(offset => here.Find(mapping, offset) is not null);
        here.Keep();
        var kept = Assert.Single(Directory.GetFiles(_recording.Path, "*.methods.json", SearchOption.AllDirectories));
        File.WriteAllText(kept, File.ReadAllText(kept)[..^10]);

        var elsewhere = new PrecompiledFiles(new ProgramFiles(_recording.Path), _ => false);

        Assert.Null(elsewhere.Find(mapping, offset));
        Assert.Null(elsewhere.Find(mapping, offset));
        Assert.StartsWith(
            $"no names of precompiled code in {mapping.Path}: what the recording keeps of it cannot be read: ",
            Assert.Single(elsewhere.Problems),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Files_are_read_on_the_recorded_machine_whether_its_name_has_a_domain_or_not()
    {
        foreach (var domain in (string[])["", ".example.org"])
            Assert.NotNull(Image(Environment.MachineName + domain));
        Assert.Null(Image("x" + Environment.MachineName));

        static ReadyToRunImage? Image(string machine) =>
            new SymbolFiles(machine, DateTime.UtcNow, TimeSpan.Zero).Precompiled.Image(typeof(object).Assembly.Location);
    }

    private static (string, string, ulong, uint, Guid)? Text(PrecompiledPlace? place) =>
        place is null ? null : (place.Name.Type, place.Name.Name, place.Start, place.Size, place.Pdb);

    /// <summary>The mapping of an assembly's code in this process.</summary>
    private static FileMapping CodeOf(string path)
    {
        var parts = File.ReadLines("/proc/self/maps")
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .First(parts => parts.Length > 5 && parts[5] == path && parts[1].Contains('x', StringComparison.Ordinal));
        var range = parts[0]
            .Split('-')
            .Select(number => ulong.Parse(number, NumberStyles.HexNumber, CultureInfo.InvariantCulture))
            .ToArray();
        return new FileMapping(
            new EventAt(1, 1, 1),
            range[0],
            range[1] - range[0],
            ulong.Parse(parts[2], NumberStyles.HexNumber, CultureInfo.InvariantCulture),
            path,
            ""
        );
    }
}
