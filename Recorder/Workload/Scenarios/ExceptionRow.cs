namespace EtwSerializerProfiler.Workload.Scenarios;

/// <summary>What reading the values took, with and without exceptions.</summary>
/// <param name="WordPercent">Values that are no number, in percent: each is an exception.</param>
/// <param name="Depth">Frames between try and throw.</param>
/// <param name="Throwing">Median time of a read with int.Parse and catch, in ms.</param>
/// <param name="Trying">Median time of a read with TryParse, in ms.</param>
/// <param name="Exceptions">Exceptions of a read: counted by the runtime where it tells, else the words.</param>
public sealed record ExceptionRow(int WordPercent, int Depth, double Throwing, double Trying, long Exceptions)
{
    /// <summary>Time with exceptions over that without.</summary>
    public double Factor => Throwing / Trying;

    /// <summary>What one exception costs, in µs; null without exceptions.</summary>
    public double? MicrosecondsPerException => Exceptions > 0 ? (Throwing - Trying) * 1000 / Exceptions : null;
}
