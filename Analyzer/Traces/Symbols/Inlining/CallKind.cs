namespace EtwSerializerProfiler.Traces.Symbols.Inlining;

/// <summary>How an instruction binds the method that it names to the one that runs.</summary>
internal enum CallKind
{
    /// <summary>The method that is named runs.</summary>
    Exact,

    /// <summary>An override or an implementation of the method that is named may run (callvirt, ldvirtftn).</summary>
    Virtual,

    /// <summary>The type argument or the value type that the prefix names decides (constrained).</summary>
    Constrained,
}
