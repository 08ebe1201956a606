namespace EtwSerializerProfiler.Etl.Tests;

/// <summary>An event written to a generated trace, to compare with the event read.</summary>
internal sealed record WrittenEvent(EtlEventFields Fields, byte[] Payload, byte[] Extended)
{
    /// <summary>All header types that the writer writes.</summary>
    public static EtlHeaderType[] Types { get; } = [.. Enum.GetValues<EtlHeaderType>().Where(type => type != EtlHeaderType.None)];

    /// <summary>Whether the header has its own time.</summary>
    public bool HasTime => Fields.HeaderType != EtlHeaderType.Error;

    public bool IsEvent => Fields.HeaderType is EtlHeaderType.Event32 or EtlHeaderType.Event64;

    public bool IsPerfInfo => Fields.HeaderType is EtlHeaderType.PerfInfo32 or EtlHeaderType.PerfInfo64;

    public bool IsMessage => Fields.HeaderType == EtlHeaderType.Message;

    public bool IsKernel =>
        IsPerfInfo
        || Fields.HeaderType is EtlHeaderType.System32 or EtlHeaderType.System64 or EtlHeaderType.Compact32 or EtlHeaderType.Compact64;

    /// <summary>An event with values in all fields, different for each number.</summary>
    public static WrittenEvent Create(EtlHeaderType type, int processor, long time, int number, int payloadBytes)
    {
        var random = new Random(number);
        var payload = new byte[payloadBytes];
        random.NextBytes(payload);
        var fields = new EtlEventFields
        {
            HeaderType = type,
            Timestamp = time,
            Processor = processor,
            ThreadId = random.Next(),
            ProcessId = random.Next(),
            ProviderId = new Guid(number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
            Group = EtlKernelGroups.PerfInfo,
            Id = (ushort)random.Next(65536),
            Version = (byte)random.Next(256),
            Channel = (byte)random.Next(256),
            Level = (byte)random.Next(256),
            Opcode = (byte)random.Next(256),
            Task = (ushort)random.Next(65536),
            Keywords = (ulong)random.NextInt64(),
            ActivityId = new Guid(random.Next(), 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
            EventProperty = (ushort)random.Next(65536),
            KernelTime = (uint)random.Next(),
            UserTime = (uint)random.Next(),
            InstanceId = (uint)random.Next(),
            ParentInstanceId = (uint)random.Next(),
        };
        return new WrittenEvent(fields, payload, []);
    }

    public void WriteTo(EtlWriter writer) => writer.Write(Fields, Payload, Extended);

    /// <summary>Asserts that a read event equals this one.</summary>
    public void AssertRead(EtlEvent read)
    {
        Assert.Equal(Fields.HeaderType, read.HeaderType);
        Assert.Equal(Fields.Processor, read.Processor);
        Assert.Equal(Payload, read.Payload.ToArray());
        if (HasTime)
            Assert.Equal(Fields.Timestamp, read.Timestamp);
        var hasThread = HasTime && !IsPerfInfo;
        Assert.Equal(hasThread ? Fields.ThreadId : -1, read.ThreadId);
        Assert.Equal(hasThread ? Fields.ProcessId : -1, read.ProcessId);
        Assert.Equal(
            !HasTime ? Guid.Empty
                : IsKernel ? EtlKernelGroups.GuidOf(Fields.Group, Fields.Opcode)
                : Fields.ProviderId,
            read.ProviderId
        );
        Assert.Equal(IsKernel ? Fields.Group : 0, read.Group);
        Assert.Equal(IsEvent || IsMessage ? Fields.Id : 0, read.Id);
        Assert.Equal(IsMessage || !HasTime ? 0 : Fields.Version, read.Version);
        Assert.Equal(IsMessage || !HasTime ? 0 : Fields.Opcode, read.Opcode);
        Assert.Equal(IsEvent ? Fields.Channel : 0, read.Channel);
        Assert.Equal(IsEvent ? Fields.Task : 0, read.Task);
        Assert.Equal(IsEvent ? Fields.Keywords : 0, read.Keywords);
        Assert.Equal(IsEvent ? Fields.ActivityId : Guid.Empty, read.ActivityId);
        Assert.Equal(IsEvent ? Fields.EventProperty : 0, read.EventProperty);
        var isClassic =
            Fields.HeaderType is EtlHeaderType.Full32 or EtlHeaderType.Full64 or EtlHeaderType.Instance32 or EtlHeaderType.Instance64;
        Assert.Equal(isClassic || IsKernel, read.IsClassic);
        Assert.Equal(IsEvent || isClassic ? Fields.Level : 0, read.Level);
        var hasTimes = IsEvent || isClassic || Fields.HeaderType is EtlHeaderType.System32 or EtlHeaderType.System64;
        Assert.Equal(hasTimes ? Fields.KernelTime : 0, read.KernelTime);
        Assert.Equal(hasTimes ? Fields.UserTime : 0, read.UserTime);
        var isInstance = Fields.HeaderType is EtlHeaderType.Instance32 or EtlHeaderType.Instance64;
        Assert.Equal(isInstance ? Fields.InstanceId : 0, read.InstanceId);
        Assert.Equal(isInstance ? Fields.ParentInstanceId : 0, read.ParentInstanceId);
        Assert.Equal(Fields.HeaderType.ToString().EndsWith("32", StringComparison.Ordinal) ? 4 : 8, read.PointerSize);
        Assert.Equal(IsEvent ? Extended : [], read.ExtendedData.ToArray());
        Assert.Equal(IsKernel ? Extended : [], read.Counters.ToArray());
    }
}
