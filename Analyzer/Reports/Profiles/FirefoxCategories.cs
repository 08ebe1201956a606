using System.Text.Json;
using EtwSerializerProfiler.Analysis.Profiles;

namespace EtwSerializerProfiler.Reports.Profiles;

/// <summary>
/// The categories of the Firefox profiler: one for each group of causes, with the causes as its subcategories. The first one is the default
/// category, which the profiler recognizes by its colour, grey.
/// </summary>
internal sealed class FirefoxCategories
{
    /// <summary>Index of the default category.</summary>
    public const int Default = 0;

    private const string Other = "Other";

    /// <summary>Colours of the profiler, except grey and transparent.</summary>
    private static readonly string[] s_colors =
    [
        "green",
        "orange",
        "yellow",
        "purple",
        "lightblue",
        "blue",
        "brown",
        "magenta",
        "red",
        "lightred",
        "darkgrey",
    ];

    private readonly List<(string Name, List<string> Details)> _categories = [(Other, [Other])];
    private readonly List<(int Category, int Detail)> _numbers = [];

    public FirefoxCategories()
    {
        foreach (var category in ProfileCategory.All)
        {
            var number = _categories.FindIndex(known => known.Name == category.Group);
            if (number < 0)
            {
                number = _categories.Count;
                _categories.Add((category.Group, [Other]));
            }

            if (category.Name.Length > 0)
                _categories[number].Details.Add(category.Name);
            _numbers.Add((number, category.Name.Length > 0 ? _categories[number].Details.Count - 1 : 0));
        }
    }

    /// <summary>Category and subcategory, by index in <see cref="ProfileCategory.All"/>.</summary>
    public (int Category, int Detail) this[int number] => _numbers[number];

    public void Write(Utf8JsonWriter json)
    {
        json.WriteStartArray("categories");
        foreach (var (number, category) in _categories.Index())
        {
            json.WriteStartObject();
            json.WriteString("name", category.Name);
            json.WriteString("color", number == Default ? "grey" : s_colors[(number - 1) % s_colors.Length]);
            json.WriteStrings("subcategories", category.Details);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }
}
