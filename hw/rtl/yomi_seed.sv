// Seed: the start of a game's generator (docs/playout.md, section 2), a round a cycle.
module yomi_seed (
    input  logic        clk,
    input  logic        reset,
    input  logic        request,
    output logic        busy,
    input  logic [63:0] seed,
    input  logic [63:0] game,
    output logic [63:0] state // stands when busy falls
);
    logic [31:0] x, y;
    logic [3:0] round; // 8 when there is nothing to do
    assign busy = !round[3];
    assign state = (x | y) == 0 ? 64'd1 : {x, y};

    wire [31:0] key = (round[0] ? seed[63:32] : seed[31:0]) ^ {28'd0, round};
    wire [31:0] x_new = ({x[7:0], x[31:8]} + y) ^ key;
    always_ff @(posedge clk)
        if (reset) round <= 8;
        else if (request) begin
            {x, y} <= game;
            round <= 0;
        end else if (busy) begin
            x <= x_new;
            y <= {y[28:0], y[31:29]} ^ x_new;
            round <= round + 1'b1;
        end
endmodule
