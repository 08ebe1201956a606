namespace EtwSerializerProfiler.Analysis.Comparison.Trends;

/// <summary>One recording of a row over time.</summary>
/// <param name="Recording">The recording.</param>
/// <param name="StartedUtc">When it began, UTC; null of bare files.</param>
/// <param name="Runs">Runs that count.</param>
/// <param name="Disturbed">Runs left out because something else had the machine.</param>
/// <param name="Values">The measure of each run, in ms or bytes; empty when it was not recorded or no run counts.</param>
/// <param name="Median">Their median; null without values.</param>
/// <param name="Change">The change that begins here; null where none does.</param>
public sealed record TrendPoint(ComparedRecording Recording, DateTime? StartedUtc, int Runs, int Disturbed, IReadOnlyList<double> Values, double? Median, TrendChange? Change);
