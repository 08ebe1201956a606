using FsCheck;
using Microsoft.FSharp.Core;

namespace EtwSerializerProfiler.TestSupport;

/// <summary>Checks properties with the same made-up inputs on every machine and in every run, so that failures are reproducible.</summary>
public static class Repeatable
{
    private static readonly Config s_config = Config.QuickThrowOnFailure.WithReplay(
        FSharpOption<Replay>.Some(new Replay(new Rnd(20_261_122), FSharpOption<int>.None))
    );

    /// <summary>Checks a property and throws if it does not hold, with the smallest failing input.</summary>
    /// <param name="property">The property.</param>
    /// <param name="inputs">Inputs to make.</param>
    public static void CheckRepeatably(this Property property, int inputs = 100) => property.Check(s_config.WithMaxTest(inputs));
}
