namespace EtwSerializerProfiler.Analysis.Exceptions;

/// <summary>What the rows of a report on exceptions stand for, beside type, message pattern, place and the runs' serializer and test.</summary>
public enum ExceptionGrouping
{
    /// <summary>Nothing more: all runs of a serializer and test together.</summary>
    Method = 0,

    /// <summary>A single run.</summary>
    Run = 1,
}
