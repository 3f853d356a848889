// Select against the words of docs/playout.md: on 3x3 every board and every rank, elsewhere random
// boards with points struck off.
module bench_select;
    parameter N = 3;
    `include "go.svh"
    localparam TRIES = 32 / B < 4 ? 32 / B : 4;

    logic request = 0, busy, done, none, missed;
    logic [W-1:0] own, opponent, struck;
    logic [31:0] random;
    logic [B-1:0] point;
    yomi_select #(.N(N)) dut (.*);

    function automatic is_eye(input integer p);
        integer i, y, x, r, c, bad, inside_count;
        logic edge_;
        r = p / N;
        c = p % N;
        edge_ = r == 0 || c == 0 || r == N - 1 || c == N - 1;
        is_eye = 1;
        for (i = 0; i < 4; i = i + 1)
            if (neighbour(p, i) < W && !own[neighbour(p, i)]) is_eye = 0;
        bad = 0;
        for (y = r - 1; y <= r + 1; y = y + 2)
            for (x = c - 1; x <= c + 1; x = x + 2)
                if (y >= 0 && x >= 0 && y < N && x < N && opponent[y*N+x]) bad = bad + 1;
        if (bad > 1 || (bad == 1 && edge_)) is_eye = 0;
    endfunction

    // What must come out: the k-th candidate, W + 1 for a miss, W + 2 for a pass.
    function automatic integer expected(input integer unused);
        integer list[0:W-1];
        integer n, p, t, m, k;
        n = 0;
        for (p = 0; p < W; p = p + 1)
            if (!own[p] && !opponent[p] && !struck[p] && !is_eye(p)) begin
                list[n] = p;
                n = n + 1;
            end
        m = 0;
        while (m < n - 1) m = 2 * m + 1;
        expected = n == 0 ? W + 2 : W + 1;
        if (n > 0)
            for (t = TRIES - 1; t >= 0; t = t - 1) begin
                k = (random >> (t * B)) & m;
                if (k < n) expected = list[k];
            end
    endfunction

    // Requests go out every fourth cycle, answers come back twelve later: three are on the way.
    integer sent[0:3];
    integer wanted, asked = 0, answered = 0;
    always @(negedge clk)
        if (done) begin
            wanted = sent[answered%4];
            answered = answered + 1;
            check(wanted == (none ? W + 2 : missed ? W + 1 : {1'b0, point}), "the point drawn");
        end
    task automatic ask;
        request = 1;
        check(!busy, "ready every 4th cycle");
        sent[asked%4] = expected(0);
        asked = asked + 1;
        tick;
        request = 0;
        own = {W{1'bx}};
        check(busy, "busy after a request");
        tick;
        tick;
        tick;
    endtask

    integer board, rank, rest, p, i;
    logic [W-1:0] a, b;
    task automatic every_board;
        for (board = 0; board < 19683; board = board + stride)
            for (rank = 0; rank < 16; rank = rank + 1) begin
                own = 0;
                opponent = 0;
                struck = 0;
                rest = board;
                for (p = 0; p < W; p = p + 1) begin
                    if (rest % 3 == 1) own = own | at(p);
                    if (rest % 3 == 2) opponent = opponent | at(p);
                    rest = rest / 3;
                end
                random = {20'hfffff, rank[3:0], 4'd0, rank[3:0]};
                ask;
            end
    endtask
    task automatic random_boards(input integer count);
        for (i = 0; i < count; i = i + 1) begin
            random_board(a, b);
            own = a;
            opponent = b;
            random_board(a, b);
            struck = i % 2 == 0 ? a : ~a;
            dice = shaken(dice);
            random = dice;
            ask;
        end
    endtask
    initial begin
        repeat (20) tick;
        reset = 0;
        tick;
        if (N == 3) every_board;
        random_boards(N == 3 ? 1000 : N < 10 ? 3000 : 500);
        repeat (20) tick;
        check(asked == answered, "an answer to each");
        pass("select");
    end
endmodule
