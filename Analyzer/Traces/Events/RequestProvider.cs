namespace EtwSerializerProfiler.Traces.Events;

/// <summary>
/// What brings HTTP requests: the event source that passes DiagnosticSource events on. It is the only way to status, route and both ends of one request. The event sources of ASP.NET Core and HttpClient
/// (Microsoft.AspNetCore.Hosting, System.Net.Http) write neither the status nor anything that pairs an end with its begin, and the activities of .NET 8 to 10 carry no path.
/// </summary>
/// <remarks>
/// The four events come without activities, so that no request gets a <c>traceparent</c> header that it would not have without a recording. Names and properties: HostingApplicationDiagnostics.cs of
/// dotnet/aspnetcore, DiagnosticsHandler.cs of dotnet/runtime; form of the specification: DiagnosticSourceEventSource.cs of dotnet/runtime.
/// </remarks>
public static class RequestProvider
{
    /// <summary>Its name.</summary>
    public const string Name = "Microsoft-Diagnostics-DiagnosticSource";

    /// <summary>Keyword of the events; without it come messages about the specification.</summary>
    public const ulong Keywords = 0x2;

    /// <summary>The argument that says which events and which of their properties are wanted.</summary>
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

    private const string ServerEnd = $"{Id}=httpContext.TraceIdentifier;{Connection}=httpContext.Connection.Id;{Status}=httpContext.Response.StatusCode;{Values}=httpContext.Request.RouteValues.*Enumerate";

    /// <summary>The least that names a request, pairs its ends and shows how it went. The query is left out, and so are headers and bodies.</summary>
    public static string Argument { get; } = string.Join(
        '\n',
        $"{ServerSource}/{ServerStart}:-{Id}=httpContext.TraceIdentifier;{Method}=httpContext.Request.Method;{Path}=httpContext.Request.Path.Value",
        $"{ServerSource}/{ServerStop}:-{ServerEnd}",
        $"{ServerSource}/{ServerFault}:-{ServerEnd}",
        $"{ClientSource}/{ClientStart}:-{Id}=LoggingRequestId;{Method}=Request.Method.Method;{Host}=Request.RequestUri.Authority;{Path}=Request.RequestUri.AbsolutePath",
        $"{ClientSource}/{ClientStop}:-{Id}=LoggingRequestId;{Status}=Response.StatusCode;{Outcome}=RequestTaskStatus");
}
