namespace EtwSerializerProfiler.Options;

/// <summary>What the suite measures; values of <c>-test</c>.</summary>
public enum SuiteTest
{
    /// <summary>Object graph to bytes.</summary>
    Serialize = 0,

    /// <summary>Bytes to object graph, every object touched once.</summary>
    Deserialize = 1,

    /// <summary>Serialize and deserialize of one graph in one run.</summary>
    Combined = 2,

    /// <summary>The start of the runtime, construction of the serializer, its first serialize and its first deserialize, each in a fresh process.</summary>
    FirstCall = 3,
}
