using System.Globalization;

namespace EtwSerializerProfiler.Stores.Tests.Fleet;

/// <summary>A ClickHouse server on ports of the loopback device, with its data in its own folder.</summary>
internal sealed class ClickHouseNode : IDisposable
{
    // Name of the cluster in the configuration.
    public const string Cluster = "fleet";

    private readonly TempFolder _folder = new();
    private EngineProcess? _process;

    /// <summary>Takes ports; <see cref="Start"/> starts it.</summary>
    public ClickHouseNode()
    {
        HttpPort = EngineProcess.FreePort();
        NativePort = EngineProcess.FreePort();
    }

    /// <summary>Port of HTTP.</summary>
    public int HttpPort { get; }

    /// <summary>Port for connections between servers.</summary>
    public int NativePort { get; }

    /// <summary>HOST:PORT of HTTP.</summary>
    public string Http => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{HttpPort}");

    /// <summary>HOST:PORT that errors of other servers name.</summary>
    public string Native => string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{NativePort}");

    /// <summary>Starts it and waits until it answers.</summary>
    /// <param name="shards">The servers of the cluster, by shard.</param>
    public void Start(IEnumerable<ClickHouseNode> shards)
    {
        var path = _folder.Path;
        foreach (var folder in new[] { "data", "tmp", "formats" })
            Directory.CreateDirectory(Path.Combine(path, folder));
        var members = string.Concat(
            shards.Select(shard => $"<shard><replica><host>127.0.0.1</host><port>{shard.NativePort}</port></replica></shard>")
        );
        var config = _folder.Write(
            "config.xml",
            $"""
            <yandex>
              <logger><level>warning</level><log>{path}/server.log</log><errorlog>{path}/error.log</errorlog></logger>
              <http_port>{HttpPort}</http_port><tcp_port>{NativePort}</tcp_port><listen_host>127.0.0.1</listen_host>
              <path>{path}/data/</path><tmp_path>{path}/tmp/</tmp_path><format_schema_path>{path}/formats/</format_schema_path>
              <mark_cache_size>16777216</mark_cache_size>
              <users_config>{path}/users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database><timezone>UTC</timezone>
              <remote_servers><{Cluster}>{members}</{Cluster}></remote_servers>
            </yandex>
            """
        );
        _folder.Write(
            "users.xml",
            """
            <yandex>
              <profiles><default><max_memory_usage>2000000000</max_memory_usage></default></profiles>
              <users>
                <default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
                <reader><password>word</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></reader>
              </users>
              <quotas><default></default></quotas>
            </yandex>
            """
        );
        _process = new EngineProcess(path, "server", NeedsProgramAttribute.Find("clickhouse-server")!, [$"--config-file={config}"]);
        using var client = new HttpClient();
        EngineProcess.Until(() => Answers(client), () => $"clickhouse-server does not answer: {_process.Output} {Log()}");
    }

    /// <summary>Ends it as kill -9 does.</summary>
    public void Kill()
    {
        _process?.Dispose();
        _process = null;
    }

    /// <inheritdoc />
    public void Dispose()
    {
        Kill();
        _folder.Dispose();
    }

    private string Log() =>
        File.Exists(Path.Combine(_folder.Path, "error.log")) ? File.ReadAllText(Path.Combine(_folder.Path, "error.log")) : "";

    private bool Answers(HttpClient client)
    {
        if (_process!.HasExited)
            throw new InvalidOperationException($"clickhouse-server ended: {_process.Output} {Log()}");
        try
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, new Uri($"http://{Http}/ping"));
            using var response = client.Send(request);
            return response.IsSuccessStatusCode;
        }
        catch (HttpRequestException)
        {
            return false;
        }
    }
}
