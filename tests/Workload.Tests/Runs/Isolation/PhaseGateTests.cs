using EtwSerializerProfiler.Workload.Runs.Isolation;

namespace EtwSerializerProfiler.Workload.Tests.Runs.Isolation;

public sealed class PhaseGateTests
{
    [Fact]
    public void What_is_asked_for_is_read_and_what_is_answered_too()
    {
        using var input = new StringReader($"{PhaseGate.Line(Phase.FirstUse, 0)}\n{PhaseGate.Line(Phase.Measure, 1_904)}\n");
        using var output = new StringWriter();
        using var ended = new ManualResetEventSlim();
        var gate = new PhaseGate(input, output, ended.Set);

        Assert.Equal((Phase.FirstUse, 0), gate.Wait());
        gate.Answer(52);
        Assert.Equal((Phase.Measure, 1_904), gate.Wait());
        Assert.Null(gate.Wait());
        Assert.True(ended.IsSet, "the end is reported before Wait returns null");
        Assert.Equal(52, PhaseGate.ReadAnswer(output.ToString().TrimEnd()));
    }

    [Theory]
    [InlineData("Serialize  X  median 5 ms", null)]
    [InlineData("\u0001runs many", null)]
    [InlineData("written by a serializer without an end of line\u0001runs 7", 7)]
    public void Other_lines_are_for_people(string line, int? runs) => Assert.Equal(runs, PhaseGate.ReadAnswer(line));
}
