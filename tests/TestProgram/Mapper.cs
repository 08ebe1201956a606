using System.Diagnostics;
using System.Reflection;

/// <summary>A program without marks that sets properties by reflection, in one line.</summary>
internal static class Mapper
{
    private static readonly PropertyInfo s_property = typeof(Row).GetProperty(nameof(Row.Id))!;

    /// <summary>Sets them for some time.</summary>
    public static void Run(int milliseconds)
    {
        var (row, value, sum) = (new Row(), (object)7, 0L);
        for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < milliseconds;)
            sum += Map(row, value, 5000);
        Console.WriteLine(sum > 0);
    }

    private static long Map(Row row, object value, int times)
    {
        for (var i = 0; i < times; i++)
        {
            s_property.SetValue(row, value); // reflection
        }

        return row.Id;
    }

    private sealed class Row
    {
        public int Id { get; set; }
    }
}
