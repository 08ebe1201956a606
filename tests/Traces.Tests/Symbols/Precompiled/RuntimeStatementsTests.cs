using System.Data;
using System.Diagnostics;
using System.Xml.Linq;
using EtwSerializerProfiler.Traces.Symbols.Precompiled;

namespace EtwSerializerProfiler.Traces.Tests.Symbols.Precompiled;

/// <summary>
/// Compares the statements of precompiled code with those that the runtime, which reads the same files, reports for the frames of a stack.
/// </summary>
public sealed class RuntimeStatementsTests
{
    private const string Tiers = "DOTNET_TieredCompilation";

    private static readonly string s_folder = Path.GetDirectoryName(typeof(object).Assembly.Location)!;

    /// <summary>
    /// Compares in a process without tiers: here another test may make a method hot, whose frames are then of jitted code.
    /// </summary>
    [Fact]
    public async Task Callers_stand_at_the_statement_that_the_runtime_names()
    {
        Assert.SkipWhen(Environment.GetEnvironmentVariable("DOTNET_ReadyToRun") == "0", "precompiled code is switched off");
        if (Environment.GetEnvironmentVariable(Tiers) == "0")
        {
            Compare();
            return;
        }

        var method = $"{GetType().FullName}.{nameof(Callers_stand_at_the_statement_that_the_runtime_names)}";
        var program = Environment.ProcessPath!;
        string[] host = Path.GetFileNameWithoutExtension(program) == "dotnet" ? [GetType().Assembly.Location] : [];
        var start = new ProcessStartInfo(program, [.. host, "-method", method]) { RedirectStandardOutput = true };
        start.Environment[Tiers] = "0";
        using var process = Process.Start(start)!;
        var output = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await Wait.ForExitAsync(process);
        Assert.True(process.ExitCode == 0, output);
        Assert.Contains("Total: 1, Errors: 0, Failed: 0, Skipped: 0", output, StringComparison.Ordinal);
    }

    private static void Compare()
    {
        var images = new Dictionary<string, (ReadyToRunImage Image, Dictionary<int, int> Methods)>();
        var compared = 0;
        foreach (var frame in Frames().DistinctBy(frame => (frame.GetMethod(), frame.GetNativeOffset())))
        {
            // Code of generic methods may be jitted, for type arguments that no image has.
            if (
                frame.GetMethod()
                    is not { DeclaringType: { IsGenericType: false, Assembly.Location: var path }, IsGenericMethod: false } method
                || Path.GetDirectoryName(path) != s_folder
            )
                continue;
            if (!images.TryGetValue(path, out var known))
                images.Add(path, known = Read(path));
            if (!known.Methods.TryGetValue(method.MetadataToken, out var number))
                continue;
            var points = known.Image.Points(number)!;
            var statement = points.StatementOf(points.At((ulong)frame.GetNativeOffset() - 1), 0);
            Assert.True(
                statement == frame.GetILOffset(),
                FormattableString.Invariant(
                    $"{method.DeclaringType}.{method.Name}+{frame.GetNativeOffset()}: {statement}, by the runtime {frame.GetILOffset()}"
                )
            );
            compared++;
        }

        Assert.True(compared >= 15, $"{compared} frames");
    }

    private static (ReadyToRunImage, Dictionary<int, int>) Read(string path)
    {
        var image = ReadyToRunImage.Read(path, _ => null)!;
        var methods = new Dictionary<int, int>();
        for (var method = 0; method < image.Count; method++)
        {
            if (image.Name(method) is { Token: not 0 and var token })
                methods.TryAdd(token, method);
        }

        return (image, methods);
    }

    /// <summary>Makes the platform call back.</summary>
    private static List<StackFrame> Frames()
    {
        var frames = new List<StackFrame>();
        var element = new XElement("a", new XElement("b"));
        element.Changed += (_, _) => Take();
        element.SetAttributeValue("c", 1);
        element.Element("b")!.ReplaceWith(new XElement("d"));
        element.Add("text", new XComment("e"));
        using var table = new DataTable { Columns = { "a" } };
        table.RowChanged += (_, _) => Take();
        table.Rows.Add("x");
        table.Rows[0]["a"] = "y";
        table.AcceptChanges();
        return frames;

        // Callers of this class are the test's, and the threads'.
        void Take() => frames.AddRange(new StackTrace().GetFrames().SkipWhile(IsOwn).TakeWhile(frame => !IsOwn(frame)));
    }

    private static bool IsOwn(StackFrame frame) => frame.GetMethod()?.Module == typeof(RuntimeStatementsTests).Module;
}
