using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>One trial of a feature with a serializer: constructs it and has it write and read. What it throws comes as a <see cref="TrialFailedException"/>.</summary>
/// <param name="subject">The serializer.</param>
/// <param name="settings">What it is asked for.</param>
public sealed class FeatureTrial(FeatureSubject subject, SerializerSettings settings)
{
    /// <summary>The serializer for data of a type.</summary>
    /// <exception cref="OwnTypesException">It takes only types of its own.</exception>
    public Serializer Construct<T>()
        where T : class
    {
        var description = Step("on construction", () => subject.For(typeof(T))) ?? throw new OwnTypesException();
        return Step("on construction", () => description.Construct(settings));
    }

    /// <summary>The serializer for the suite's data, and the model of that data.</summary>
    public (Serializer Serializer, GraphModel Model) ConstructForSuiteData()
    {
        return Step("on construction", () =>
        {
            var description = subject.OfSuiteData();
            return (description.Construct(settings), description.CreateModel());
        });
    }

    /// <summary>Has the serializer write.</summary>
    public static TrialStream Write(Serializer serializer, object graph)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        var stream = new TrialStream();
        WriteTo(serializer, stream, graph);
        return stream;
    }

    /// <summary>Has the serializer write to a stream.</summary>
    public static void WriteTo(Serializer serializer, Stream stream, object graph)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        _ = Step("on writing", () =>
        {
            serializer.Serialize(stream, graph);
            return 0;
        });
    }

    /// <summary>Has the serializer read.</summary>
    public static T Read<T>(Serializer serializer, Stream stream)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(serializer);
        return Step("on reading", () => (T)serializer.Deserialize(stream));
    }

    private static TResult Step<TResult>(string name, Func<TResult> action)
    {
        try
        {
            return action();
        }
#pragma warning disable CA1031 // whatever a serializer throws is what was seen
        catch (Exception exception)
#pragma warning restore CA1031
        {
            throw new TrialFailedException(name, exception);
        }
    }
}

/// <summary>A serializer threw while a feature was tried; the inner exception is its own.</summary>
/// <param name="step">What it was asked to do: <c>on writing</c>.</param>
/// <param name="inner">What it threw.</param>
public sealed class TrialFailedException(string step, Exception inner) : Exception($"{step}: {Text(inner)}", inner)
{
    /// <summary>Type and first line of an exception, and of the innermost one: the outer message of some serializers says only that there was an error.</summary>
    public static string Text(Exception exception)
    {
        ArgumentNullException.ThrowIfNull(exception);
        var innermost = exception.GetBaseException();
        return innermost == exception || exception.Message.Contains(FirstLine.Of(innermost.Message), StringComparison.Ordinal) ? Line(exception) : $"{Line(exception)} ({Line(innermost)})";
    }

    private static string Line(Exception exception) => $"{exception.GetType().Name}: {FirstLine.Of(exception.Message)}";
}

/// <summary>A serializer takes only types of its own, so that a feature cannot be tried with it.</summary>
public sealed class OwnTypesException : Exception
{
    /// <summary>Creates it.</summary>
    public OwnTypesException()
        : base("The serializer takes only types of its own.")
    {
    }
}
