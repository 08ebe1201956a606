using System.Diagnostics;
using EtwSerializerProfiler.TestSupport;

namespace EtwSerializerProfiler.Reports.Tests.Html;

/// <summary>Chromium without a window, where there is one.</summary>
internal static class Browser
{
    private static readonly string[] s_names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome-headless-shell"];

    /// <summary>Path of the browser; null when none is installed.</summary>
    public static string? Path { get; } = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(System.IO.Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
        .SelectMany(folder => s_names.Select(name => System.IO.Path.Combine(folder, name))).FirstOrDefault(File.Exists);

    /// <summary>Opens a page, lets its scripts run, and gives back what became of it. Skips the test where there is no browser or it does not start here: that is not what is tested.</summary>
    /// <param name="page">The page.</param>
    /// <param name="width">Width of the window.</param>
    public static async Task<string> DumpAsync(string page, int width)
    {
        Assert.SkipWhen(Path is null, "no Chromium here (Debian: apt-get install chromium)");
        using var folder = new TempFolder();
        var file = folder.Write("page.html", page);
        var profile = Directory.CreateDirectory(System.IO.Path.Combine(folder.Path, "profile"));
        var start = new ProcessStartInfo(Path) { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var argument in (string[])["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", $"--user-data-dir={profile.FullName}", $"--window-size={width},900", "--virtual-time-budget=5000", "--dump-dom", new Uri(file).AbsoluteUri])
            start.ArgumentList.Add(argument);
        start.Environment["HOME"] = folder.Path;
        using var process = Process.Start(start)!;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        limit.CancelAfter(TimeSpan.FromMinutes(2));
        try
        {
            var error = process.StandardError.ReadToEndAsync(limit.Token);
            var output = await process.StandardOutput.ReadToEndAsync(limit.Token);
            await process.WaitForExitAsync(limit.Token);
            Assert.SkipWhen(process.ExitCode != 0 || output.Length == 0, $"Chromium does not run here (exit code {process.ExitCode}): {await error}");
            return output;
        }
        catch (OperationCanceledException) when (!TestContext.Current.CancellationToken.IsCancellationRequested)
        {
            process.Kill(entireProcessTree: true);
            Assert.Skip("Chromium did not come to an end within two minutes");
            throw;
        }
    }
}
