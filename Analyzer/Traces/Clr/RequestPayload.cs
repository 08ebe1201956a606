using System.Globalization;
using System.Net;
using EtwSerializerProfiler.Traces.Events;

namespace EtwSerializerProfiler.Traces.Clr;

/// <summary>
/// Events of <see cref="RequestProvider"/>. Each contains its own description, so its number means nothing: source name, event name, 16-bit
/// count, then that many names and values.
/// </summary>
internal static class RequestPayload
{
    /// <summary>GUID that EventSource derives from <see cref="RequestProvider.Name"/>.</summary>
    public static readonly Guid Provider = new("adb401e1-5296-51f8-c125-5fda75826144");

    /// <summary>Publishes start or stop of a request; ignores events that other tools requested.</summary>
    public static void Dispatch(EventHub hub, in EventAt at, ReadOnlySpan<byte> payload)
    {
        var reader = new PayloadReader(payload);
        var (source, name) = (reader.Text(), reader.Text());
        if (!reader.Fits)
            return;
        switch (source, name)
        {
            case (RequestProvider.ServerSource, RequestProvider.ServerStart) or (RequestProvider.ClientSource, RequestProvider.ClientStart):
                var start = new Properties(ref reader);
                if (start.Id.Length > 0)
                    hub.Publish(new RequestStarted(at, SideOf(source), start.Id, start.Method, start.Host, start.Path));
                break;
            case (RequestProvider.ServerSource, RequestProvider.ServerStop or RequestProvider.ServerFault)
            or (RequestProvider.ClientSource, RequestProvider.ClientStop):
                var stop = new Properties(ref reader);
                var isFaulted =
                    name == RequestProvider.ServerFault || stop.Outcome is nameof(TaskStatus.Faulted) or nameof(TaskStatus.Canceled);
                if (stop.Id.Length > 0)
                    hub.Publish(
                        new RequestStopped(at, SideOf(source), stop.Id, stop.Connection, StatusOf(stop.Status), stop.Values, isFaulted)
                    );
                break;
        }
    }

    private static RequestSide SideOf(string source) => source == RequestProvider.ServerSource ? RequestSide.Served : RequestSide.Sent;

    /// <summary>ASP.NET Core writes the number, HttpClient the name.</summary>
    private static int? StatusOf(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number
        : Enum.TryParse<HttpStatusCode>(text, out var code) ? (int)code
        : null;

    /// <summary>The requested properties; empty when an event lacks the name.</summary>
    private readonly struct Properties
    {
        public Properties(ref PayloadReader reader)
        {
            for (var left = reader.UInt16(); left > 0 && reader.Fits; left--)
            {
                var (name, value) = (reader.Text(), reader.Text());
                if (!reader.Fits)
                    return;
                switch (name)
                {
                    case RequestProvider.Id:
                        Id = value;
                        break;
                    case RequestProvider.Connection:
                        Connection = value;
                        break;
                    case RequestProvider.Method:
                        Method = value;
                        break;
                    case RequestProvider.Host:
                        Host = value;
                        break;
                    case RequestProvider.Path:
                        Path = value;
                        break;
                    case RequestProvider.Status:
                        Status = value;
                        break;
                    case RequestProvider.Values:
                        Values = value;
                        break;
                    case RequestProvider.Outcome:
                        Outcome = value;
                        break;
                }
            }
        }

        public string Id { get; } = "";

        public string Connection { get; } = "";

        public string Method { get; } = "";

        public string Host { get; } = "";

        public string Path { get; } = "";

        public string Status { get; } = "";

        public string Values { get; } = "";

        public string Outcome { get; } = "";
    }
}
