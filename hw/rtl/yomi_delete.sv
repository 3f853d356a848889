// Delete: what a stone on a point takes, and whether it may stand. It is told the free points (the
// empty ones less the point itself) and what the four neighbours are; the masks of their strings
// come one a cycle, the first in the cycle after the request. A string's liberties are not kept
// anywhere: they are the free points next to its stones, and a capture is a test for zero.
//
// A request is taken every fourth cycle at most. The answer stands in the seventh cycle after the
// request (done) and in no other.
module yomi_delete #(
    parameter N = 9,
    parameter W = N * N
) (
    input  logic         clk,
    input  logic         reset,
    input  logic         request,
    output logic         busy,
    input  logic [W-1:0] free,
    input  logic [3:0]   own,      // which neighbours are stones of the side to move
    input  logic [3:0]   opponent, // and of the other side
    input  logic         open,     // one of them is empty
    input  logic [W-1:0] stones,   // the neighbours' strings in turn
    input  logic         single,   // ... is one stone
    output logic         done,
    output logic [W-1:0] captured,
    output logic [W-1:0] merged,   // own strings that the stone joins
    output logic         suicide,
    output logic         ko        // captured is one stone that may not be retaken at once
);
    localparam [W-1:0] FIRST = {N{{{(N - 1) {1'b0}}, 1'b1}}};
    localparam [W-1:0] LAST = {N{{1'b1, {(N - 1) {1'b0}}}}};

    logic [7:1] at;
    always_ff @(posedge clk) at <= reset ? 7'd0 : {at[6:1], request};
    assign busy = |at[3:1];
    assign done = at[7];

    logic [W-1:0] free0;
    logic [3:0] own0, opponent0;
    logic open0, open4, alone4;
    always_ff @(posedge clk) begin
        if (request) begin
            free0 <= free;
            own0 <= own;
            opponent0 <= opponent;
            open0 <= open;
        end else if (|at[3:1]) begin // the neighbour whose string comes next is bit 0
            own0 <= {own0[0], own0[3:1]};
            opponent0 <= {opponent0[0], opponent0[3:1]};
        end
        if (at[4]) begin
            open4 <= open0;
            alone4 <= own0 == 0;
        end
    end

    // 1-4: the string's liberties
    logic [W-1:0] liberties1, stones1;
    logic own1, opponent1, single1;
    wire stream1 = |at[4:1];
    wire [W-1:0] around = ((stones << 1) & ~FIRST) | ((stones >> 1) & ~LAST) | (stones << N) |
                          (stones >> N);
    always_ff @(posedge clk)
        if (stream1) begin
            liberties1 <= around & free0;
            stones1 <= stones;
            single1 <= single;
            own1 <= own0[0];
            opponent1 <= opponent0[0];
        end

    // 2-5: has it any?
    logic [W-1:0] stones2;
    logic own2, takes2, lives2, single2;
    wire stream2 = |at[5:2];
    always_ff @(posedge clk)
        if (stream2) begin
            stones2 <= stones1;
            single2 <= single1;
            own2 <= own1;
            lives2 <= own1 && |liberties1;
            takes2 <= opponent1 && ~|liberties1;
        end

    // 3-6: together
    logic lives, takes, lone;
    wire stream3 = |at[6:3];
    wire first = at[3];
    always_ff @(posedge clk)
        if (stream3) begin
            merged <= (first ? {W{1'b0}} : merged) | (own2 ? stones2 : {W{1'b0}});
            captured <= (first ? {W{1'b0}} : captured) | (takes2 ? stones2 : {W{1'b0}});
            lives <= (!first && lives) || lives2;
            takes <= (!first && takes) || takes2;
            lone <= takes2 ? (first || !takes) && single2 : !first && lone;
        end
    assign suicide = !open4 && !lives && !takes;
    assign ko = takes && lone && alone4 && !open4;
endmodule
