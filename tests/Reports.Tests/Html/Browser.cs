using System.Diagnostics;
using System.Text.RegularExpressions;

namespace EtwSerializerProfiler.Reports.Tests.Html;

/// <summary>Headless Chromium, where it is installed.</summary>
internal static class Browser
{
    private static readonly string[] s_names =
    [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chrome-headless-shell",
    ];

    /// <summary>Path of the browser; null when none is installed.</summary>
    public static string? Path { get; } = s_names.Select(NeedsProgramAttribute.Find).FirstOrDefault(path => path is not null);

    /// <summary>
    /// Opens a page, runs a script after the page's own, and returns the text of the element that it left. Skips the test where the browser
    /// does not run scripts.
    /// </summary>
    /// <param name="page">The page.</param>
    /// <param name="script">A script that adds an element <c>pre</c> with the id <c>seen</c>, whatever the page does.</param>
    /// <param name="width">Width of the window.</param>
    public static async Task<string> RunAsync(string page, string script, int width)
    {
        var dump = await DumpAsync(
            page.Replace("</body>", $"<script>//<![CDATA[\n{script}\n//]]></script></body>", StringComparison.Ordinal),
            width
        );
        var seen = Regex.Match(dump, """<pre id="seen">(.*?)</pre>""", RegexOptions.Singleline);
        Assert.SkipUnless(seen.Success, "Chromium did not come to the end of the test's script here");
        return System.Net.WebUtility.HtmlDecode(seen.Groups[1].Value);
    }

    private static async Task<string> DumpAsync(string page, int width)
    {
        using var folder = new TempFolder();
        var file = folder.Write("page.html", page);
        var profile = Directory.CreateDirectory(System.IO.Path.Combine(folder.Path, "profile"));
        var start = new ProcessStartInfo(Path!) { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (
            var argument in (string[])
                [
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    $"--user-data-dir={profile.FullName}",
                    $"--window-size={width},900",
                    "--virtual-time-budget=20000",
                    "--dump-dom",
                    new Uri(file).AbsoluteUri,
                ]
        )
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
            Assert.SkipWhen(
                process.ExitCode != 0 || output.Length == 0,
                $"Chromium does not run here (exit code {process.ExitCode}): {await error}"
            );
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

/// <summary>Needs the browser.</summary>
internal sealed class NeedsBrowserAttribute : NeedAttribute
{
    /// <inheritdoc />
    public override string? Missing => Browser.Path is null ? "no Chromium here: apt-get install chromium" : null;
}
