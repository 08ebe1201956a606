namespace EtwSerializerProfiler.Etl;

/// <summary>
/// Kernel events have a group and a type instead of a GUID and an opcode; the group corresponds to a GUID (EVENT_TRACE_GROUP of the kernel,
/// the GUIDs of the kernel's MOF classes).
/// </summary>
public static class EtlKernelGroups
{
    /// <summary>Group of the session's own records.</summary>
    public const byte EventTrace = 0x00;

    /// <summary>Group of process events.</summary>
    public const byte Process = 0x03;

    /// <summary>Group of thread events, context switches among them.</summary>
    public const byte Thread = 0x05;

    /// <summary>Group of CPU samples, interrupts and system calls.</summary>
    public const byte PerfInfo = 0x0F;

    /// <summary>Group of image loads.</summary>
    public const byte Image = 0x14;

    /// <summary>Group of stacks.</summary>
    public const byte StackWalk = 0x18;

    /// <summary>Type of an image load, which is an event of the group of process events.</summary>
    public const byte ImageLoad = 0x0A;

    private static readonly Guid[] s_guids = Build();

    /// <summary>GUID of a group; empty when unknown.</summary>
    public static Guid GuidOf(byte group) => s_guids[group];

    /// <summary>GUID of a kernel event's class; empty when unknown.</summary>
    /// <param name="group">Its group.</param>
    /// <param name="type">Its type: an image load is an event of the process group, but of the image class.</param>
    public static Guid GuidOf(byte group, byte type) => s_guids[group == Process && type == ImageLoad ? Image : group];

    /// <summary>Finds the kernel group of a GUID; false for any other GUID.</summary>
    public static bool TryGetGroup(Guid guid, out byte group)
    {
        var index = guid == Guid.Empty ? -1 : Array.IndexOf(s_guids, guid);
        group = (byte)Math.Max(index, 0);
        return index >= 0;
    }

    private static Guid[] Build()
    {
        var guids = new Guid[256];
        guids[EventTrace] = new Guid("68fdd900-4a3e-11d1-84f4-0000f80464e3");
        guids[0x01] = new Guid("3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c"); // DiskIo
        guids[0x02] = new Guid("3d6fa8d3-fe05-11d0-9dda-00c04fd7ba7c"); // PageFault
        guids[Process] = new Guid("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c");
        guids[0x04] = new Guid("90cbdc39-4a3e-11d1-84f4-0000f80464e3"); // FileIo
        guids[Thread] = new Guid("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c");
        guids[0x06] = new Guid("9a280ac0-c8e0-11d1-84e2-00c04fb998a2"); // TcpIp
        guids[0x08] = new Guid("bf3a50c5-a9c9-4988-a005-2df0b7c80f80"); // UdpIp
        guids[0x09] = new Guid("ae53722e-c863-11d2-8659-00c04fa321a1"); // Registry
        guids[0x0B] = new Guid("01853a65-418f-4f36-aefc-dc0f1d2fd235"); // SystemConfig
        guids[0x0E] = new Guid("0268a8b6-74fd-4302-9dd0-6e8f1795c0cf"); // Pool
        guids[PerfInfo] = new Guid("ce1dbfb4-137e-4da6-87b0-3f59aa102cbc");
        guids[0x10] = new Guid("222962ab-6180-4b88-a825-346b75f2a24a"); // Heap
        guids[0x11] = new Guid("89497f50-effe-4440-8cf2-ce6b1cdcaca7"); // Object
        guids[Image] = new Guid("2cb15d1d-5fc1-11d2-abe1-00a0c911f518");
        guids[StackWalk] = new Guid("def2fe46-7bd6-4b80-bd94-f57fe20d0ce3");
        guids[0x1A] = new Guid("45d8cccd-539f-4b72-a8b7-5c683142609a"); // ALPC
        guids[0x1B] = new Guid("d837ca92-12b9-44a5-ad6a-3a65b3578aa8"); // SplitIo
        guids[0x1C] = new Guid("c861d0e2-a2c1-4d36-9f9c-970bab943a12"); // ThreadPool
        return guids;
    }
}
