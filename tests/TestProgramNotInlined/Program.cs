// The physical frames of InlinedShapes, KnownLineCosts and JsonParser: the same code, without any inlining within the program.
switch (args)
{
    case ["json", var rounds]:
        JsonParser.Run(int.Parse(rounds));
        break;
    case ["lines"]:
        KnownLineCosts.Run();
        break;
    default:
        InlinedShapes.Run();
        break;
}
