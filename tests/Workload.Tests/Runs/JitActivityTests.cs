using System.Linq.Expressions;
using EtwSerializerProfiler.Workload.Runs;

namespace EtwSerializerProfiler.Workload.Tests.Runs;

public sealed class JitActivityTests
{
    [Fact]
    public void After_a_compilation_since_the_last_check_the_JIT_does_not_count_as_idle()
    {
        var jit = new JitActivity();
        for (var round = 0; round < 5; round++)
        {
            Expression.Lambda<Func<int>>(Expression.Constant(round)).Compile()(); // a new method each time
            Assert.False(jit.HasComeToRest());
        }
    }
}
