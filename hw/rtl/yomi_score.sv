// Score: area of a finished game (docs/playout.md, section 6), point by point into a table of
// owners and then into a histogram of scores, and the sums of the batch. It takes about N*N cycles,
// far less than a game does, so one of it serves all games; a game that ends meanwhile waits.
//
// The table: for each point the games Black owns it less those White does, then for each score from
// -N*N to N*N its games. Eighteen bits an entry: 131,071 games a batch.
module yomi_score #(
    parameter N = 9,
    parameter W = N * N,
    parameter T = $clog2(3 * W + 1)
) (
    input  logic                clk,
    input  logic                reset,
    input  logic                clear, // forget the batch; only when not busy
    input  logic                request,
    output logic                busy,
    input  logic [W-1:0]        black,
    input  logic [W-1:0]        white,
    input  logic [16:0]         game,
    input  logic [15:0]         komi2, // twice komi, signed
    input  logic [T-1:0]        read_address,
    output logic [17:0]         read_data, // two cycles later, while not busy
    output logic [31:0]         games,
    output logic [31:0]         black_wins,
    output logic [31:0]         white_wins,
    output logic [31:0]         score_sum,
    output logic                done,
    output logic [16:0]         done_game,
    output logic signed [15:0]  done_score
);
    localparam [W-1:0] FIRST = {N{{{(N - 1) {1'b0}}, 1'b1}}};
    localparam [W-1:0] LAST = {N{{1'b1, {(N - 1) {1'b0}}}}};
    localparam [W-1:0] TOP = {{(W - N) {1'b0}}, {N{1'b1}}};
    localparam [W-1:0] BOTTOM = {{N{1'b1}}, {(W - N) {1'b0}}};
    localparam IDLE = 3'd0, CLEAR = 3'd1, FILL = 3'd2, SCAN = 3'd3, COUNT = 3'd4, SUM = 3'd5;

    function automatic [W-1:0] surrounded(input [W-1:0] x);
        surrounded = ((x << 1) | FIRST) & ((x >> 1) | LAST) & ((x << N) | TOP) & ((x >> N) | BOTTOM);
    endfunction

    logic [2:0] state;
    logic [W-1:0] b, w; // owners still to come, the next in bit 0
    logic [T-1:0] place, write_place;
    logic signed [15:0] score;
    logic [17:0] tally[0:3*W];
    logic [17:0] entry;
    logic signed [1:0] change;
    logic changing, clearing;
    assign busy = state != IDLE;

    // One read port and one write port; an entry is read, changed and written in three cycles, and
    // no entry is read twice in that time.
    wire [T-1:0] read_place = state == SCAN ? place :
                              state == COUNT ? T'(score + 16'(2 * W)) : read_address;
    wire signed [1:0] owner = b[0] ? 2'sd1 : w[0] ? -2'sd1 : 2'sd0;
    always_ff @(posedge clk) begin
        if (changing || clearing)
            tally[write_place] <= clearing ? 18'd0 : entry + {{16{change[1]}}, change};
        entry <= tally[read_place];
    end
    always_ff @(posedge clk) begin
        change <= state == SCAN ? owner : 2'sd1;
        changing <= !reset && (state == SCAN || state == COUNT);
        clearing <= !reset && state == CLEAR;
        write_place <= state == CLEAR ? place : read_place;
        read_data <= entry;
    end

    wire signed [16:0] margin = {score[15], score} * 2 - {komi2[15], komi2};
    always_ff @(posedge clk) begin
        done <= 0;
        if (reset) state <= IDLE;
        else
            case (state)
                IDLE: begin
                    place <= 0;
                    score <= 0;
                    if (clear) begin
                        state <= CLEAR;
                        {games, black_wins, white_wins, score_sum} <= 0;
                    end else if (request) begin
                        state <= FILL;
                        b <= black;
                        w <= white;
                        done_game <= game;
                    end
                end
                CLEAR: begin
                    place <= place + 1'b1;
                    if (place == T'(3 * W)) state <= IDLE;
                end
                FILL: begin
                    b <= b | (~w & surrounded(b));
                    w <= w | (~b & surrounded(w));
                    state <= SCAN;
                end
                SCAN: begin
                    b <= b >> 1;
                    w <= w >> 1;
                    place <= place + 1'b1;
                    score <= score + {{14{owner[1]}}, owner};
                    if (place == T'(W - 1)) state <= COUNT;
                end
                COUNT: state <= SUM;
                default: begin
                    games <= games + 1'b1;
                    score_sum <= score_sum + {{16{score[15]}}, score};
                    if (margin > 0) black_wins <= black_wins + 1'b1;
                    if (margin < 0) white_wins <= white_wins + 1'b1;
                    done <= 1;
                    done_score <= score;
                    state <= IDLE;
                end
            endcase
    end
endmodule
