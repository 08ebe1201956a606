namespace EtwSerializerProfiler.Stores.Queries;

/// <summary>A question that is asked often.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Description">What it answers, in one sentence.</param>
/// <param name="Sql">The query, in what SQLite and ClickHouse both take: no common table expressions, no window functions.</param>
public sealed record NamedQuery(string Name, string Description, string Sql);
