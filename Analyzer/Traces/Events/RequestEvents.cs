namespace EtwSerializerProfiler.Traces.Events;

/// <summary>A program's side of an HTTP request.</summary>
public enum RequestSide
{
    /// <summary>It serves the request: ASP.NET Core.</summary>
    Served,

    /// <summary>It sends the request: HttpClient.</summary>
    Sent,
}

/// <summary>A request began: ASP.NET Core received it, or HttpClient hands it to a connection.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="Side">Served or sent.</param>
/// <param name="Id">Identifies the request in its process.</param>
/// <param name="Method">GET, POST …</param>
/// <param name="Host">Host and port of a sent request; empty for a served one.</param>
/// <param name="Path">Path without query.</param>
public readonly record struct RequestStarted(EventAt At, RequestSide Side, string Id, string Method, string Host, string Path) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Requests;

    static bool ITraceEvent.ShowsKind => true;
}

/// <summary>A request ended: its response was written, or its response's headers arrived.</summary>
/// <param name="At">Time, process and thread.</param>
/// <param name="Side">Served or sent.</param>
/// <param name="Id">Identifies the request in its process. The program may have changed the id of a served one.</param>
/// <param name="Connection">Connection of a served request; empty for a sent one.</param>
/// <param name="Status">Status code; null when there was no response.</param>
/// <param name="RouteValues">Parameters of the route as ASP.NET Core writes them: <c>[id, 5],[name, x]</c>; empty without any.</param>
/// <param name="IsFaulted">Whether it ended with an exception or was cancelled.</param>
public readonly record struct RequestStopped(
    EventAt At,
    RequestSide Side,
    string Id,
    string Connection,
    int? Status,
    string RouteValues,
    bool IsFaulted
) : ITraceEvent
{
    static EventKinds ITraceEvent.Kind => EventKinds.Requests;

    static bool ITraceEvent.ShowsKind => true;
}
