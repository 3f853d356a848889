// Score against counting: random boards, then the sums, the owners and the histogram.
module bench_score;
    parameter N = 5;
    `include "go.svh"
    localparam T = $clog2(3 * W + 1);

    logic clear = 0, request = 0, busy, done;
    logic [W-1:0] black, white;
    logic [16:0] game, done_game;
    logic [15:0] komi2 = 16'd5; // 2.5
    logic [T-1:0] read_address = 0;
    logic [17:0] read_data;
    logic [31:0] games, black_wins, white_wins, score_sum;
    logic signed [15:0] done_score;
    yomi_score #(.N(N)) dut (.*);

    integer owners[0:W-1], histogram[0:2*W];
    integer score, total, wins, p, i, k, board;
    logic [W-1:0] empty;
    task automatic count_game;
        score = 0;
        empty = ~(black | white);
        for (p = 0; p < W; p = p + 1) begin
            k = 0;
            if (black[p]) k = 1;
            else if (white[p]) k = -1;
            else if ((near(at(p)) & ~black) == 0) k = 1;
            else if ((near(at(p)) & ~white) == 0) k = -1;
            owners[p] = owners[p] + k;
            score = score + k;
        end
        histogram[score+W] = histogram[score+W] + 1;
        total = total + score;
        if (2 * score > 5) wins = wins + 1;
    endtask
    task automatic batch(input integer count);
        for (i = 0; i <= 2 * W; i = i + 1) histogram[i] = 0;
        for (i = 0; i < W; i = i + 1) owners[i] = 0;
        total = 0;
        wins = 0;
        clear = 1;
        tick;
        clear = 0;
        while (busy) tick;
        for (board = 0; board < count; board = board + 1) begin
            random_board(black, white);
            game = board[16:0];
            count_game;
            request = 1;
            tick;
            request = 0;
            black = {W{1'bx}};
            while (!done) tick;
            check(done_score === score[15:0], "a score");
            check(done_game === board[16:0], "whose score it is");
        end
        while (busy) tick;
        check(games === count, "games");
        check(score_sum === total, "the sum");
        check(black_wins === wins && white_wins === count - wins, "wins");
        for (i = 0; i <= 3 * W; i = i + 1) begin
            read_address = i[T-1:0];
            repeat (2) tick;
            k = i < W ? owners[i] : histogram[i-W];
            check(read_data === k[17:0], "the tally");
        end
    endtask
    initial begin
        repeat (20) tick;
        reset = 0;
        batch(40);
        batch(0);
        batch(15);
        pass("score");
    end
endmodule
