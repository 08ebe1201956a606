using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>The operation that the runs of one series make under the clock, with everything prepared outside of it.</summary>
public sealed class RunWorkload : IDisposable
{
    private readonly SerializerDescription _description;
    private readonly GraphModel _model;
    private readonly Stream _stream;
    private readonly bool _writes;

    /// <summary>
    /// The graph to serialize; null when the operation only reads, so that the graph does not slow down GCs inside the run.
    /// </summary>
    private readonly object? _graph;

    /// <summary>The serializer; null until the operation constructs it.</summary>
    private Serializer? _serializer;

    /// <summary>
    /// Prepares <paramref name="operation"/>: graph, stream and, except for first calls, the serializer and the data to read.
    /// </summary>
    /// <param name="description">The serializer.</param>
    /// <param name="operation">
    /// One of <see cref="RunOperation"/> except <see cref="RunOperation.Run"/> and <see cref="RunOperation.StartRuntime"/>.
    /// </param>
    /// <param name="objectCount">Objects in the graph.</param>
    /// <param name="payloadBytes">Extra bytes in each object.</param>
    /// <param name="streamKind">Target and source of serialized data.</param>
    /// <param name="firstCallData">
    /// Data for <see cref="RunOperation.FirstDeserialize"/>. Another process writes it, because after writing it here there would be no
    /// first call.
    /// </param>
    /// <param name="shared">A serializer to share; null to construct one.</param>
    public RunWorkload(
        SerializerDescription description,
        string operation,
        int objectCount,
        int payloadBytes,
        StreamKind streamKind,
        byte[]? firstCallData = null,
        Serializer? shared = null
    )
    {
        ArgumentNullException.ThrowIfNull(description);
        _description = description;
        _model = description.CreateModel();
        _stream = StreamFactory.Open(streamKind);
        (Operation, _writes) = operation switch
        {
            RunOperation.Serialize => ((Func<long>)Serialize, true),
            RunOperation.Deserialize => (Deserialize, false),
            RunOperation.Combined => (Combined, true),
            RunOperation.Construct => (Construct, true),
            RunOperation.FirstSerialize => (FirstSerialize, true),
            RunOperation.FirstDeserialize => (FirstDeserialize, false),
            _ => throw new ArgumentOutOfRangeException(nameof(operation), operation, "Not an operation of the suite."),
        };
        try
        {
            if (operation == RunOperation.FirstDeserialize)
            {
                _stream.Write(firstCallData ?? throw new ArgumentNullException(nameof(firstCallData)));
                return;
            }

            _graph = _model.Create(objectCount, payloadBytes);
            if (operation is RunOperation.FirstSerialize or RunOperation.Construct)
                return;

            _serializer = shared ?? description.Construct();
            if (_writes)
                return;
            Serialize();
            _graph = null;
        }
        catch
        {
            _stream.Dispose();
            throw;
        }
    }

    /// <summary>The operation; returns the size of the serialized data in bytes. Call <see cref="Reset"/> before each call.</summary>
    public Func<long> Operation { get; }

    /// <summary>The serializer; null until the operation has constructed it.</summary>
    public Serializer? Serializer => _serializer;

    /// <summary>
    /// Sum over the content of the last deserialized objects (<see cref="GraphModel.Touch"/>), so that the compiler cannot remove the
    /// visits.
    /// </summary>
    public long Touched { get; private set; }

    /// <summary>
    /// Resets the stream to the start of the operation. A memory stream keeps its memory, so that only the first run includes its growth.
    /// </summary>
    public void Reset()
    {
        if (_writes)
            _stream.SetLength(0);
        _stream.Position = 0;
    }

    /// <summary>Closes the stream; a temporary file is deleted.</summary>
    public void Dispose() => _stream.Dispose();

    private long Serialize()
    {
        _serializer!.Serialize(_stream, _graph!);
        _stream.Flush();
        return _stream.Length;
    }

    private long Deserialize()
    {
        Touched = _model.Touch(_serializer!.Deserialize(_stream));
        return _stream.Length;
    }

    private long Combined()
    {
        Serialize();
        _stream.Position = 0;
        return Deserialize();
    }

    /// <summary>Prepared like <see cref="FirstSerialize"/>, so that they differ only by the serialize.</summary>
    private long Construct()
    {
        _serializer = _description.Construct();
        return -1;
    }

    private long FirstSerialize()
    {
        _serializer = _description.Construct();
        return Serialize();
    }

    private long FirstDeserialize()
    {
        _serializer = _description.Construct();
        return Deserialize();
    }
}

/// <summary>Thrown when a run did not complete; the message has the reason. Ends its series, not the suite.</summary>
public sealed class RunFailedException(string message) : Exception(message);
