// Delete against spreading: random boards, every empty point, both sides.
module bench_delete;
    parameter N = 5;
    `include "go.svh"

    logic request = 0, busy, done, open, single, suicide, ko;
    logic [W-1:0] free, stones, captured, merged;
    logic [3:0] own, opponent;
    yomi_delete #(.N(N)) dut (.*);

    logic [W-1:0] a, b, taken, mine, string_, masks[0:3];
    logic alone;
    integer p, d, q, board;
    task automatic try_point;
        open = 0;
        for (d = 0; d < 4; d = d + 1) begin
            q = neighbour(p, d);
            own[d] = q < W && a[q];
            opponent[d] = q < W && b[q];
            if (q < W && !a[q] && !b[q]) open = 1;
            masks[d] = q == W ? {W{1'bx}} : a[q] ? string_at(a, q) : b[q] ? string_at(b, q) :
                       {W{1'bx}};
        end
        free = ~(a | b | at(p));
        request = 1;
        tick;
        request = 0;
        free = {W{1'bx}};
        for (d = 0; d < 4; d = d + 1) begin
            stones = masks[d];
            single = ones(masks[d]) == 1;
            tick;
        end
        stones = {W{1'bx}};
        repeat (2) tick;
        check(done, "seven cycles");
        taken = dead(b, ~(a | b | at(p)));
        mine = a | at(p);
        string_ = string_at(mine, p);
        alone = string_ == at(p);
        check(captured === taken, "the stones captured");
        check((merged | at(p)) === string_, "the string made");
        check(suicide === (dead(mine, ~(mine | b) | taken) != 0), "suicide");
        check(ko === (ones(taken) == 1 && alone && (near(at(p)) & (~(mine | b) | taken)) == taken),
              "ko");
        tick;
    endtask
    initial begin
        repeat (20) tick;
        reset = 0;
        for (board = 0; board < (stride > 1 || N > 5 ? 30 : 300); board = board + 1) begin
            random_board(a, b);
            for (p = 0; p < W; p = p + 1) if (!a[p] && !b[p]) try_point;
        end
        pass("delete");
    end
endmodule
