// The physical truth of FrameTruth, LineTruth and JsonParser: the same code, in which nothing of the program is inlined.
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
