using System.Globalization;
using System.Runtime.InteropServices;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>
/// What the runtime's functions that are found by their code are called for, in programs that do one thing. The tests ask where samples
/// stand, not how many there are.
/// </summary>
[Trait(TestKind.Trait, TestKind.Records)]
public sealed class RuntimeFunctionTests(ITestOutputHelper output) : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("esp-rtf-").FullName;

    public void Dispose() => Directory.Delete(_root, recursive: true);

    [Fact]
    public async Task A_first_call_reaches_the_JIT_through_ThePreStub()
    {
        var paths = await PathsAsync("methods", "10000");
        var compiling = paths.Where(path => path.Modules.Contains("libclrjit.so") && path.Methods.Any(IsTestMethod)).ToList();

        // The JIT is also called to compile a dynamic method before its first call; of 221 samples 197 were for a first call.
        var through = compiling.Where(path => path.Methods.Contains("ThePreStub")).Sum(path => path.Samples);
        var all = compiling.Sum(path => path.Samples);
        output.WriteLine($"{through} of {all}");
        Assert.True(all > 20);
        Assert.InRange(through, 0.5 * all, all);
    }

    [Fact]
    public async Task The_slow_path_of_allocation_is_below_the_method_that_allocates()
    {
        var paths = await PathsAsync("collect", "1", "60");

        // While the runtime starts, the first allocation also sets up the heap: its samples can be deeper than the stack's copy.
        var below = paths
            .Where(path => path.Methods.Any(method => method.StartsWith("RhpNew", StringComparison.Ordinal)))
            .Where(path => !path.Methods.Contains("coreclr_initialize"))
            .ToList();
        output.WriteLine($"{below.Sum(path => path.Samples)} of {paths.Sum(path => path.Samples)}");
        Assert.NotEmpty(below);

        // Only managed code calls these functions, and what they call is the runtime, C's library or the kernel.
        Assert.All(
            below,
            path =>
            {
                var at = path.Methods.FindIndex(method => method.StartsWith("RhpNew", StringComparison.Ordinal));
                Assert.True(path.IsManaged[at - 1], string.Join(" < ", path.Methods));
                Assert.DoesNotContain(path.Modules[at..], module => module.EndsWith(".dll", StringComparison.Ordinal));
            }
        );
    }

    private static bool IsTestMethod(string method) => method.StartsWith("Storms.", StringComparison.Ordinal);

    /// <summary>The paths of the call tree that have samples at their end.</summary>
    private async Task<List<CallPath>> PathsAsync(params string[] program)
    {
        Assert.SkipUnless(
            OperatingSystem.IsLinux() && RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.Arm64,
            "needs Linux"
        );
        var recorded = await Tool.RecordAsync(["--out", Path.Combine(_root, "r"), "--no-analyze", "--", Tool.TestProgram, .. program]);
        Assert.Equal(0, recorded.ExitCode);
        var tree = await Tool.AnalyzeAsync("cpu", Path.Combine(_root, "r"), "--tree", "--min-percent", "0", "--format", "csv", "--quiet");
        var lines = tree.Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.StartsWith("depth,method,module,namespace,codeKind,", lines[0], StringComparison.Ordinal);
        var (paths, path) = (new List<CallPath>(), new List<(string Method, string Module, bool IsManaged)>());
        foreach (var cells in lines.Skip(1).Select(Cells))
        {
            var depth = int.Parse(cells[0], CultureInfo.InvariantCulture);
            path.RemoveRange(depth, path.Count - depth);
            path.Add((cells[1], cells[2], cells[4] == "Managed"));
            if (long.Parse(cells[^1], CultureInfo.InvariantCulture) is > 0 and var samples)
                paths.Add(
                    new CallPath(
                        [.. path.Select(frame => frame.Method)],
                        [.. path.Select(frame => frame.Module)],
                        [.. path.Select(frame => frame.IsManaged)],
                        samples
                    )
                );
        }

        return paths;
    }

    /// <summary>The cells of a line; names with commas are quoted.</summary>
    private static string[] Cells(string line)
    {
        var (cells, quoted, start) = (new List<string>(), false, 0);
        for (var i = 0; i <= line.Length; i++)
        {
            if (i < line.Length && line[i] == '"')
                quoted = !quoted;
            if (i < line.Length && (quoted || line[i] != ','))
                continue;
            cells.Add(line[start..i].Trim('"', '\r'));
            start = i + 1;
        }

        return [.. cells];
    }

    /// <summary>Frames from the start of the thread to the leaf.</summary>
    private sealed record CallPath(List<string> Methods, List<string> Modules, List<bool> IsManaged, long Samples);
}
