using EtwSerializerProfiler.Analysis.Causes;

namespace EtwSerializerProfiler.Analysis.Cpu;

/// <summary>
/// Divides the time of source lines by cause. A sample's cause is the current one at its leaf, when <see cref="CauseFrames"/> walks from the
/// outermost line of its stack. So all lines of the stack have the same cause, and lines outside of a serializer have causes, too.
/// </summary>
/// <param name="symbols">Symbols of the process.</param>
/// <param name="ticksPerSecond">Ticks of the trace's clock in one second.</param>
internal sealed class LineCauses(ProcessSymbols symbols, long ticksPerSecond)
{
    private readonly CauseFrames _frames = new(symbols.Resolver);

    /// <summary>The cause of a stack with lines; of others it means nothing.</summary>
    public int CauseOf(SampleStack stack)
    {
        var places = stack.Symbols;
        var outermost = places.Length - 1;
        while (outermost > 0 && symbols.Resolver.Symbols[places[outermost]].Line is null)
            outermost--;
        return _frames.Below(stack, outermost + 1).Cause;
    }

    /// <summary>Adds a sample to a line on its stack.</summary>
    /// <param name="line">The line's row.</param>
    /// <param name="cause">The sample's cause.</param>
    /// <param name="ticks">The time that it represents.</param>
    public void Add(CpuTally line, int cause, long ticks) =>
        (line.Causes ??= new CauseTimes { TicksPerSecond = ticksPerSecond, HasEntry = true }).Add(cause, ticks);
}
