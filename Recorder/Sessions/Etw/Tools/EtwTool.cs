namespace EtwSerializerProfiler.Sessions.Etw.Tools;

/// <summary>Tools that execute a plan on Windows; values of <c>--sessions</c> in lower case.</summary>
public enum EtwTool
{
    /// <summary>TraceEventSession in the recorder's own process; needs no other program.</summary>
    TraceEvent = 0,

    /// <summary>xperf of the Windows Performance Toolkit.</summary>
    Xperf = 1,

    /// <summary>tracelog of the Windows Driver Kit, supplemented by xperf.</summary>
    Tracelog = 2,

    /// <summary>wpr, which is part of Windows 10 and later.</summary>
    Wpr = 3,
}
