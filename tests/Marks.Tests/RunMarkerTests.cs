namespace EtwSerializerProfiler.Marks.Tests;

public sealed class RunMarkerTests
{
    [Fact]
    public void A_second_begin_while_a_run_is_open_throws_and_leaves_the_run_intact()
    {
        using var marker = new RunMarker();
        marker.Begin(1, RunOperation.Serialize);

        Assert.Throws<InvalidOperationException>(() => marker.Begin(2, RunOperation.Serialize));

        marker.End();
        marker.WaitUntilIdle();
        Assert.Equal(1, marker.Waits);
        marker.Begin(3, RunOperation.Deserialize);
        Assert.Equal(2, marker.Waits);
    }

    [Fact]
    public void Ending_twice_or_without_a_run_leaves_no_trigger_behind()
    {
        using var marker = new RunMarker();
        marker.End();
        for (var run = 1; run <= 50; run++)
        {
            marker.Begin(run, RunOperation.Serialize);

            // A remaining trigger would have ended the wait, and this begin would be accepted.
            Assert.Throws<InvalidOperationException>(() => marker.Begin(run, RunOperation.Serialize));
            marker.End();
            marker.End();
            marker.WaitUntilIdle();
            marker.End();
        }

        Assert.Equal(50, marker.Waits);
    }

    [Theory]
    [InlineData(RunOperation.Serialize)]
    [InlineData(RunOperation.Deserialize)]
    [InlineData(RunOperation.Combined)]
    [InlineData(RunOperation.StartRuntime)]
    [InlineData(RunOperation.Construct)]
    [InlineData(RunOperation.FirstSerialize)]
    [InlineData(RunOperation.FirstDeserialize)]
    [InlineData(RunOperation.Run)]
    [InlineData("an operation of a program's own")]
    public void Every_operation_waits_and_ends(string operation)
    {
        using var marker = new RunMarker();
        marker.Begin(1, operation);
        marker.End();
        marker.WaitUntilIdle();
        Assert.Equal(1, marker.Waits);
    }

    [Fact]
    public void Disposing_ends_an_open_run_and_refuses_further_ones()
    {
        var marker = new RunMarker();
        marker.Begin(1, RunOperation.Serialize);
        marker.Dispose();
        marker.Dispose();

        Assert.Throws<ObjectDisposedException>(() => marker.Begin(2, RunOperation.Serialize));
    }

    [Fact]
    public void Every_operation_constant_has_a_wait_method_of_its_name()
    {
        var operations = typeof(RunOperation).GetFields().Select(field => (string)field.GetRawConstantValue()! + "Duration");
        var methods = typeof(RunMarker)
            .GetMethods(System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Instance)
            .Where(method => method.MethodImplementationFlags.HasFlag(System.Reflection.MethodImplAttributes.NoInlining))
            .Select(method => method.Name);

        Assert.Equal(operations.Append("IdleBetweenRuns").Order(), methods.Order());
    }
}
