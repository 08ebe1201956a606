namespace EtwSerializerProfiler.Sessions.Etw.Tools;

/// <summary>What carries out a plan on Windows; values of <c>--sessions</c> in small letters.</summary>
public enum EtwTool
{
    /// <summary>TraceEventSession, in the recorder's own process: needs nothing but the recorder.</summary>
    TraceEvent = 0,

    /// <summary>xperf of the Windows Performance Toolkit.</summary>
    Xperf = 1,

    /// <summary>tracelog of the Windows Driver Kit, with xperf for what it cannot do.</summary>
    Tracelog = 2,

    /// <summary>wpr, which is part of Windows 10 and later.</summary>
    Wpr = 3,
}
