// The physical truth of FrameTruth and JsonParser: the same code, in which nothing of the program is inlined.
if (args is ["json", var rounds])
    JsonParser.Run(int.Parse(rounds));
else
    FrameTruth.Run();
