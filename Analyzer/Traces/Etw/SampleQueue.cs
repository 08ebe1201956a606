using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Etw;

/// <summary>
/// Joins CPU samples of one process with their stacks. ETW logs a sample without a stack. The stack's kernel part follows as a separate
/// event, the program's part when the thread returns to user mode: once for all events since the thread entered the kernel, with the time
/// of one of them. Samples wait here and are published when their stack is complete, so one in the kernel may come after later ones.
/// </summary>
/// <param name="hub">Receives the samples.</param>
/// <param name="processId">Their process.</param>
/// <param name="cpuTicks">CPU time that a sample represents, in ticks.</param>
/// <param name="patience">Maximum time that a sample waits for the first part of its stack, in ticks.</param>
/// <param name="firstKernelAddress">First kernel address.</param>
/// <param name="stacksAreWhole">Whether a stack is complete with its first part.</param>
internal sealed class SampleQueue(EventHub hub, int processId, long cpuTicks, long patience, ulong firstKernelAddress, bool stacksAreWhole)
{
    /// <summary>Maximum number of samples that wait for their thread to leave the kernel, which it may never do.</summary>
    private const int MaxInKernel = 4096;

    /// <summary>CPU time that a sample represents, in ticks.</summary>
    public long CpuTicks => cpuTicks;

    /// <summary>Samples without any part of their stack.</summary>
    private readonly PendingSamples _fresh = new();

    /// <summary>Samples whose thread is in the kernel.</summary>
    private readonly PendingSamples _inKernel = new();

    /// <summary>Last waiting sample of each thread.</summary>
    private readonly IdTable<PendingSample> _threads = new();

    /// <summary>Samples for reuse.</summary>
    private readonly Stack<PendingSample> _free = new();

    public void Add(long time, int thread, ulong address, bool? isCut = null) => Add(time, thread, address, isSwitch: false, isCut);

    /// <summary>Adds a switch-in, which is published if it has a stack.</summary>
    public void AddSwitch(long time, int thread)
    {
        // The stack of the previous switch would have arrived by now.
        if (_threads.Get(thread) is { IsSwitch: true, HasKernelPart: false } before)
            PassOn(before);
        Add(time, thread, 0, isSwitch: true);
    }

    /// <summary>
    /// Adds a part of the stack of the event at <paramref name="time"/> on <paramref name="thread"/>, which need not be a sample.
    /// </summary>
    public void AddStack(long time, int thread, ReadOnlySpan<byte> addresses, int pointerSize)
    {
        var newest = _threads.Get(thread);
        if (newest is null || addresses.Length < pointerSize)
            return;
        var frames = addresses.Length / pointerSize;
        var kernel = 0;
        while (kernel < frames && IsKernel(KernelPayload.Pointer(addresses[(kernel * pointerSize)..], pointerSize)))
            kernel++;
        if (kernel > 0)
            AddKernelPart(newest, time, addresses, pointerSize, kernel, isWhole: stacksAreWhole || kernel < frames);
        else
            AddProgramPart(newest, time, addresses, pointerSize);
    }

    /// <summary>A thread ended: its samples get no further parts.</summary>
    public void EndThread(int thread)
    {
        while (_threads.Get(thread) is { } sample)
            PassOn(sample);
    }

    /// <summary>Publishes all waiting samples.</summary>
    public void End()
    {
        while ((_inKernel.First ?? _fresh.First) is { } sample)
            PassOn(sample);
    }

    private void Add(long time, int thread, ulong address, bool isSwitch, bool? isCut = null)
    {
        while (_fresh.First is { } oldest && oldest.Time < time - patience)
            PassOn(oldest);
        if (!_free.TryPop(out var sample))
            sample = new PendingSample();
        sample.Begin(time, thread, address, isSwitch, isCut);
        sample.NextOfThread = _threads.Get(thread);
        _threads.Set(thread, sample);
        _fresh.Add(sample);
    }

    private void AddKernelPart(
        PendingSample newest,
        long time,
        ReadOnlySpan<byte> addresses,
        int pointerSize,
        int kernelFrames,
        bool isWhole
    )
    {
        for (var sample = newest; sample is not null; sample = sample.NextOfThread)
        {
            if (sample.Time != time)
                continue;
            if (sample.HasKernelPart)
                return; // belongs to another event at the same time
            sample.Add(addresses, pointerSize, kernelFrames);
            if (isWhole)
            {
                PassOn(sample);
                return;
            }

            _fresh.Remove(sample);
            _inKernel.Add(sample);
            if (_inKernel.Count > MaxInKernel)
                PassOn(_inKernel.First!);
            return;
        }
    }

    private void AddProgramPart(PendingSample newest, long time, ReadOnlySpan<byte> addresses, int pointerSize)
    {
        for (var sample = newest; sample is not null;)
        {
            var next = sample.NextOfThread;
            if (sample.HasKernelPart || sample.Time == time)
            {
                sample.Add(addresses, pointerSize, 0);
                PassOn(sample);
            }

            sample = next;
        }
    }

    private void PassOn(PendingSample sample)
    {
        sample.Waiting!.Remove(sample);
        Unlink(sample);
        if (!sample.IsSwitch)
            hub.Publish(sample.Read(processId, cpuTicks, IsKernel(sample.Address)));
        else if (sample.Frames.Length > 0)
            hub.Publish(
                new SwitchInStack
                {
                    At = new EventAt(sample.Time, processId, sample.Thread),
                    Frames = sample.Frames,
                    KernelFrames = sample.KernelFrames,
                }
            );
        _free.Push(sample);
    }

    private void Unlink(PendingSample sample)
    {
        var previous = _threads.Get(sample.Thread);
        if (previous == sample)
        {
            _threads.Set(sample.Thread, sample.NextOfThread);
            return;
        }

        while (previous!.NextOfThread != sample)
            previous = previous.NextOfThread;
        previous.NextOfThread = sample.NextOfThread;
    }

    private bool IsKernel(ulong address) => address >= firstKernelAddress;
}
