using System.CommandLine;
using System.CommandLine.Completions;
using EtwSerializerProfiler.CommandLine;
using EtwSerializerProfiler.CommandLine.Help;
using EtwSerializerProfiler.Parsing;
using EtwSerializerProfiler.Stores.Queries;
using EtwSerializerProfiler.Stores.Reports;

namespace EtwSerializerProfiler.Analyzer.Commands;

/// <summary><c>esp-analyze query</c>: queries a store of many traces with SQL or a named query.</summary>
internal static class QueryCommand
{
    public static Command Create()
    {
        var command = new Command(
            "query",
            "Queries a store of many traces (filled by 'extract') with SQL or a named query; docs/schema.md describes the tables."
        );
        command.WithExamples(
            ("esp-analyze query all.db --named gc-pauses", "Which serializers had the longest GC pauses, over all traces?"),
            ("esp-analyze query all.db --named regressions -f csv", "What became slower since the last traces, as CSV?"),
            ("esp-analyze query --list", "Which named queries are there?")
        );
        var words = new Argument<string[]>("STORE [SQL]")
        {
            Description = "The store (a file such as all.db, sqlite:FILE or clickhouse:URL), and a SELECT unless --named chooses one.",
            Arity = new ArgumentArity(0, 2),
        };
        var named = new Option<string?>("--named") { Description = "One of the named queries.", HelpName = "NAME" };
        var list = new Option<bool>("--list") { Description = "List the named queries." };
        var format = new AnalyzeArguments().Format;
        named.CompletionSources.Add(static _ => NamedQueries.All.Select(query => new CompletionItem(query.Name)));
        words.Validators.Add(ParseProblems.RefuseUnknownOptions);
        command.Arguments.Add(words);
        foreach (var option in (Option[])[named, list, format])
            command.Options.Add(option);
        command.Check(result =>
        {
            var given = result.GetResult(words)?.Tokens.Count ?? 0;
            var isNamed = result.GetResult(named) is not null;
            if (result.GetValue(list))
            {
                if (given == 2 || isNamed)
                    result.AddError("--list lists the named queries and runs none", "leave out the query, or --list");
            }
            else if (given == 0)
            {
                result.AddError("the store is missing", "name one: esp-analyze query all.db --named gc-pauses; --list lists the names");
            }
            else if ((given == 2) == isNamed)
            {
                result.AddError(
                    isNamed ? "there are both a query and --named" : "the query is missing",
                    "write a SELECT after the store, or --named NAME; --list lists the names"
                );
            }
        });
        command.SetAction(parsed =>
        {
            var given = parsed.GetValue(words)!;
            var output = parsed.InvocationConfiguration.Output;
            return ReportAction.Guarded(
                parsed,
                given,
                () =>
                {
                    if (parsed.GetValue(list))
                    {
                        QueryReport.PrintNames(parsed.GetValue(format), output);
                        return;
                    }

                    var query = parsed.GetValue(named) is { } name ? NamedQueries.Find(name) : null;
                    QueryReport.Print(
                        given[0],
                        query?.Sql ?? given[1],
                        query is null ? "" : $"{query.Name}: {query.Description}",
                        parsed.GetValue(format),
                        output
                    );
                }
            );
        });
        return command;
    }
}
