namespace EtwSerializerProfiler.Analysis.Comparison;

/// <summary>How a measure's differences are judged.</summary>
public enum MetricKind
{
    /// <summary>Time of a run as a whole: positive, compared as a ratio, with loose bounds.</summary>
    Time = 0,

    /// <summary>Time that is a part of the run's and can be 0: compared in ms, against the run's wall time.</summary>
    PartOfTime = 1,

    /// <summary>Bytes, which hardly vary: compared as a ratio, with tight bounds.</summary>
    Bytes = 2,
}
