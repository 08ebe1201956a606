using EtwSerializerProfiler.Analysis.Cpu;
using EtwSerializerProfiler.Analysis.Events;
using EtwSerializerProfiler.Analysis.Requests;
using EtwSerializerProfiler.Traces.Events;
using EtwSerializerProfiler.Traces.Inputs;
using EtwSerializerProfiler.Traces.Symbols;

namespace EtwSerializerProfiler.Analysis.Tests.Requests;

/// <summary>Requests of a made-up program without marks.</summary>
public sealed class RequestAnalysisTests
{
    [Fact]
    public void Requests_are_paired_by_id_whatever_lies_between()
    {
        var row = Assert.Single(
            Read(
                new SyntheticTrace()
                    .Request(1000, 5000, "a:1", "/items/1", "[id, 1]")
                    .Request(2000, 4000, "b:1", "/items/2", "[id, 2]")
                    .Request(3000, 3500, "c:1", "/items/3", "[id, 3]", status: 503)
            ).AllRows
        );

        Assert.Equal(("GET /items/{id}", RequestSide.Served, 3, 1, 0), (row.Name, row.Side, row.Count, row.Failed, row.Open));
        Assert.Equal((6.5, 2.0, 4.0), (row.TotalMs, row.MedianMs, row.MaxMs));
        Assert.Equal(3.8, row.P95Ms!.Value, 9);
        Assert.Equal([(200, 2), (503, 1)], row.Statuses);
    }

    [Fact]
    public void A_request_whose_id_changed_is_known_by_its_connection_if_it_is_alone_there()
    {
        var alone = Read(
            new SyntheticTrace().Request(1000, 2000, "a:1", "/x", stopId: "mine", connection: "a").Request(1100, 2100, "ab:1", "/x")
        );
        Assert.Equal((2, 0), (alone.AllRows[0].Count, alone.Unpaired));

        var several = Read(
            new SyntheticTrace().Request(1000, 2000, "a:1", "/x", stopId: "mine", connection: "a").Request(1100, 2100, "a:2", "/x")
        );
        Assert.Equal((1, 1, 1), (several.AllRows[0].Count, several.AllRows[0].Open, several.Unpaired));
    }

    [Fact]
    public void Requests_without_start_or_end_have_no_time()
    {
        var result = Read(new SyntheticTrace().Request(1000, null, "a:1", "/hangs").Request(null, 2000, "b:1", "/x"));

        var row = Assert.Single(result.AllRows);
        Assert.Equal(("GET /hangs", 0, 1, 0.0, null, null), (row.Name, row.Count, row.Open, row.TotalMs, row.MedianMs, row.Longest));
        Assert.Equal(1, result.Unpaired);
    }

    [Fact]
    public void Rows_are_ordered_by_their_time_and_very_many_routes_are_one()
    {
        var trace = new SyntheticTrace().Request(1000, 1010, "a:0", "/short").Request(1000, 9000, "a:1", "/long");
        for (var number = 0; number < 1100; number++)
            trace.Request(10_000 + number, 10_001 + number, $"b:{number}", $"/page{number}");
        var result = Read(trace);

        Assert.Equal(("GET /long", "(other routes)"), (result.AllRows[0].Name, result.AllRows[1].Name));
        Assert.Equal(1001, result.RowsTotal);
        Assert.Equal(1102, result.AllRows.Sum(row => row.Count));
    }

    private static RequestResult Read(SyntheticTrace trace)
    {
        IReadOnlyList<TracedProcess> processes =
        [
            new TracedProcess(
                SyntheticTrace.Process,
                "web",
                ".NET 10.0",
                [trace.SwitchIn(1, SyntheticTrace.Main).SwitchOut(100_000, SyntheticTrace.Main)],
                []
            ),
        ];
        return RequestAnalysis.Run(
            processes,
            RunAnalysis.Run(processes, []).Runs,
            new EventQuery(new RunFilter(), null),
            new SymbolFiles("elsewhere", DateTime.UnixEpoch, TimeSpan.Zero)
        );
    }
}
