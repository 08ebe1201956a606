using System.Globalization;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Configuration;

/// <summary>A configuration file that cannot be taken: what is wrong, where, and what to do.</summary>
public sealed class ConfigurationException : Exception, IProblemSource
{
    /// <summary>Makes the error.</summary>
    /// <param name="path">The file.</param>
    /// <param name="at">Where in it; null when it is the file as a whole.</param>
    /// <param name="problem">What is wrong and what was expected, without a full stop.</param>
    /// <param name="advice">How to fix it, without a full stop.</param>
    public ConfigurationException(string path, TextPosition? at, string problem, string advice = "correct it, or leave the file out with --no-config")
        : base($"{Place(path, at)}: {problem}{(problem.EndsWith('?') ? "" : ";")} {advice}")
    {
        Problem = new Problem(problem, Place(path, at), advice);
    }

    /// <summary>What is wrong and what was expected; where, as terminals and editors take it: <c>FILE:LINE:COLUMN</c>; what to do.</summary>
    public Problem Problem { get; }

    /// <summary>File, line and column as terminals and editors take them.</summary>
    internal static string Place(string path, TextPosition? at) => at is { } position ? string.Create(CultureInfo.InvariantCulture, $"{path}:{position.Line}:{position.Column}") : path;
}
