// The whole unit by its registers, as a host sees it: what it is called, a batch whose sums are
// known from the reference (tests/eval/playout/test_playout_hw.c has the same numbers), writes that come while
// it is busy, the same batch again after another one. In Icarus nothing that comes out may be X.
module bench_unit;
    parameter N = 9;
    parameter GAMES = 8;
    parameter MOVES = 889;
    parameter SCORE = 142;
    `include "go.svh"

    logic request = 0, busy, trace, trace_pass, scored;
    logic [11:0] address = 0;
    logic [31:0] write_data = 0, read_data;
    logic [16:0] trace_game, scored_game;
    logic [B-1:0] trace_point;
    logic signed [15:0] scored_score;
    yomi_unit #(.N(N)) dut (.*);

    task automatic put(input [11:0] to, input [31:0] data);
        address = to;
        write_data = data;
        request = 1;
        tick;
        request = 0;
    endtask
    task automatic get(input [11:0] from);
        address = from;
        repeat (3) tick;
        check(^read_data !== 1'bx, "a known value");
    endtask

    task automatic finish;
        integer waited;
        for (waited = 0; busy !== 1'b0; waited = waited + 1) begin
            tick;
            check(waited < 20000, "an end");
        end
    endtask

    integer i, sum, moves_seen;
    logic [8*W-1:0] touched;
    always @(negedge clk)
        if (!reset && trace) begin
            check(^{trace_game, trace_pass, trace_point} !== 1'bx, "a known move");
            moves_seen = moves_seen + 1;
        end
    task automatic batch(input disturbed);
        moves_seen = 0;
        put(12'h003, 1);
        put(12'h004, 0);
        put(12'h005, 0);
        put(12'h006, 0);
        put(12'h007, GAMES);
        put(12'h008, 0);
        put(12'h009, 0);
        put(12'h00a, 15);
        for (i = 0; i < (W + 31) / 32; i = i + 1) begin
            put(12'h020 + i, 0);
            put(12'h040 + i, 0);
        end
        put(12'h001, 1);
        check(busy, "busy once started");
        if (disturbed) begin
            put(12'h020, 32'hffffffff);
            put(12'h007, 0);
            put(12'h001, 1);
        end
        finish;
        get(12'h010);
        check(read_data == GAMES, "games");
        get(12'h011);
        check(read_data == MOVES && moves_seen == MOVES, "moves");
        get(12'h012);
        check($signed(read_data) == SCORE, "the sum of scores");
        get(12'h013);
        sum = read_data;
        get(12'h014);
        check(sum + read_data == GAMES, "komi 7.5 leaves no draws");
        sum = 0;
        for (i = 0; i < W; i = i + 1) begin
            get(12'h800 + i);
            sum = sum + $signed(read_data);
        end
        check(sum == SCORE, "owners add up to scores");
        sum = 0;
        for (i = 0; i <= 2 * W; i = i + 1) begin
            get(12'h800 + W + i);
            sum = sum + read_data;
        end
        check(sum == GAMES, "the histogram has all games");
    endtask
    initial begin
        repeat (20) tick;
        reset = 0;
        get(12'h000);
        check(read_data == 32'h594d0007 + (N << 8), "its name");
        get(12'h002);
        check(read_data == 0, "at rest");
        batch(0);
        // A position, White to move, one game: only to leave other strings behind.
        put(12'h020, 32'h00000c07);
        put(12'h040, 32'h00300038);
        put(12'h007, 1);
        put(12'h008, 1);
        put(12'h001, 1);
        finish;
        get(12'h010);
        check(read_data == 1, "one game");
        batch(1);
        pass("unit");
    end
endmodule
