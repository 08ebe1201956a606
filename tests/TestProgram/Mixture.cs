using System.Runtime.CompilerServices;
using System.Security.Cryptography;

/// <summary>
/// A workload of five known parts, managed and native, in user and kernel mode, each timed by the thread's CPU clock; continuous, or in
/// bursts with sleeps between them.
/// </summary>
internal sealed class Mixture : IDisposable
{
    /// <summary>Share of each part in percent, in the order of <see cref="_parts"/>.</summary>
    private static readonly int[] s_shares = [35, 20, 15, 15, 15];

    private readonly byte[] _bytes = RandomNumberGenerator.GetBytes(64 << 10);
    private readonly byte[] _copy = new byte[64 << 10];
    private readonly byte[] _hash = new byte[32];
    private readonly FileStream _zeros = new("/dev/zero", FileMode.Open, FileAccess.Read, FileShare.ReadWrite, 0);
    private readonly long[] _taken = new long[s_shares.Length];
    private readonly long[] _units = new long[s_shares.Length];
    private readonly (string Name, Action<int> Take)[] _parts;

    public Mixture() =>
        _parts = [(nameof(Spin), Spin), (nameof(Hash), Hash), (nameof(Copy), Copy), (nameof(Read), Read), (nameof(Collect), Collect)];

    public void Dispose() => _zeros.Dispose();

    /// <summary>Name and CPU time of each part so far, in ns.</summary>
    public IEnumerable<(string Name, long Nanoseconds)> Taken => _parts.Zip(_taken, (part, taken) => (part.Name, taken));

    /// <summary>Takes CPU time. Each burst is of the part that is furthest below its share.</summary>
    /// <param name="nanoseconds">CPU time in all.</param>
    /// <param name="burst">CPU time of a burst, ns.</param>
    /// <param name="sleep">Time between two bursts, ns; 0 for none.</param>
    public void Take(long nanoseconds, long burst, long sleep)
    {
        for (var all = 0L; all < nanoseconds; all = _taken.Sum())
        {
            var next = Enumerable.Range(0, _parts.Length).MinBy(part => (double)_taken[part] / s_shares[part]);
            // The number of units comes from earlier bursts: reading the clock in between would be another part.
            var units = _taken[next] > 0 ? (int)Math.Max(1, burst * _units[next] / _taken[next]) : 1;
            var start = ThreadClock.Now();
            _parts[next].Take(units);
            _taken[next] += ThreadClock.Now() - start;
            _units[next] += units;
            if (sleep > 0)
                ThreadClock.Sleep(sleep);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    private static void Spin(int units)
    {
        var x = (uint)units;
        for (var step = 0; step < 15_000 * units; step++)
            x = x * 1_664_525 + 1_013_904_223;
        GC.KeepAlive(x);
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    private void Hash(int units)
    {
        for (var unit = 0; unit < units; unit++)
            SHA256.HashData(_bytes.AsSpan(0, 16 << 10), _hash);
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    private void Copy(int units)
    {
        for (var unit = 0; unit < units * 8; unit++)
            _bytes.CopyTo(_copy, 0);
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    private void Read(int units)
    {
        for (var unit = 0; unit < units; unit++)
            _ = _zeros.Read(_copy);
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    private static void Collect(int units)
    {
        for (var unit = 0; unit < units; unit++)
            GC.Collect(0);
    }
}
