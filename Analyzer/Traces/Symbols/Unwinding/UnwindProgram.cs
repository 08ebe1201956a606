namespace EtwSerializerProfiler.Traces.Symbols.Unwinding;

/// <summary>
/// Runs the instructions of call frame information (DWARF 5, section 6.4.2; DW_CFA_GNU of the Linux Standard Base) up to an address. It
/// tracks only the columns of the frame address, the return address and the frame pointer.
/// </summary>
/// <param name="Columns">Numbers of registers.</param>
/// <param name="ReturnAddress">Column of the return address.</param>
/// <param name="CodeAlignment">Unit of code.</param>
/// <param name="DataAlignment">Unit of offsets.</param>
internal readonly record struct UnwindProgram(UnwindColumns Columns, ulong ReturnAddress, ulong CodeAlignment, long DataAlignment)
{
    /// <summary>Maximum number of remembered rows; compilers remember one.</summary>
    private const int MaxRemembered = 8;

    /// <summary>
    /// What linkers write for the stubs of a linkage table: rsp + 8 + ((rip &amp; 15) >= N) * 8, with N in the opcode at
    /// <see cref="LinkageLimitAt"/>.
    /// </summary>
    private static ReadOnlySpan<byte> LinkageStub => [0x77, 8, 0x80, 0, 0x3f, 0x1a, 0, 0x2a, 0x33, 0x24, 0x22];

    private const int LinkageLimitAt = 6;

    /// <summary>DW_OP_lit0.</summary>
    private const byte Literal = 0x30;

    /// <summary>The row of the table at an address.</summary>
    /// <param name="initial">Instructions of the common entry.</param>
    /// <param name="instructions">Instructions of the function.</param>
    /// <param name="encoding">Encoding of addresses in them.</param>
    /// <param name="start">Where the function begins.</param>
    /// <param name="address">The address.</param>
    /// <param name="row">The row.</param>
    /// <returns>False when the instructions are damaged.</returns>
    public bool TryRun(DwarfReader initial, DwarfReader instructions, int encoding, ulong start, ulong address, out UnwindRow row)
    {
        row = new UnwindRow { ReturnAddress = Columns.IsReturnAddressPushed ? UnwindPlace.Unknown : UnwindPlace.Register };
        Span<UnwindRow> remembered = stackalloc UnwindRow[MaxRemembered];
        var location = start;
        if (!Run(initial, encoding, ref location, ulong.MaxValue, row, ref row, remembered))
            return false;
        location = start;
        var first = row;
        return Run(instructions, encoding, ref location, address, first, ref row, remembered);
    }

    private bool Run(
        DwarfReader from,
        int encoding,
        ref ulong location,
        ulong address,
        in UnwindRow initial,
        ref UnwindRow row,
        Span<UnwindRow> remembered
    )
    {
        var depth = 0;
        while (!from.IsAtEnd)
        {
            var instruction = from.U8();
            var operand = (ulong)(instruction & 0x3f);
            switch (instruction >> 6)
            {
                case 1: // DW_CFA_advance_loc
                    location += operand * CodeAlignment;
                    break;
                case 2: // DW_CFA_offset
                    Put(ref row, operand, UnwindPlace.Stack, (long)from.Unsigned() * DataAlignment);
                    break;
                case 3: // DW_CFA_restore
                    Restore(ref row, operand, initial);
                    break;
                default:
                    switch (instruction)
                    {
                        case 0x00: // DW_CFA_nop
                        case 0x2d: // DW_CFA_AARCH64_negate_ra_state: the address is signed from here on
                            break;
                        case 0x01: // DW_CFA_set_loc
                            location = from.Pointer(encoding);
                            break;
                        case 0x02: // DW_CFA_advance_loc1
                            location += from.U8() * CodeAlignment;
                            break;
                        case 0x03: // DW_CFA_advance_loc2
                            location += from.U16() * CodeAlignment;
                            break;
                        case 0x04: // DW_CFA_advance_loc4
                            location += from.U32() * CodeAlignment;
                            break;
                        case 0x05: // DW_CFA_offset_extended
                            operand = from.Unsigned();
                            Put(ref row, operand, UnwindPlace.Stack, (long)from.Unsigned() * DataAlignment);
                            break;
                        case 0x06: // DW_CFA_restore_extended
                            Restore(ref row, from.Unsigned(), initial);
                            break;
                        case 0x07: // DW_CFA_undefined
                            Put(ref row, from.Unsigned(), UnwindPlace.Nowhere, 0);
                            break;
                        case 0x08: // DW_CFA_same_value
                            Put(ref row, from.Unsigned(), UnwindPlace.Register, 0);
                            break;
                        case 0x09: // DW_CFA_register
                            Put(ref row, from.Unsigned(), UnwindPlace.Unknown, 0);
                            from.Unsigned();
                            break;
                        case 0x0a when depth < remembered.Length: // DW_CFA_remember_state
                            remembered[depth++] = row;
                            break;
                        case 0x0b when depth > 0: // DW_CFA_restore_state
                            row = remembered[--depth];
                            break;
                        case 0x0c: // DW_CFA_def_cfa
                            row.Base = BaseOf(from.Unsigned());
                            row.Offset = (long)from.Unsigned();
                            break;
                        case 0x0d: // DW_CFA_def_cfa_register
                            row.Base = BaseOf(from.Unsigned());
                            break;
                        case 0x0e: // DW_CFA_def_cfa_offset
                            row.Offset = (long)from.Unsigned();
                            break;
                        case 0x0f: // DW_CFA_def_cfa_expression
                            DefineByExpression(ref row, ref from);
                            break;
                        case 0x10: // DW_CFA_expression
                        case 0x16: // DW_CFA_val_expression
                            Put(ref row, from.Unsigned(), UnwindPlace.Unknown, 0);
                            from.Skip(from.Unsigned());
                            break;
                        case 0x11: // DW_CFA_offset_extended_sf
                            operand = from.Unsigned();
                            Put(ref row, operand, UnwindPlace.Stack, from.Signed() * DataAlignment);
                            break;
                        case 0x12: // DW_CFA_def_cfa_sf
                            row.Base = BaseOf(from.Unsigned());
                            row.Offset = from.Signed() * DataAlignment;
                            break;
                        case 0x13: // DW_CFA_def_cfa_offset_sf
                            row.Offset = from.Signed() * DataAlignment;
                            break;
                        case 0x14: // DW_CFA_val_offset
                            Put(ref row, from.Unsigned(), UnwindPlace.Unknown, 0);
                            from.Unsigned();
                            break;
                        case 0x15: // DW_CFA_val_offset_sf
                            Put(ref row, from.Unsigned(), UnwindPlace.Unknown, 0);
                            from.Signed();
                            break;
                        case 0x2e: // DW_CFA_GNU_args_size
                            from.Unsigned();
                            break;
                        case 0x2f: // DW_CFA_GNU_negative_offset_extended
                            operand = from.Unsigned();
                            Put(ref row, operand, UnwindPlace.Stack, -(long)from.Unsigned() * DataAlignment);
                            break;
                        default:
                            return false;
                    }

                    break;
            }

            if (from.Failed)
                return false;
            if (location > address)
                return true;
        }

        return !from.Failed;
    }

    /// <summary>Stores the location of a column, if it is tracked.</summary>
    private void Put(ref UnwindRow row, ulong column, UnwindPlace place, long at)
    {
        if (column == ReturnAddress)
            (row.ReturnAddress, row.ReturnAddressAt) = (place, at);
        else if (column == (ulong)Columns.FramePointer)
            (row.FramePointer, row.FramePointerAt) = (place, at);
        else if (column == (ulong)Columns.StackPointer)
            row.Base = UnwindBase.Unknown; // the caller's stack pointer is not the frame address
    }

    private void Restore(ref UnwindRow row, ulong column, in UnwindRow initial)
    {
        if (column == ReturnAddress)
            (row.ReturnAddress, row.ReturnAddressAt) = (initial.ReturnAddress, initial.ReturnAddressAt);
        else if (column == (ulong)Columns.FramePointer)
            (row.FramePointer, row.FramePointerAt) = (initial.FramePointer, initial.FramePointerAt);
    }

    private UnwindBase BaseOf(ulong column) =>
        column == (ulong)Columns.StackPointer ? UnwindBase.StackPointer
        : column == (ulong)Columns.FramePointer ? UnwindBase.FramePointer
        : UnwindBase.Unknown;

    private void DefineByExpression(ref UnwindRow row, ref DwarfReader from)
    {
        row.Base = UnwindBase.Unknown;
        var expression = from.Take(from.Unsigned());
        if (!Columns.IsReturnAddressPushed || expression.Length != LinkageStub.Length)
            return;
        var limit = expression[LinkageLimitAt] - Literal;
        if (
            limit is >= 0 and < 16
            && expression[..LinkageLimitAt].SequenceEqual(LinkageStub[..LinkageLimitAt])
            && expression[(LinkageLimitAt + 1)..].SequenceEqual(LinkageStub[(LinkageLimitAt + 1)..])
        )
            (row.Base, row.Offset) = (UnwindBase.LinkageStub, limit);
    }
}
