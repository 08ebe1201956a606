using EtwSerializerProfiler.Contract;

namespace EtwSerializerProfiler.Workload.Features.Trials;

/// <summary>
/// One trial of a feature: constructs the serializer and makes it write and read. Its exceptions are thrown as a
/// <see cref="TrialFailedException"/>.
/// </summary>
/// <param name="subject">The serializer.</param>
/// <param name="settings">Settings of the serializer.</param>
public sealed class FeatureTrial(FeatureSubject subject, SerializerSettings settings)
{
    /// <summary>The serializer.</summary>
    public FeatureSubject Subject { get; } = subject;

    /// <summary>Constructs the serializer for data of a type.</summary>
    /// <exception cref="OwnTypesException">The serializer supports only its own types.</exception>
    public Serializer Construct<T>()
        where T : class
    {
        var description = Step("on construction", () => Subject.For(typeof(T))) ?? throw new OwnTypesException();
        return Step("on construction", () => description.Construct(settings));
    }

    /// <summary>Constructs the serializer for the suite's data, with the model of that data.</summary>
    public (Serializer Serializer, GraphModel Model) ConstructForSuiteData()
    {
        return Step(
            "on construction",
            () =>
            {
                var description = Subject.OfSuiteData();
                return (description.Construct(settings), description.CreateModel());
            }
        );
    }

    /// <summary>Writes a graph to a new stream.</summary>
    public static TrialStream Write(Serializer serializer, object graph)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        var stream = new TrialStream();
        WriteTo(serializer, stream, graph);
        return stream;
    }

    /// <summary>Writes a graph to a stream.</summary>
    public static void WriteTo(Serializer serializer, Stream stream, object graph)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        _ = Step(
            "on writing",
            () =>
            {
                serializer.Serialize(stream, graph);
                return 0;
            }
        );
    }

    /// <summary>Reads a graph.</summary>
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
#pragma warning disable CA1031 // any exception of a serializer is the result
        catch (Exception exception)
#pragma warning restore CA1031
        {
            throw new TrialFailedException(name, exception);
        }
    }
}

/// <summary>Thrown when a serializer throws during a trial; the inner exception is the serializer's.</summary>
/// <param name="step">The step: <c>on writing</c>.</param>
/// <param name="inner">The serializer's exception.</param>
public sealed class TrialFailedException(string step, Exception inner) : Exception($"{step}: {Text(inner)}", inner)
{
    /// <summary>
    /// Type and first line of an exception and of its innermost exception: the outer message of some serializers only says that there was
    /// an error.
    /// </summary>
    public static string Text(Exception exception)
    {
        ArgumentNullException.ThrowIfNull(exception);
        var innermost = exception.GetBaseException();
        return innermost == exception || exception.Message.Contains(FirstLine.Of(innermost.Message), StringComparison.Ordinal)
            ? Line(exception)
            : $"{Line(exception)} ({Line(innermost)})";
    }

    private static string Line(Exception exception) => $"{exception.GetType().Name}: {FirstLine.Of(exception.Message)}";
}

/// <summary>Thrown when a serializer supports only its own types, so that a feature cannot be tried.</summary>
public sealed class OwnTypesException : Exception
{
    /// <summary>Creates the exception with its message.</summary>
    public OwnTypesException()
        : base("The serializer supports only its own types.") { }
}
