using EtwSerializerProfiler.Etl.Tests;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;
using EtwSerializerProfiler.Traces.Symbols.Lines;

namespace EtwSerializerProfiler.Traces.Tests.TraceEvent;

/// <summary>Maps of code to IL in a PerfView trace of .NET Framework: each is next to the event of its code, as on .NET.</summary>
[NeedsRealTraces]
public sealed class StatementMapTests
{
    [Fact]
    public void Every_map_of_NET_Framework_finds_its_code()
    {
        var (maps, found) = (0, 0);
        foreach (var process in TraceInputReader.Open([RealTraces.Get("net.4.5.2.x64.etl.zip")]).Processes)
        {
            var (codes, map) = (new Codes(), new ManagedCodeMap(lines: new CodePointsPool()));
            process.Read(codes);
            process.Read(map);
            maps += codes.Maps.Count;
            found += codes.Maps.Count(method =>
                codes.Places.GetValueOrDefault(method) is { } places
                && places.Any(place =>
                    map.TryFind(place.Start, place.Time, out var code, out var tree, out _, out _)
                    && code.MethodId == method
                    && tree?.Points is not null
                )
            );
        }

        Assert.Equal(16_494, maps);
        Assert.Equal(maps, found);
    }

    /// <summary>Methods with a map, and the addresses of their code.</summary>
    private sealed class Codes : IEventSubscriber
    {
        public List<long> Maps { get; } = [];

        public Dictionary<long, List<(ulong Start, long Time)>> Places { get; } = [];

        public void Subscribe(EventHub hub)
        {
            hub.Subscribe<MethodCode>(OnCode);
            hub.Subscribe<CodeStatements>(OnStatements);
        }

        private void OnCode(in MethodCode code)
        {
            if (!Places.TryGetValue(code.MethodId, out var places))
                Places.Add(code.MethodId, places = []);
            places.Add((code.Start, code.At.Time));
        }

        private void OnStatements(in CodeStatements statements) => Maps.Add(statements.MethodId);
    }
}
