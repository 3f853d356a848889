// Select: the draw of docs/playout.md, sections 3 and 4. From a board, the struck-off points and 32
// random bits: which point is tried, or that there is none (a pass), or that every try missed.
//
// A request is taken every fourth cycle at most; busy says when not. The answer stands from twelve
// cycles after the request, for four cycles; done marks the first of them. Registers are loaded
// once an attempt, so each may be read for four cycles, and what is needed longer is copied.
//
// The k-th candidate is found by counts, not by a scan: groups of 64, bytes of the group, bits of
// the byte. That is a uniform choice, and three comparisons in a row deep.
module yomi_select #(
    parameter N = 9,
    parameter W = N * N,
    parameter B = $clog2(W)
) (
    input  logic         clk,
    input  logic         reset,
    input  logic         request,
    output logic         busy,
    input  logic [W-1:0] own,
    input  logic [W-1:0] opponent,
    input  logic [W-1:0] struck,
    input  logic [31:0]  random,
    output logic         done,
    output logic [B-1:0] point,
    output logic         none,  // no candidate: pass
    output logic         missed // no try fell below the number of candidates
);
    localparam GROUPS = (W + 63) / 64;
    localparam PADDED = 64 * GROUPS;
    localparam C = B + 1; // bits of a number of points
    localparam TRIES = 32 / B < 4 ? 32 / B : 4;
    localparam [W-1:0] FIRST = {N{{{(N - 1) {1'b0}}, 1'b1}}}; // columns and rows of the edge
    localparam [W-1:0] LAST = {N{{1'b1, {(N - 1) {1'b0}}}}};
    localparam [W-1:0] TOP = {{(W - N) {1'b0}}, {N{1'b1}}};
    localparam [W-1:0] BOTTOM = {{N{1'b1}}, {(W - N) {1'b0}}};
    localparam [W-1:0] EDGE = FIRST | LAST | TOP | BOTTOM;

    logic [12:1] at; // at[t]: t cycles after a request
    always_ff @(posedge clk) at <= reset ? 12'd0 : {at[11:1], request};
    assign busy = |at[3:1];
    assign done = at[12];

    function automatic [3:0] ones8(input [7:0] x);
        ones8 = {3'd0, x[0]} + {3'd0, x[1]} + {3'd0, x[2]} + {3'd0, x[3]} +
                {3'd0, x[4]} + {3'd0, x[5]} + {3'd0, x[6]} + {3'd0, x[7]};
    endfunction

    /* verilator lint_off BLKSEQ */ // running sums within a clocked block are not registers

    // 0: what is asked for
    logic [W-1:0] own0, opponent0, struck0;
    logic [31:0] random0;
    always_ff @(posedge clk)
        if (request) begin
            own0 <= own;
            opponent0 <= opponent;
            struck0 <= struck;
            random0 <= random;
        end

    // 1: candidates. Beyond the edge counts as own, and one enemy diagonal there is enough.
    logic [PADDED-1:0] candidates1, candidates5;
    wire [W-1:0] nw = (opponent0 << (N + 1)) & ~FIRST;
    wire [W-1:0] ne = (opponent0 << (N - 1)) & ~LAST;
    wire [W-1:0] sw = (opponent0 >> (N - 1)) & ~FIRST;
    wire [W-1:0] se = (opponent0 >> (N + 1)) & ~LAST;
    wire [W-1:0] enclosed = ((own0 << 1) | FIRST) & ((own0 >> 1) | LAST) & ((own0 << N) | TOP) &
                            ((own0 >> N) | BOTTOM);
    wire [W-1:0] two = (nw & ne) | (sw & se) | ((nw | ne) & (sw | se));
    wire [W-1:0] eye = enclosed & ~two & ~((nw | ne | sw | se) & EDGE);
    always_ff @(posedge clk) begin
        if (at[1]) candidates1 <= {{(PADDED - W) {1'b0}}, ~(own0 | opponent0 | struck0 | eye)};
        if (at[5]) candidates5 <= candidates1;
    end

    // 2, 3, 4: how many, by bytes, by groups, before each group, in all
    logic [32*GROUPS-1:0] bytes2, bytes6; // eight counts of four bits a group
    logic [7*GROUPS-1:0] groups3;
    logic [C*GROUPS-1:0] before4;
    logic [C-1:0] total4;
    logic [31:0] random4;
    integer i;
    always @(posedge clk)
        if (at[2])
            for (i = 0; i < 8 * GROUPS; i = i + 1)
                bytes2[4*i+:4] <= ones8(candidates1[8*i+:8]);
    always_ff @(posedge clk) if (at[6]) bytes6 <= bytes2;
    integer g, j;
    logic [6:0] sum3;
    always @(posedge clk)
        if (at[3])
            for (g = 0; g < GROUPS; g = g + 1) begin
                sum3 = 0;
                for (j = 0; j < 8; j = j + 1) sum3 = sum3 + {3'd0, bytes2[32*g+4*j+:4]};
                groups3[7*g+:7] <= sum3;
            end
    integer h;
    logic [C+6:0] sum4;
    always @(posedge clk)
        if (at[4]) begin
            sum4 = 0;
            for (h = 0; h < GROUPS; h = h + 1) begin
                before4[C*h+:C] <= sum4[C-1:0];
                sum4 = sum4 + {{C{1'b0}}, groups3[7*h+:7]};
            end
            total4 <= sum4[C-1:0];
            random4 <= random0;
        end

    // 5, 6: the draw; the mask is the smallest 2^j - 1 that reaches the last candidate
    logic [TRIES*B-1:0] tries5;
    logic [B-1:0] last5, mask5, rank6;
    logic none5, none6, none10, missed6, missed10;
    wire [B-1:0] last4 = B'(total4 - 1'b1);
    integer m;
    always_ff @(posedge clk)
        if (at[5]) begin
            mask5 = last4;
            for (m = B - 2; m >= 0; m = m - 1) mask5[m] = mask5[m] | mask5[m+1];
            for (m = 0; m < TRIES; m = m + 1) tries5[B*m+:B] <= random4[B*m+:B] & mask5;
            last5 <= last4;
            none5 <= total4 == 0;
        end
    integer t;
    always_ff @(posedge clk)
        if (at[6]) begin
            none6 <= none5;
            missed6 <= 1'b1;
            rank6 <= 0;
            for (t = TRIES - 1; t >= 0; t = t - 1)
                if (tries5[B*t+:B] <= last5) begin // the first that fits comes last here
                    rank6 <= tries5[B*t+:B];
                    missed6 <= 1'b0;
                end
        end
    always_ff @(posedge clk)
        if (at[10]) begin
            none10 <= none6;
            missed10 <= missed6;
        end

    // 7, 8: which group, and what is in it
    logic [2:0] group7;
    logic [5:0] rank7;
    logic [63:0] bits8;
    logic [31:0] counts8;
    integer s;
    logic [C-1:0] under7;
    always @(posedge clk)
        if (at[7]) begin
            group7 <= 0;
            under7 = 0;
            for (s = 1; s < GROUPS; s = s + 1)
                if ({1'b0, rank6} >= before4[C*s+:C]) begin
                    group7 <= s[2:0];
                    under7 = before4[C*s+:C];
                end
            rank7 <= 6'({6'd0, rank6} - {5'd0, under7});
        end
    always_ff @(posedge clk)
        if (at[8]) begin
            bits8 <= candidates5[64*group7+:64];
            counts8 <= bytes6[32*group7+:32];
        end

    // 9, 10: which byte
    logic [55:0] before9;
    logic [6:0] sum9, under10;
    logic [2:0] byte10, rank10;
    logic [7:0] bits10;
    integer b;
    always_ff @(posedge clk)
        if (at[9]) begin
            sum9 = 0;
            for (b = 0; b < 8; b = b + 1) begin
                before9[7*b+:7] <= sum9;
                sum9 = sum9 + {3'd0, counts8[4*b+:4]};
            end
        end
    integer c;
    always_ff @(posedge clk)
        if (at[10]) begin
            byte10 <= 0;
            bits10 <= bits8[7:0];
            under10 = 0;
            for (c = 1; c < 8; c = c + 1)
                if ({1'b0, rank7} >= before9[7*c+:7]) begin
                    byte10 <= c[2:0];
                    bits10 <= bits8[8*c+:8];
                    under10 = before9[7*c+:7];
                end
            rank10 <= 3'({1'b0, rank7} - under10);
        end

    // 11: which bit, by halves: a nibble and a rank fit a LUT
    function automatic [1:0] pick4(input [3:0] x, input [1:0] rank);
        case (rank)
            2'd0: pick4 = x[0] ? 2'd0 : x[1] ? 2'd1 : x[2] ? 2'd2 : {2{x[3]}};
            2'd1: pick4 = x[0] && x[1] ? 2'd1 : (x[0] || x[1]) && x[2] ? 2'd2 : {2{x[3]}};
            2'd2: pick4 = x[0] && x[1] && x[2] ? 2'd2 : {2{x[3]}};
            default: pick4 = {2{x[3]}};
        endcase
    endfunction
    wire [3:0] low11 = ones8({4'd0, bits10[3:0]});
    wire upper11 = {1'b0, rank10} >= low11;
    wire [1:0] rank11 = upper11 ? 2'(rank10 - low11[2:0]) : rank10[1:0];
    always_ff @(posedge clk)
        if (at[11]) begin
            point <= B'({group7, byte10, upper11, pick4(upper11 ? bits10[7:4] : bits10[3:0],
                                                        rank11)});
            none <= none10;
            missed <= missed10 && !none10;
        end
endmodule
