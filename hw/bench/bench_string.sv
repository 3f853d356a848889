// String against spreading: random games, in several slots in turn, from a template that some
// stones are loaded into first. Every neighbour's string is compared at every move, tables that
// were never written are full of X in Icarus, and a path that is too long must resolve in the end.
module bench_string;
    parameter N = 5;
    parameter SLOTS = 3;
    `include "go.svh"

    logic load = 0, request = 0, busy, mask_single, done, unresolved, write = 0, write_mask = 0;
    logic [2:0] slot;
    logic [B-1:0] move;
    logic [4*B-1:0] neighbours;
    logic [3:0] stones, own;
    logic [W-1:0] dirty, dirty_masks, mask, mark, mark_masks, new_mask;
    logic new_single;
    yomi_string #(.N(N), .SLOTS(SLOTS)) dut (.*);

    logic [W-1:0] start[0:1], colours[0:2*SLOTS-1], dirties[0:SLOTS-1], dirty_mask_sets[0:SLOTS-1];
    logic [W-1:0] a, b, expected;
    integer side, p, d, q, s, i, game, repeats = 0;
    // One attempt in slot s: `a` moves at p, `b` is the other side.
    task automatic attempt(output logic again);
        slot = s[2:0];
        move = p[B-1:0];
        dirty = load ? {W{1'b0}} : dirties[s];
        for (d = 0; d < 4; d = d + 1) begin
            q = neighbour(p, d);
            own[d] = q < W && a[q];
            stones[d] = q < W && (a[q] || b[q]);
            neighbours[B*d+:B] = q < W ? q[B-1:0] : {B{1'bx}};
        end
        request = 1;
        tick;
        request = 0;
        repeat (4) tick;
        dirty = {W{1'bx}};
        dirty_masks = load ? {W{1'b0}} : dirty_mask_sets[s];
        repeat (2) tick;
        for (d = 0; d < 4; d = d + 1) begin
            q = neighbour(p, d);
            masks[d] = mask;
            singles[d] = mask_single;
            tick;
        end
        repeat (2) tick;
        check(done, "thirteen cycles");
        again = unresolved;
        for (d = 0; d < 4; d = d + 1) begin
            q = neighbour(p, d);
            if (!again && stones[d]) begin
                expected = a[q] ? string_at(a, q) : string_at(b, q);
                check(masks[d] === expected, "a neighbour's string");
                check(singles[d] === (ones(expected) == 1), "... is one stone");
            end
        end
        new_mask = string_at(a | at(p), p);
        new_single = own == 0;
        write = 1;
        write_mask = !again;
        if (!load) begin
            dirties[s] = dirties[s] | mark;
            if (!again) dirty_mask_sets[s] = dirty_mask_sets[s] | mark_masks;
        end
        tick;
        write = 0;
        write_mask = 0;
        new_mask = {W{1'bx}};
        repeat (4) tick;
    endtask
    logic [W-1:0] masks[0:3];
    logic [3:0] singles;
    logic again;
    task automatic place;
        again = 1;
        for (i = 0; again; i = i + 1) begin
            attempt(again);
            if (again) repeats = repeats + 1;
            check(i < W, "paths come to an end");
        end
    endtask

    task automatic load_template;
        random_board(start[0], start[1]);
        load = 1;
        s = 0;
        a = 0;
        b = 0;
        for (p = 0; p < W; p = p + 1)
            if (start[0][p] || start[1][p]) begin
                a = start[start[1][p]] & (at(p) - 1'b1);
                b = start[!start[1][p]] & (at(p) - 1'b1);
                place;
            end
        load = 0;
    endtask
    integer turn, tries;
    task automatic play_on;
        a = colours[2*s+side];
        b = colours[2*s+1-side];
        roll(W, p);
        for (tries = 0; (a[p] || b[p]) && tries < W; tries = tries + 1) p = (p + 1) % W;
        // A stone that would stand without liberties is not put down.
        if (!a[p] && !b[p] && (dead(b, ~(a | b | at(p))) != 0 ||
                               dead(a | at(p), ~(a | b | at(p))) == 0)) begin
            place;
            b = b & ~dead(b, ~(a | b | at(p)));
            colours[2*s+side] = a | at(p);
            colours[2*s+1-side] = b;
        end
    endtask
    initial begin
        repeat (20) tick;
        reset = 0;
        for (game = 0; game < (stride > 1 || N > 5 ? 3 : 25); game = game + 1) begin
            load_template;
            for (s = 0; s < SLOTS; s = s + 1) begin
                colours[2*s] = start[0];
                colours[2*s+1] = start[1];
                dirties[s] = 0;
                dirty_mask_sets[s] = 0;
            end
            for (turn = 0; turn < 2 * W; turn = turn + 1)
                for (s = 0; s < SLOTS; s = s + 1) begin
                    side = turn % 2;
                    play_on;
                end
        end
        pass("string");
    end
endmodule
