using EtwSerializerProfiler.Etl;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>Stacks inside the events, from sessions that enable a provider with stacks (EVENT_ENABLE_PROPERTY_STACK_TRACE).</summary>
internal static class ClrStacks
{
    private const int MatchIdBytes = 8;

    /// <summary>The addresses in an event, as in the trace; empty without a stack.</summary>
    public static ReadOnlySpan<byte> Of(in EtlEvent item, out int pointerSize)
    {
        foreach (var extended in item.ExtendedItems)
        {
            if (extended.Type is EtlExtendedType.StackTrace32 or EtlExtendedType.StackTrace64 && extended.Data.Length > MatchIdBytes)
            {
                pointerSize = extended.Type == EtlExtendedType.StackTrace64 ? 8 : 4;
                return extended.Data[MatchIdBytes..];
            }
        }

        pointerSize = 8;
        return default;
    }
}
