// Game alone: the bench plays Select, String, Delete and Score in the simplest way and keeps boards of
// its own by what Game says happened. Every game must be numbered, played to its end and handed over
// once, with the board that its moves make.
module bench_game;
    parameter N = 5;
    `include "go.svh"
    localparam GAMES = N < 10 ? 40 : 10;

    logic request = 0, busy, start_side, start_has_ko, select_request, select_none, select_missed;
    logic [W-1:0] start_black, start_white, select_own, select_opponent, select_struck;
    logic [B-1:0] start_ko, select_point, string_move, trace_point;
    logic [63:0] seed = 64'd7, first_game = 64'd1000;
    logic [16:0] games, score_game, trace_game;
    logic [31:0] select_random, moves, attempts, repeats, cycles;
    logic load, string_request, string_unresolved, string_write, string_write_mask;
    logic string_new_single, delete_request, delete_open, delete_suicide, delete_ko;
    logic [2:0] string_slot;
    logic [4*B-1:0] string_neighbours;
    logic [3:0] string_stones, string_own, delete_own, delete_opponent;
    logic [W-1:0] string_dirty, string_dirty_masks, string_new_mask, delete_free;
    logic [W-1:0] string_mark = 0, string_mark_masks = 0, delete_captured = 0, delete_merged = 0;
    logic score_clear, score_request, score_busy, trace, trace_pass;
    logic [W-1:0] score_black, score_white;
    yomi_game #(.N(N)) dut (.*);

    // ---- Select: the lowest point that is free, twelve cycles later; now and then it misses ----
    integer misses = 0, i;
    logic [B+1:0] line[0:11];
    wire [W-1:0] free = ~(select_own | select_opponent | select_struck);
    function automatic [B-1:0] lowest(input [W-1:0] set);
        integer p;
        lowest = 0;
        for (p = W - 1; p >= 0; p = p - 1) if (set[p]) lowest = p;
    endfunction
    always @(posedge clk) begin
        dice <= shaken(dice);
        line[0] <= {free == 0, free != 0 && dice[3:0] < misses, lowest(free)};
        for (i = 1; i < 12; i = i + 1) line[i] <= line[i-1];
        if (select_request) check((select_own & select_opponent) === 0, "one stone a point");
    end
    assign {select_none, select_missed, select_point} = line[11];

    // ---- String and Delete: nothing to follow, and what the round asks for ----
    integer suicides = 0, again = 0;
    logic [1:0] cycle_of_four = 0;
    always_ff @(posedge clk) cycle_of_four <= reset ? 2'd0 : cycle_of_four + 1'b1;
    always_ff @(posedge clk)
        if (cycle_of_four == 1) begin // between the ends of two attempts
            delete_suicide <= !load && dice[7:4] < suicides;
            string_unresolved <= dice[11:8] < again;
            delete_ko <= 0;
        end

    // ---- Score: takes a game and is busy for a while ----
    integer rest = 0;
    assign score_busy = rest != 0;
    logic [W-1:0] black[0:GAMES-1], white[0:GAMES-1];
    logic [GAMES-1:0] side, handed;
    integer length[0:GAMES-1], passes[0:GAMES-1], total;
    logic [W-1:0] stone;
    always @(posedge clk) begin
        if (score_request === 1'b1) begin // not known until the first slots come round
            check(score_busy === 0, "Score is free");
            check(score_game < games && !handed[score_game[5:0]], "a game once");
            check(score_black === black[score_game[5:0]], "Black's stones");
            check(score_white === white[score_game[5:0]], "White's stones");
            check(passes[score_game[5:0]] == 2 || length[score_game[5:0]] == 3 * W, "the end");
            handed[score_game[5:0]] <= 1;
        end
        rest <= reset ? 0 : score_request === 1'b1 ? 9 : rest > 0 ? rest - 1 : 0;
        if (trace === 1'b1) begin
            check(trace_game < games && !handed[trace_game[5:0]], "a live game");
            stone = at(trace_point);
            if (trace_pass) passes[trace_game[5:0]] <= passes[trace_game[5:0]] + 1;
            else begin
                passes[trace_game[5:0]] <= 0;
                check(((black[trace_game[5:0]] | white[trace_game[5:0]]) & stone) === 0, "empty");
                if (side[trace_game[5:0]]) begin
                    white[trace_game[5:0]] <= white[trace_game[5:0]] | stone;
                    black[trace_game[5:0]] <= black[trace_game[5:0]] & ~delete_captured;
                end else begin
                    black[trace_game[5:0]] <= black[trace_game[5:0]] | stone;
                    white[trace_game[5:0]] <= white[trace_game[5:0]] & ~delete_captured;
                end
            end
            side[trace_game[5:0]] <= !side[trace_game[5:0]];
            length[trace_game[5:0]] <= length[trace_game[5:0]] + 1;
        end
    end

    integer round, g;
    initial begin
        start_black = 0;
        start_white = 0;
        {start_side, start_has_ko, start_ko, delete_suicide, string_unresolved, delete_ko} = 0;
        games = 0;
        repeat (20) tick;
        reset = 0;
        for (round = 0; round < 24; round = round + 1) begin
            // Round 0 is plain; then stones at the start, White first, a ko point, misses, suicides
            // struck off, attempts made again, and moves that take all the other side's stones, with which
            // games go on to their limit.
            start_black = round % 3 == 1 ? at(3) | at(W - 1) : 0;
            start_white = round % 3 == 1 ? at(4) : 0;
            start_side = round[0];
            start_has_ko = round % 4 == 2;
            start_ko = 0;
            misses = round[1] ? 4 : 0;
            suicides = round[2] ? 3 : 0;
            again = round[3] ? 3 : 0;
            delete_captured = round % 5 == 4 ? {W{1'b1}} : 0;
            games = round == 0 ? 1 : GAMES - round % 8;
            for (g = 0; g < GAMES; g = g + 1) begin
                black[g] = start_black;
                white[g] = start_white;
                length[g] = 0;
                passes[g] = 0;
            end
            side = {GAMES{start_side}};
            handed = 0;
            request = 1;
            tick;
            request = 0;
            while (busy) tick;
            total = 0;
            for (g = 0; g < games; g = g + 1) begin
                check(handed[g], "every game");
                total = total + length[g];
            end
            check(moves === total, "the moves");
            check(attempts >= moves, "the attempts");
            check(again != 0 || repeats === 0, "no repeats");
            if (delete_captured != 0) check(total == games * 3 * W, "the limit");
            if (round == 0) check(total == W + 2 && attempts === W + 2, "a plain game");
        end
        pass("game");
    end
endmodule
