using EtwSerializerProfiler.Analyzer.Commands;

namespace EtwSerializerProfiler.Dumps.Tests;

/// <summary>The reading process can crash; the next one skips the step that crashed. A script replaces it here.</summary>
public sealed class DumpWatchTests : IDisposable
{
    private readonly TempFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void A_step_that_crashes_is_left_out_by_the_next_process()
    {
        var (code, output, _) = Run(
            """
            for folder; do :; done
            if [ ! -e "$folder/left" ]; then
              printf 'stack of thread 7\n\n' > "$folder/step"
              kill -SEGV $$
            fi
            cat "$folder/left"
            exit 0
            """
        );

        Assert.Equal(0, code);
        Assert.StartsWith("stack of thread 7\tthe runtime's debugging library crashed", output, StringComparison.Ordinal);
        Assert.Contains("signal 11", output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_step_that_crashes_again_and_again_is_an_error()
    {
        var (code, output, error) = Run(
            """
            for folder; do :; done
            printf 'heap\n\n' > "$folder/step"
            echo half a report
            kill -SEGV $$
            """
        );

        Assert.Equal((3, ""), (code, output));
        ErrorLines.Check("esp-analyze", error);
        Assert.Contains("step 'heap'", error, StringComparison.Ordinal);
    }

    [Fact]
    public void Exit_codes_of_the_command_are_its_own()
    {
        var (code, output, error) = Run(
            """
            echo a report
            echo a reason >&2
            exit 3
            """
        );

        Assert.Equal((3, "a report\n", "a reason\n"), (code, output, error));
    }

    private (int Code, string Output, string Error) Run(string script)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "the stand-in is a shell script");
        var path = _folder.Write("reader", "#!/bin/sh\n" + script + "\n");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(path, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        using var output = new StringWriter();
        using var error = new StringWriter();
        var code = DumpWatch.Run(["dump", "x.dmp"], path, output, error);
        return (code, output.ToString(), error.ToString());
    }
}
