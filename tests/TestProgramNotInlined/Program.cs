// The physical frames of FrameTruth, LineTruth and JsonParser: the same code, without any inlining within the program.
switch (args)
{
    case ["json", var rounds]:
        JsonParser.Run(int.Parse(rounds));
        break;
    case ["lines"]:
        LineTruth.Run();
        break;
    default:
        FrameTruth.Run();
        break;
}
