using EtwSerializerProfiler.Contract;
using EtwSerializerProfiler.Marks;
using EtwSerializerProfiler.Options;
using EtwSerializerProfiler.Workload.Serializers;

namespace EtwSerializerProfiler.Workload.Runs;

/// <summary>What the runs of one series do under the clock, with everything they need prepared outside of it.</summary>
public sealed class RunWorkload : IDisposable
{
    private readonly SerializerDescription _description;
    private readonly GraphModel _model;
    private readonly Stream _stream;
    private readonly bool _writes;

    /// <summary>What is serialized; null when the operation only reads, so that the graph does not weigh on the collections inside the run.</summary>
    private readonly object? _graph;

    /// <summary>The serializer; null until the operation constructs it.</summary>
    private Serializer? _serializer;

    /// <summary>Prepares <paramref name="operation"/>: graph, stream and, unless it is a first call, the serializer and the data to read.</summary>
    /// <param name="description">The serializer.</param>
    /// <param name="operation">One of <see cref="RunOperation"/> but <see cref="RunOperation.Run"/> and <see cref="RunOperation.StartRuntime"/>.</param>
    /// <param name="objectCount">Objects in the graph.</param>
    /// <param name="payloadBytes">Extra bytes in each object.</param>
    /// <param name="streamKind">Where the data goes and comes from.</param>
    /// <param name="firstCallData">Data that a <see cref="RunOperation.FirstDeserialize"/> reads: written by another process, as writing it here would not leave a first call.</param>
    /// <param name="shared">A serializer to use instead of one of its own; null for one of its own.</param>
    public RunWorkload(SerializerDescription description, string operation, int objectCount, int payloadBytes, StreamKind streamKind, byte[]? firstCallData = null, Serializer? shared = null)
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

    /// <summary>The operation; returns the size of the serialized data in bytes. <see cref="Reset"/> comes before each call.</summary>
    public Func<long> Operation { get; }

    /// <summary>The serializer; null as long as the operation has to construct it.</summary>
    public Serializer? Serializer => _serializer;

    /// <summary>Sum of what the last deserialization's objects hold (<see cref="GraphModel.Touch"/>): a use of them that no compiler can leave out.</summary>
    public long Touched { get; private set; }

    /// <summary>Puts the stream back to where the operation starts. A memory stream keeps its memory, so that only the first run pays for its growth.</summary>
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

    /// <summary>Prepared as <see cref="FirstSerialize"/> is, so that the two differ by the serialize only.</summary>
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

/// <summary>A run did not complete; the message says why. Ends its series, not the suite.</summary>
public sealed class RunFailedException(string message) : Exception(message);
