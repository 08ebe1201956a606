using System.Text.Json;
using EtwSerializerProfiler.Sessions.Etw.Plans;
using EtwSerializerProfiler.Sessions.Etw.Steps;
using EtwSerializerProfiler.Sessions.Etw.Tools;
using EtwSerializerProfiler.Sessions.Recordings;

namespace EtwSerializerProfiler.Sessions.Tests.Etw;

/// <summary>Plans as steps: every command to its last flag.</summary>
public class EtwStepsTests
{
    public static TheoryData<string, string, string> Snapshots()
    {
        var data = new TheoryData<string, string, string>();
        foreach (var tool in EtwTools.Names)
        {
            foreach (var purpose in Enum.GetNames<EtwPurpose>())
            {
                data.Add(tool, purpose, "file");
                data.Add(tool, purpose, "circular:256MB");
            }
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Snapshots))]
    public void Steps_of_every_tool_preset_and_mode(string toolName, string purpose, string modeText)
    {
        Assert.True(EtwTools.TryParse(toolName, out var tool));
        Assert.True(RecordingMode.TryParse(modeText, out var mode, out _));
        using var text = new StringWriter { NewLine = "\n" };

        EtwStepText.Write(EtwCases.Steps(tool, EtwCases.Of(Enum.Parse<EtwPurpose>(purpose)) with { Mode = mode }), text);

        Snapshot.Matches(
            "Sessions.Tests",
            $"etw-{toolName}-{purpose.ToLowerInvariant()}-{(mode.IsCircular ? "circular" : "file")}",
            text.ToString()
        );
    }

    [Fact]
    public void Every_command_is_of_its_tools_documented_syntax()
    {
        var commands = EtwCases
            .All()
            .SelectMany(steps =>
                steps
                    .Steps.Where(step => step.Kind != EtwStepKind.Run)
                    .SelectMany(step => step.Undo.Concat(step.Command is { } command ? [command] : []))
            )
            .ToList();

        Assert.True(commands.Count > 500);
        Assert.Empty(commands.SelectMany(ToolSyntax.Violations).Distinct());

        // Every option that ToolSyntax describes is in a plan.
        var unused = ToolSyntax.Options.SelectMany(tool =>
            tool.Value.Where(option =>
                    !commands.Any(command =>
                        command.Program == tool.Key && command.Arguments.Contains(option.Name, StringComparer.OrdinalIgnoreCase)
                    )
                )
                .Select(option => $"{tool.Key} {option.Name}")
        );
        Assert.Empty(unused);
    }

    [Theory]
    [InlineData("xperf", "-on", "PROC_THREAD+NONSENSE")]
    [InlineData("xperf", "-start", "s", "-on", "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4:9C001:0x4")]
    [InlineData("xperf", "-on", "PROC_THREAD", "-BufferSize", "2048")]
    [InlineData("tracelog", "-enableex", "s", "-guid", "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4", "-level", "4")]
    [InlineData("tracelog", "-enableex", "s", "-StackWalkFilter", "-in", "2", "80")]
    [InlineData("tracelog", "-SetProfInt", "10000", "Timer")]
    [InlineData("tracelog", "-start", "s", "-f", "a.etl", "-buffering")]
    [InlineData("wpr", "-stop", "-instancename", "i", "a.etl")]
    [InlineData("logman", "start")]
    public void The_syntax_check_finds_what_is_wrong(string program, params string[] arguments) =>
        Assert.NotEmpty(ToolSyntax.Violations(new EtwCommand(program, arguments)));

    [Fact]
    public void Whatever_a_step_opens_has_an_undo_and_is_closed_later()
    {
        foreach (var steps in EtwCases.All())
        {
            var open = new HashSet<string>();
            foreach (var step in steps.Steps)
            {
                Assert.All(
                    step.Closes,
                    name => Assert.True(open.Remove(name), $"{steps.Tool}: {step.Title} closes {name}, which is not open")
                );
                Assert.All(step.Opens, name => Assert.True(open.Add(name), $"{steps.Tool}: {name} is opened twice"));
                Assert.True(
                    step.Opens.Count == 0 || step.Undo.Count > 0 || step.UndoAction.Length > 0,
                    $"{steps.Tool}: {step.Title} has no undo"
                );
                Assert.True(step.Command is not null || step.Action.Length > 0, $"{steps.Tool}: {step.Title} does nothing");
                Assert.False(string.IsNullOrWhiteSpace(step.Why));
            }

            Assert.Empty(open);
        }
    }

    [Fact]
    public void The_undo_of_a_session_names_that_session()
    {
        foreach (
            var step in EtwCases
                .All()
                .SelectMany(steps => steps.Steps)
                .Where(step =>
                    step.Kind is EtwStepKind.StartUser or EtwStepKind.StartKernel or EtwStepKind.StartRundown && step.Undo.Count > 0
                )
        )
            Assert.Contains(step.Undo, undo => undo.Arguments.Contains(Assert.Single(step.Opens)));
    }

    [Fact]
    public void The_order_is_the_same_for_every_tool()
    {
        foreach (var steps in EtwCases.All())
        {
            var kinds = steps.Steps.Select(step => step.Kind).ToList();
            Assert.Equal([EtwStepKind.Elevation, EtwStepKind.Sessions, EtwStepKind.Note], kinds.Take(3));
            Assert.Equal([EtwStepKind.Check, EtwStepKind.Forget], kinds.TakeLast(2));
            Assert.True(kinds.LastIndexOf(EtwStepKind.StartUser) < kinds.IndexOf(EtwStepKind.StartKernel));
            Assert.True(kinds.IndexOf(EtwStepKind.StartKernel) < kinds.IndexOf(EtwStepKind.Run));
            Assert.True(kinds.IndexOf(EtwStepKind.Run) < kinds.IndexOf(EtwStepKind.Stop));
            if (kinds.Contains(EtwStepKind.Flush))
                Assert.True(kinds.IndexOf(EtwStepKind.Flush) < kinds.IndexOf(EtwStepKind.Stop));
            if (kinds.Contains(EtwStepKind.StartRundown))
                Assert.True(
                    kinds.IndexOf(EtwStepKind.Stop) < kinds.IndexOf(EtwStepKind.StartRundown)
                        && kinds.IndexOf(EtwStepKind.StopRundown) < kinds.IndexOf(EtwStepKind.Merge)
                );
            Assert.Single(kinds, kind => kind == EtwStepKind.Run);
        }
    }

    [Theory]
    [InlineData(EtwTool.Xperf)]
    [InlineData(EtwTool.Tracelog)]
    public void Circular_sessions_are_flushed_by_one_command(EtwTool tool)
    {
        var steps = EtwCases.Steps(tool, EtwCases.Of(EtwPurpose.Runs) with { Mode = EtwCases.Modes[1] });
        var kernel = tool == EtwTool.Xperf ? "NT Kernel Logger" : "esp-4711-kernel";

        var flush = Assert.Single(steps.Steps, step => step.Kind == EtwStepKind.Flush).Command!;

        Assert.Equal("xperf", flush.Program);
        Assert.Equal(
            [
                "-flush",
                "esp-4711-clr",
                "-f",
                @"C:\rec ordings\r1\clr.etl",
                "-flush",
                "esp-4711-code",
                "-f",
                @"C:\rec ordings\r1\code.etl",
                "-flush",
                kernel,
                "-f",
                @"C:\rec ordings\r1\kernel.etl",
            ],
            flush.Arguments
        );
        Assert.All(
            steps.Steps.Where(step => step.Kind is EtwStepKind.StartUser or EtwStepKind.StartKernel),
            step =>
            {
                Assert.Contains("-buffering", step.Command!.Arguments, StringComparer.OrdinalIgnoreCase);
                Assert.DoesNotContain("-f", step.Command.Arguments);
            }
        );
    }

    [Fact]
    public void Xperf_says_what_it_cannot_do()
    {
        var steps = EtwCases.Steps(EtwTool.Xperf, EtwCases.Choices.Single(choice => choice.Name == "filters").Options);

        Assert.Contains(
            steps.NotPossible,
            sentence => sentence.StartsWith("not possible with xperf: stacks of selected events (out:10,9)", StringComparison.Ordinal)
        );
        Assert.Contains(
            steps.NotPossible,
            sentence => sentence.StartsWith("not possible with xperf: selecting events by id (out:23,2,9)", StringComparison.Ordinal)
        );
        Assert.Contains(steps.NotPossible, sentence => sentence.Contains("a separate kernel session", StringComparison.Ordinal));
        Assert.Equal("NT Kernel Logger", steps.Plan.Kernel.Name);
    }

    /// <summary>Every filter and kernel option of a plan stands in the tool's steps, or is reported as impossible.</summary>
    [Fact]
    public void Nothing_of_a_plan_is_dropped_silently()
    {
        foreach (var steps in EtwCases.All().Where(steps => steps.Tool is EtwTool.Xperf or EtwTool.Tracelog or EtwTool.TraceEvent))
        {
            var text = string.Join("\n", steps.Steps.Select(step => $"{step.Command} {step.Action}").Concat(steps.NotPossible));
            foreach (var provider in steps.Plan.AllUserSessions.SelectMany(session => session.Providers))
            {
                Assert.Contains(provider.Id.ToString("D"), text, StringComparison.Ordinal);
                Assert.Contains(provider.KeywordText, text, StringComparison.Ordinal);
                foreach (
                    var filter in new[] { provider.Stacks ? provider.StackFilter : null, provider.EventFilter }.OfType<EtwEventFilter>()
                )
                {
                    string[] forms =
                    [
                        $"({filter})",
                        $"-{(filter.Include ? "in" : "out")} {filter.Ids.Count} {string.Join(' ', filter.Ids)}",
                        $"[{string.Join(", ", filter.Ids)}]",
                    ];
                    Assert.Contains(forms, form => text.Contains(form, StringComparison.Ordinal));
                }
            }

            Assert.All(
                steps.Plan.AllUserSessions.Select(session => session.FileName).Append(steps.Plan.Kernel.FileName),
                file => Assert.Contains(file, text, StringComparison.Ordinal)
            );
            if (steps.Plan.Kernel.ChangesSampleInterval)
                Assert.Contains(steps.Steps, step => step.Kind == EtwStepKind.ResetInterval);
        }
    }

    [Fact]
    public void Tracelog_filters_as_published_practice_has_them()
    {
        var steps = EtwCases.Steps(EtwTool.Tracelog, EtwCases.Of(EtwPurpose.Exceptions));

        var enable = steps.Steps.First(step => step.Kind == EtwStepKind.EnableProvider).Command!;

        Assert.Equal(
            "tracelog -enableex esp-4711-clr -guid #e13c0d23-ccbc-4e12-931b-d9cc2eee27e4 -matchanykw 0x8000 -level 4 -enableproperty 4 -StackWalkFilter -in 1 80",
            enable.ToString()
        );
    }

    [Fact]
    public void The_program_runs_without_the_recorders_rights_and_with_its_variables()
    {
        var run = EtwCases.Steps(EtwTool.Xperf, EtwCases.Of(EtwPurpose.Runs)).Steps.Single(step => step.Kind == EtwStepKind.Run);

        Assert.False(run.NeedsElevation);
        Assert.Equal("1", run.Environment["DOTNET_RichDebugInfo"]);
        Assert.Equal("\"C:\\my app\\app.exe\" -n 1000 \"say \\\"hi\\\"\"", run.Command!.ToString());
        Assert.DoesNotContain(
            "DOTNET_RichDebugInfo",
            EtwCases
                .Steps(EtwTool.Xperf, EtwCases.Of(EtwPurpose.Exceptions))
                .Steps.Single(step => step.Kind == EtwStepKind.Run)
                .Environment.Keys
        );
    }

    [Fact]
    public void Json_holds_every_step_with_its_arguments()
    {
        foreach (var steps in EtwCases.All())
        {
            using var json = JsonDocument.Parse(EtwStepJson.Write(steps));
            var written = json.RootElement.GetProperty("steps").EnumerateArray().ToList();
            Assert.Equal(steps.Steps.Count, written.Count);
            for (var i = 0; i < written.Count; i++)
            {
                var command = written[i].GetProperty("command");
                if (steps.Steps[i].Command is { } expected)
                    Assert.Equal(
                        [expected.Program, .. expected.Arguments],
                        command.EnumerateArray().Select(argument => argument.GetString())
                    );
                else
                    Assert.Equal(JsonValueKind.Null, command.ValueKind);
            }
        }
    }

    [Theory]
    [InlineData("plain", "plain")]
    [InlineData("", "\"\"")]
    [InlineData("NT Kernel Logger", "\"NT Kernel Logger\"")]
    [InlineData(@"C:\a b\", @"""C:\a b\\""")]
    [InlineData(@"C:\ab\", @"C:\ab\")]
    [InlineData("say \"hi\"", "\"say \\\"hi\\\"\"")]
    [InlineData(@"back\"" b", @"""back\\\"" b""")]
    [InlineData("a&b", "\"a&b\"")]
    [InlineData("guid:0x1:0x4:'stack'+guid", "guid:0x1:0x4:'stack'+guid")]
    [InlineData(@"%OUT%\kernel.etl", @"""%OUT%\kernel.etl""")]
    public void Arguments_are_quoted_as_cmd_needs(string argument, string expected) => Assert.Equal(expected, CmdText.Quote(argument));
}
