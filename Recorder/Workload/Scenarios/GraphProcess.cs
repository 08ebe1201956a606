using System.Globalization;
using System.Runtime.ExceptionServices;
using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Workload.Runs;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>
/// The process of <see cref="GraphScenario"/> that may crash at any time: one serializer, one graph after the other. It announces each
/// operation before it starts, and reports the result.
/// </summary>
internal static class GraphProcess
{
    /// <summary>Precedes an operation that begins.</summary>
    public const string Begins = "begins";

    /// <summary>Precedes the result of a graph.</summary>
    public const string Ended = "ended";

    /// <summary>Stack of the writing and reading thread in bytes: .NET's default on Windows, less than on Linux.</summary>
    public const int StackBytes = 1536 * 1024;

    /// <summary>Writes and reads the graphs.</summary>
    /// <param name="context">Clock and output.</param>
    /// <param name="serializer">The serializer.</param>
    /// <param name="tracking">Whether references are tracked.</param>
    /// <param name="depths">Chains to try, shortest first; 0 for the ring.</param>
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
#pragma warning disable CA1031 // rethrown on the waiting thread
                catch (Exception exception)
#pragma warning restore CA1031
                {
                    failure = ExceptionDispatchInfo.Capture(exception);
                }
            },
            StackBytes
        );
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
        var error = Do(
            context,
            depth,
            identity,
            () =>
            {
                instance.Serialize(stream, graph);
                return stream.Length;
            }
        );
        error ??= Do(
            context,
            depth,
            identity with
            {
                Operation = RunOperation.Deserialize,
            },
            () =>
            {
                stream.Position = 0;
                result = instance.Deserialize(stream);
                return stream.Length;
            }
        );
        if (error is null)
        {
            var difference =
                depth == 0 ? GraphNode.RingDifference(result as GraphNode) : GraphNode.ChainDifference(result as GraphNode, depth);
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
            context.Measure(
                identity,
                () =>
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
                }
            );
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
