using System.Text;

namespace EtwSerializerProfiler.Configuration.Tests;

/// <summary>Files are found, read, and refused with the position of the error.</summary>
public sealed class FileTests
{
    private static readonly string s_path = Path.GetFullPath("/x/esp.json");

    private const string Whole = """
        // comment
        {
          "$schema": "esp.schema.json",
          "suite": { "serializer": ["json", "#DataContract"], "n": [100, 1000], "runs": 3, "seed": "none", "steady": true, },
          /* of any recording */
          "record": { "sampleRate": 500, "sessions": "clr", "dumpOn": ["System.FormatException~a=b"], "out": "r1", "sampler": "none" },
          "etw": { "preset": "allocation" },
          "gate": { "maxSlowdown": "7%", "metric": ["wall", "gc"] },
        }
        """;

    [Theory]
    [InlineData("{ \"suites\": {} }", 1, 3, "unknown key \"suites\": did you mean \"suite\"?")]
    [InlineData(
        "{\n  \"suite\": {\n    \"serialisers\": [\"json\"]\n  }\n}",
        3,
        5,
        "unknown key \"serialisers\" in \"suite\": did you mean \"serializer\"?"
    )]
    [InlineData("{ \"suite\": { \"sampleRate\": 1 } }", 1, 14, "it belongs in \"record\"")]
    [InlineData("{ \"runs\": 1 }", 1, 3, "it belongs in \"suite\"")]
    [InlineData("{ \"gate\": { \"maxSlow\": 1 } }", 1, 13, "unknown key \"maxSlow\" in \"gate\"")]
    [InlineData("{ \"suite\": { \"runs\": \"7\" } }", 1, 22, "\"runs\" is the text \"7\"; expected: an integer")]
    [InlineData("{ \"suite\": { \"runs\": 7.5 } }", 1, 22, "expected: an integer")]
    [InlineData("{ \"suite\": { \"runs\": 0 } }", 1, 22, "\"runs\": '0' is not valid; valid: an integer from 1 to 10,000")]
    [InlineData("{ \"suite\": {\n\t\"n\": [1, \"x\"] } }", 2, 11, "\"n\" is the text \"x\"; expected: an integer, or a list of them")]
    [InlineData("{ \"suite\": { \"n\": [] } }", 1, 19, "empty list")]
    [InlineData("{ \"suite\": { \"test\": \"serialise\" } }", 1, 22, "did you mean \"serialize\"?")]
    [InlineData("{ \"suite\": { \"steady\": 1 } }", 1, 24, "expected: true or false")]
    [InlineData("{ \"suite\": { \"seed\": \"some\" } }", 1, 22, "expected: an integer or \"none\"")]
    [InlineData(
        "{ \"record\": { \"sampler\": \"perv\" } }",
        1,
        26,
        "expected: one of \"auto\", \"perf\", \"ptrace\", \"eventpipe\", \"none\": did you mean \"perf\"?"
    )]
    [InlineData("{ \"record\": { \"sessions\": [\"clr\", \"kernel\"] } }", 1, 27, "unknown session 'kernel'")]
    [InlineData("{ \"record\": { \"sampleRate\": 0 } }", 1, 29, "choose from 1 to 100000")]
    [InlineData("{ \"record\": { \"sampleRate\": 99999999999999999999 } }", 1, 29, "an integer")]
    [InlineData("{ \"record\": { \"mode\": \"circular\" } }", 1, 23, "\"mode\":")]
    [InlineData("{ \"record\": { \"out\": null } }", 1, 22, "\"out\" is null; expected: a path in quotes")]
    [InlineData("{ \"etw\": { \"sampleInterval\": 0.01 } }", 1, 30, "0.1221 to 1000")]
    [InlineData("{ \"record\": 1 }", 1, 13, "expected: an object")]
    [InlineData("{ \"command\": \"dotnet run\" }", 1, 14, "a list with the program and its arguments")]
    [InlineData("{ \"command\": [] }", 1, 14, "names no program")]
    [InlineData("{ \"command\": [\"dotnet\", 1] }", 1, 25, "the program and its arguments, in quotes")]
    [InlineData("{ \"command\": [\"dotnet\"], \"suite\": { \"runs\": 1 } }", 1, 37, "for the built-in suite")]
    [InlineData("{ \"suite\": {}, \"suite\": {} }", 1, 16, "already exists in line 1")]
    [InlineData("[]", 1, 1, "expected: an object")]
    [InlineData("{ \"suite\": { \"runs\" 1 } }", 1, 21, "no JSON")]
    [InlineData("{ \"ä\": \"\uD83D\uDE00\", \"b\": 1 }", 1, 3, "unknown key \"ä\"")]
    [InlineData("{ \"$schema\": \"\uD83D\uDE00\", \"b\": 1 }", 1, 20, "unknown key \"b\"")]
    [InlineData("{ \"$schema\": \"\\uD83D\" }", 1, 14, "surrogate")]
    [InlineData("", 1, 1, "no JSON")]
    public void What_is_wrong_is_named_with_its_place(string text, int line, int column, string problem)
    {
        using var folder = new TempFolder();
        var path = folder.Write("esp.json", text);

        var error = Assert.Throws<ConfigurationException>(() => Tools.Record(["record", "--config", path]));

        Assert.Equal($"{path}:{line}:{column}", error.Problem.Where);
        Assert.Contains(problem, error.Message, StringComparison.Ordinal);
        Assert.NotEmpty(error.Problem.Fix);
        Assert.DoesNotContain('\n', error.Message);
    }

    [Fact]
    public void A_file_that_cannot_be_read_is_named()
    {
        using var folder = new TempFolder();
        var missing = Path.Combine(folder.Path, "none.json");

        Assert.Contains(
            missing,
            Assert.Throws<ConfigurationException>(() => Tools.Record(["record", "--config", missing])).Message,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "--no-config",
            Assert.Throws<ConfigurationException>(() => Tools.Record(["record", "--config", folder.Path])).Message,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "UTF-8: byte 3",
            Assert
                .Throws<ConfigurationException>(() =>
                    Tools.Record(["record", "--config", folder.Write("latin.json", [(byte)'{', (byte)' ', (byte)'"', 0xE4, (byte)'"'])])
                )
                .Message,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "1 MB",
            Assert
                .Throws<ConfigurationException>(() =>
                    Tools.Record(["record", "--config", folder.Write("large.json", new string(' ', 1 << 21))])
                )
                .Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_byte_order_mark_is_not_an_error()
    {
        using var folder = new TempFolder();
        var path = folder.Write("esp.json", "\uFEFF{ \"suite\": { \"runs\": 3 } }");

        Assert.Equal(3, Tools.Record(["record", "--config", path]).Result.GetValue<int>("-runs"));
    }

    /// <summary>Cut at each byte, and with a byte changed at each place: read, or refused with a message.</summary>
    [Fact]
    public void Damaged_files_are_read_or_refused()
    {
        var bytes = Encoding.UTF8.GetBytes(Whole);
        var (sections, refused) = (Tools.Sections, 0);
        Assert.NotEmpty(Check(bytes));
        var random = new Random(11);
        for (var i = 0; i < bytes.Length; i++)
        {
            Try(bytes[..i]);
            foreach (var other in (byte[])[(byte)random.Next(256), (byte)'"', (byte)'{', (byte)']', (byte)',', (byte)'1', 0])
            {
                var changed = bytes.ToArray();
                changed[i] = other;
                Try(changed);
            }
        }

        Assert.True(refused > bytes.Length);

        void Try(byte[] text)
        {
            try
            {
                Check(text);
            }
            catch (ConfigurationException exception)
            {
                Assert.StartsWith(s_path, exception.Message, StringComparison.Ordinal);
                refused++;
            }
        }

        IReadOnlyList<FileOption> Check(byte[] text) => FileContents.Check(ConfigurationFile.Parse(s_path, text), sections).Options;
    }

    [Fact]
    public void A_deeply_nested_file_is_refused() =>
        Assert.Throws<ConfigurationException>(() =>
            ConfigurationFile.Parse(s_path, Encoding.UTF8.GetBytes(new string('[', 100_000)))
        );

    [Fact]
    public void The_nearest_file_up_to_the_repository_is_found()
    {
        using var folder = new TempFolder();
        var inner = Directory.CreateDirectory(Path.Combine(folder.Path, "repository", "a", "b")).FullName;
        Directory.CreateDirectory(Path.Combine(folder.Path, "repository", ".git"));
        folder.Write("esp.json", "{}");
        Assert.Null(ConfigurationFile.Find(inner));

        var outer = Path.Combine(folder.Path, "repository", "esp.json");
        File.WriteAllText(outer, "{}");
        Assert.Equal(outer, ConfigurationFile.Find(inner));

        var near = Path.Combine(inner, "esp.json");
        File.WriteAllText(near, "{}");
        Assert.Equal(near, ConfigurationFile.Find(inner));
    }

    [Fact]
    public void A_parent_that_every_user_may_write_to_is_not_looked_into()
    {
        if (OperatingSystem.IsWindows())
            return; // the rights are those of Unix
        using var folder = new TempFolder();
        var inner = Directory.CreateDirectory(Path.Combine(folder.Path, "shared", "own", "deep")).FullName;
        var shared = Path.Combine(folder.Path, "shared");
        File.WriteAllText(Path.Combine(shared, "esp.json"), "{}");
        Assert.NotNull(ConfigurationFile.Find(inner));

        File.SetUnixFileMode(shared, File.GetUnixFileMode(shared) | UnixFileMode.OtherWrite);
        Assert.Null(ConfigurationFile.Find(inner));
        Assert.NotNull(ConfigurationFile.Find(shared));
    }
}
