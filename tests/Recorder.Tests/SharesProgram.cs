using System.Globalization;
using System.Text.Json;

namespace EtwSerializerProfiler.Recorder.Tests;

/// <summary>
/// The test program's command <c>shares</c>: 70 % of its CPU time in one method, 30 % in another, each timed by its thread's clock.
/// </summary>
internal static class SharesProgram
{
    /// <summary>Asserts that the methods' shares of the samples equal those of the time that the program measured.</summary>
    /// <param name="printed">The program's output.</param>
    /// <param name="path">The recording or trace.</param>
    /// <returns>CPU time of both methods in ms, by the thread's clock and by the samples.</returns>
    public static async Task<(double Taken, double Sampled)> AssertAsync(string printed, string path)
    {
        var words = printed.Split([' ', '\n'], StringSplitOptions.RemoveEmptyEntries);
        var (more, less) = (double.Parse(words[1], CultureInfo.InvariantCulture), double.Parse(words[3], CultureInfo.InvariantCulture));
        var rows = (await AnalyzeAsync("cpu", path, "--by", "method", "--inclusive")).GetProperty("rows").EnumerateArray().ToList();
        var (inMore, inLess) = (Row("Shares.SpinMore"), Row("Shares.SpinLess"));
        var samples = inMore.GetProperty("inclusiveSamples").GetDouble() + inLess.GetProperty("inclusiveSamples").GetDouble();
        var (sampledMore, sampledLess) = (
            inMore.GetProperty("inclusiveCpuMs").GetDouble(),
            inLess.GetProperty("inclusiveCpuMs").GetDouble()
        );
        var share = more / (more + less);

        // A sampler that asks every millisecond takes more samples than the threads had milliseconds when others have the processors.
        // Then a sample stands for a whole slice of the scheduler, some 4 ms, and many stand for nothing.
        var milliseconds = (more + less) / 1e6;
        var independent = samples > 1.2 * milliseconds ? milliseconds / 4 : samples;
        var allowed = 6 * Math.Sqrt(share * (1 - share) / independent) + 0.02;
        Assert.InRange(sampledMore / (sampledMore + sampledLess), share - allowed, share + allowed);
        return ((more + less) / 1e6, sampledMore + sampledLess);

        JsonElement Row(string method) => Assert.Single(rows, row => row.GetProperty("method").GetString() == method);
    }

    /// <summary>JSON output of a command of esp-analyze.</summary>
    public static async Task<JsonElement> AnalyzeAsync(params string[] arguments) =>
        JsonDocument.Parse((await Tool.AnalyzeAsync([.. arguments, "--format", "json"])).Output).RootElement;
}
