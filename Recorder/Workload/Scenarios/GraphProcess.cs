using System.Globalization;
using System.Runtime.ExceptionServices;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>
/// The side of <see cref="GraphScenario"/> that may end at any time: one serializer, graph after graph. It says what it is about to do before it does it, and what came of it.
/// </summary>
internal static class GraphProcess
{
    /// <summary>Stands before an operation that begins.</summary>
    public const string Begins = "begins";

    /// <summary>Stands before what came of a graph.</summary>
    public const string Ended = "ended";

    /// <summary>Stack of the thread that writes and reads, in bytes: what .NET gives a thread on Windows, less than on Linux.</summary>
    public const int StackBytes = 1536 * 1024;

    /// <summary>Writes and reads the graphs.</summary>
    /// <param name="context">Where to measure and write.</param>
    /// <param name="serializer">The serializer.</param>
    /// <param name="tracking">Whether it is asked to track references.</param>
    /// <param name="depths">Chains to try, shallow ones first; 0 for the ring.</param>
    public static void Run(ScenarioContext context, SerializerDescription serializer, bool tracking, IReadOnlyList<int> depths)
    {
        ExceptionDispatchInfo? failure = null;
        var thread = new Thread(
            () =>
            {
                try
                {
                    var instance = serializer.Construct(new SerializerSettings { ReferenceTracking = tracking });
                    foreach (var depth in depths)
                        Try(context, serializer, instance, tracking, depth);
                }
#pragma warning disable CA1031 // rethrown on the thread that waits
                catch (Exception exception)
#pragma warning restore CA1031
                {
                    failure = ExceptionDispatchInfo.Capture(exception);
                }
            },
            StackBytes);
        thread.Start();
        thread.Join();
        failure?.Throw();
    }

    private static void Try(ScenarioContext context, SerializerDescription serializer, Serializer instance, bool tracking, int depth)
    {
        using var stream = new MemoryStream();
        var graph = depth == 0 ? GraphNode.Ring() : GraphNode.Chain(depth);
        object? result = null;
        var label = serializer.Name + (tracking ? " +references" : "") + (depth == 0 ? ", ring" : ", chain");
        var identity = ScenarioContext.Identity(label, serializer.LibraryAssembly, RunOperation.Serialize, depth == 0 ? 2 : depth);
        var error = Do(context, depth, identity, () =>
        {
            instance.Serialize(stream, graph);
            return stream.Length;
        });
        error ??= Do(context, depth, identity with { Operation = RunOperation.Deserialize }, () =>
        {
            stream.Position = 0;
            result = instance.Deserialize(stream);
            return stream.Length;
        });
        if (error is null)
        {
            var difference = depth == 0 ? GraphNode.RingDifference(result as GraphNode) : GraphNode.ChainDifference(result as GraphNode, depth);
            Say(context, Ended, depth, difference is null ? GraphOutcome.Ok.ToString() : GraphOutcome.Lost.ToString(), difference ?? "");
            return;
        }

        Say(context, Ended, depth, GraphOutcome.Refused.ToString(), error);
    }

    private static string? Do(ScenarioContext context, int depth, RunIdentity identity, Func<long> operation)
    {
        Say(context, Begins, depth, identity.Operation, "");
        Exception? thrown = null;
        try
        {
            context.Measure(identity, () =>
            {
                try
                {
                    return operation();
                }
                catch (Exception exception)
                {
                    thrown = exception;
                    throw;
                }
            });
            return null;
        }
        catch (RunFailedException)
        {
            return $"{identity.Operation}: {FirstLine.Of(thrown!)}";
        }
    }

    private static void Say(ScenarioContext context, string what, int depth, string outcome, string detail)
    {
        context.Output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{what}\t{depth}\t{outcome}\t{detail.Replace('\t', ' ')}"));
        context.Output.Flush();
    }
}
