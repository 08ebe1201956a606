using EtwSerializerProfiler.Analysis.Runs.Delimiting;
using EtwSerializerProfiler.Traces;

namespace EtwSerializerProfiler.Analysis.Runs.SerializerTests;

/// <summary>
/// Third phase: names the runs without names in their marks, those of SerializerTests, by the serializer in their samples.
/// </summary>
/// <param name="process">The process with its delimited runs.</param>
internal sealed class NamePhase(DelimitedProcess process)
{
    private readonly SerializerNamer? _namer = process is { IsSerializerTests: true, Reading.NamesSamples: true }
        ? new SerializerNamer(
            process.CreateWindows(),
            [.. process.Windowed.Select(run => run.Marks.Identity!.Operation)],
            process.Reading.Symbols.Resolver
        )
        : null;

    public IEnumerable<TraceRequest> Requests() => _namer is null ? [] : process.Reading.Process.Requests(_namer);

    /// <summary>Returns the process with named runs, numbered per serializer and operation.</summary>
    public DelimitedProcess Finish()
    {
        if (!process.IsSerializerTests)
            return process;
        var numbers = new Dictionary<(string Serializer, string Operation), int>();
        return process with { Runs = [.. process.Runs.Select(Named)] };

        DelimitedRun Named(DelimitedRun run, int index)
        {
            var (found, unnamed) = (_namer?.Of(index), run.Marks.Identity!);
            var name = (Serializer: found?.Serializer ?? SerializerNamer.Unknown, unnamed.Operation);
            var number = numbers[name] = numbers.GetValueOrDefault(name) + 1;
            var marks = run.Marks with
            {
                Identity = unnamed with { Serializer = name.Serializer, RunNumber = number },
                MeasuringThread = found?.Thread,
            };
            return run with { Evidence = run.Evidence with { Marks = marks } };
        }
    }
}
