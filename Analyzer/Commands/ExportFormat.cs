namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary>Formats that recordings are exported to.</summary>
internal enum ExportFormat
{
    /// <summary>Event trace log of Windows.</summary>
    Etl = 0,
}
