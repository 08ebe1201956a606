using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Sessions.Tests;

/// <summary>Runs the tests of a class once more as an ordinary user, when root runs them.</summary>
internal static class OrdinaryUser
{
    /// <summary>Set in the run that the ordinary user makes.</summary>
    public const string InnerRun = "ESP_TEST_INNER_RUN";

    /// <summary>The kernel limits the memory of all rings of a user together, so two recordings at a time would have to share it.</summary>
    private static readonly SemaphoreSlim s_one = new(1);

    /// <summary>Runs them and checks that they pass; skips where that cannot be done.</summary>
    /// <param name="tests">The class.</param>
    /// <param name="minTests">Tests that must have been executed, not skipped.</param>
    public static async Task RunAsync(Type tests, int minTests)
    {
        Assert.SkipUnless(Environment.GetEnvironmentVariable(InnerRun) is null, "runs from root only, once");
        Nobody.SkipUnlessPossible();
        await s_one.WaitAsync(TestContext.Current.CancellationToken);
        var folder = Directory.CreateTempSubdirectory("esp-nobody-").FullName;
        if (OperatingSystem.IsLinux())
            File.SetUnixFileMode(folder, (UnixFileMode)0b111_111_111);
        try
        {
            var start = new ProcessStartInfo(
                Nobody.SetPrivileges,
                [.. Nobody.Arguments, Environment.ProcessPath!, .. Host(tests), "-class", tests.FullName!]
            )
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
            foreach (var variable in (string[])["HOME", "TMPDIR", "DOTNET_CLI_HOME"])
                start.Environment[variable] = folder;
            start.Environment[InnerRun] = "";
            using var process = Process.Start(start)!;
            var output =
                await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken)
                + await process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
            await process.WaitForExitAsync(TestContext.Current.CancellationToken);

            Assert.True(process.ExitCode == 0, output);
            var summary = Regex.Match(output, @"Total: (\d+), Errors: 0, Failed: 0, Skipped: (\d+)");
            Assert.True(summary.Success, output);
            var executed =
                int.Parse(summary.Groups[1].Value, CultureInfo.InvariantCulture)
                - int.Parse(summary.Groups[2].Value, CultureInfo.InvariantCulture);
            Assert.True(executed >= minTests, output);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
            s_one.Release();
        }
    }

    /// <summary>Arguments before the test runner's own: the assembly when the tests run in the dotnet host.</summary>
    public static string[] Host(Type tests) =>
        Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet" ? [tests.Assembly.Location] : [];
}
