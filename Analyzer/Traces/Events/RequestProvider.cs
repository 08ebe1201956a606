namespace EtwSerializerProfiler.Traces.Events;

/// <summary>
/// Provider of HTTP requests: the event source that forwards DiagnosticSource events. Only it provides status, route and both ends of a
/// request. The event sources of ASP.NET Core and HttpClient (Microsoft.AspNetCore.Hosting, System.Net.Http) write neither the status nor a
/// link between start and stop, and the activities of .NET 8 to 10 carry no path.
/// </summary>
/// <remarks>
/// The four events are enabled without activities, so that the recording adds no <c>traceparent</c> header to requests. Names and
/// properties: HostingApplicationDiagnostics.cs of dotnet/aspnetcore, DiagnosticsHandler.cs of dotnet/runtime; form of the specification:
/// DiagnosticSourceEventSource.cs of dotnet/runtime.
/// </remarks>
public static class RequestProvider
{
    /// <summary>Its name.</summary>
    public const string Name = "Microsoft-Diagnostics-DiagnosticSource";

    /// <summary>Keyword of the events; without it, messages about the specification are enabled.</summary>
    public const ulong Keywords = 0x2;

    /// <summary>Name of the argument that selects events and properties.</summary>
    public const string ArgumentName = "FilterAndPayloadSpecs";

    internal const string ServerSource = "Microsoft.AspNetCore";
    internal const string ServerStart = "Microsoft.AspNetCore.Hosting.BeginRequest";
    internal const string ServerStop = "Microsoft.AspNetCore.Hosting.EndRequest";
    internal const string ServerFault = "Microsoft.AspNetCore.Hosting.UnhandledException";
    internal const string ClientSource = "HttpHandlerDiagnosticListener";
    internal const string ClientStart = "System.Net.Http.Request";
    internal const string ClientStop = "System.Net.Http.Response";

    internal const string Id = nameof(Id);
    internal const string Connection = nameof(Connection);
    internal const string Method = nameof(Method);
    internal const string Host = nameof(Host);
    internal const string Path = nameof(Path);
    internal const string Status = nameof(Status);
    internal const string Values = nameof(Values);
    internal const string Outcome = nameof(Outcome);

    private const string ServerEnd =
        $"{Id}=httpContext.TraceIdentifier;{Connection}=httpContext.Connection.Id;{Status}=httpContext.Response.StatusCode;{Values}=httpContext.Request.RouteValues.*Enumerate";

    /// <summary>The minimum that names a request, pairs its ends and shows its outcome. Omits the query, headers and bodies.</summary>
    public static string Argument { get; } =
        string.Join(
            '\n',
            $"{ServerSource}/{ServerStart}:-{Id}=httpContext.TraceIdentifier;{Method}=httpContext.Request.Method;{Path}=httpContext.Request.Path.Value",
            $"{ServerSource}/{ServerStop}:-{ServerEnd}",
            $"{ServerSource}/{ServerFault}:-{ServerEnd}",
            $"{ClientSource}/{ClientStart}:-{Id}=LoggingRequestId;{Method}=Request.Method.Method;{Host}=Request.RequestUri.Authority;{Path}=Request.RequestUri.AbsolutePath",
            $"{ClientSource}/{ClientStop}:-{Id}=LoggingRequestId;{Status}=Response.StatusCode;{Outcome}=RequestTaskStatus"
        );
}
