using System.Globalization;
using EtwSerializerProfiler.Foundation.Problems;

namespace EtwSerializerProfiler.Configuration;

/// <summary>Thrown for an invalid configuration file.</summary>
public sealed class ConfigurationException : Exception, IProblemSource
{
    /// <summary>Creates the error.</summary>
    /// <param name="path">The file.</param>
    /// <param name="at">Position in the file; null for the whole file.</param>
    /// <param name="problem">What is wrong and what was expected, without a full stop.</param>
    /// <param name="advice">How to fix it, without a full stop.</param>
    public ConfigurationException(
        string path,
        TextPosition? at,
        string problem,
        string advice = "correct it, or leave the file out with --no-config"
    )
        : base($"{Place(path, at)}: {problem}{(problem.EndsWith('?') ? "" : ";")} {advice}")
    {
        Problem = new Problem(problem, Place(path, at), advice);
    }

    /// <summary>The problem; its location has the form <c>FILE:LINE:COLUMN</c> that terminals and editors recognize.</summary>
    public Problem Problem { get; }

    /// <summary>Formats file, line and column as terminals and editors recognize them.</summary>
    internal static string Place(string path, TextPosition? at) =>
        at is { } position ? string.Create(CultureInfo.InvariantCulture, $"{path}:{position.Line}:{position.Column}") : path;
}
