using System.Buffers.Binary;

namespace EtwSerializerProfiler.Traces.Events;

/// <summary>What a type is, by its place in metadata (an entry of runtime event 15, BulkType); a view, valid during the call.</summary>
public readonly ref struct TypeDetails
{
    private readonly ReadOnlySpan<byte> _parameters;

    /// <summary>Creates the details.</summary>
    /// <param name="typeId">The runtime's id of the type.</param>
    /// <param name="moduleId">The runtime's id of its module.</param>
    /// <param name="token">Its metadata token (TypeDef); 0 for types without one.</param>
    /// <param name="isArray">Whether it is an array.</param>
    /// <param name="parameters">Ids of its type arguments, or of an array's element type: 8 bytes each.</param>
    public TypeDetails(long typeId, long moduleId, int token, bool isArray, ReadOnlySpan<byte> parameters)
    {
        TypeId = typeId;
        ModuleId = moduleId;
        Token = token;
        IsArray = isArray;
        _parameters = parameters;
    }

    /// <summary>The runtime's id of the type.</summary>
    public long TypeId { get; }

    /// <summary>The runtime's id of its module.</summary>
    public long ModuleId { get; }

    /// <summary>Its metadata token (TypeDef); 0 for types without one.</summary>
    public int Token { get; }

    /// <summary>Whether it is an array.</summary>
    public bool IsArray { get; }

    /// <summary>Ids of its type arguments, or of an array's element type; a new array.</summary>
    public long[] Parameters()
    {
        if (_parameters.Length < 8)
            return [];
        var ids = new long[_parameters.Length / 8];
        for (var i = 0; i < ids.Length; i++)
            ids[i] = BinaryPrimitives.ReadInt64LittleEndian(_parameters[(8 * i)..]);
        return ids;
    }
}
