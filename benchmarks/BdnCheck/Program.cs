using System.CommandLine;
using EtwSerializerProfiler.BdnCheck;

// dotnet run -c Release --project benchmarks/BdnCheck [-- --rounds 3 --serializers DataContract,SystemTextJson --objects 1000,100000]
var rounds = new Option<int>("--rounds")
{
    Description = "Rounds: in each, the suite and BenchmarkDotNet measure every call; they alternate in being first.",
    DefaultValueFactory = _ => 3,
};
var serializers = new Option<string>("--serializers")
{
    Description = "Whole names, separated by commas.",
    DefaultValueFactory = _ => "DataContract,Newtonsoft.Json,SystemTextJson,ServiceStack.Text,Google.Protobuf",
};
var objects = new Option<string>("--objects")
{
    Description = "Object counts, separated by commas.",
    DefaultValueFactory = _ => "1000,100000",
};
var root = new RootCommand(
    "Time of the suite's calls against an independent measurement of the same calls by BenchmarkDotNet: 0 when they are within 10 % in the median, else 1."
)
{
    rounds,
    serializers,
    objects,
};
root.SetAction(
    (parsed, cancellation) =>
        Check.RunAsync(
            parsed.GetValue(rounds),
            new Calls(parsed.GetValue(serializers)!, parsed.GetValue(objects)!),
            Console.Out,
            cancellation
        )
);

// A process of one round, started by the command.
var file = new Argument<string>("file");
var measure = new Command("measure") { file, serializers, objects };
measure.Hidden = true;
measure.SetAction(parsed =>
    Measurement.Run(new Calls(parsed.GetValue(serializers)!, parsed.GetValue(objects)!), parsed.GetValue(file)!, Console.Error)
);
root.Subcommands.Add(measure);
return await root.Parse(args).InvokeAsync().ConfigureAwait(false);
