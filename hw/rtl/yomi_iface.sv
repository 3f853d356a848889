// Iface: the host's side. Words of 32 bits at word addresses; a read answers three cycles after its
// address. docs/hardware.md has the map.
module yomi_iface #(
    parameter N = 9,
    parameter SLOTS = 7,
    parameter W = N * N,
    parameter B = $clog2(W),
    parameter T = $clog2(3 * W + 1)
) (
    input  logic         clk,
    input  logic         reset,
    input  logic         request, // a write
    output logic         busy,    // a batch is being played: writes are ignored
    input  logic [11:0]  address,
    input  logic [31:0]  write_data,
    output logic [31:0]  read_data,
    // to and from the other units
    output logic         game_request,
    input  logic         game_busy,
    output logic [W-1:0] start_black,
    output logic [W-1:0] start_white,
    output logic         start_side,
    output logic [B-1:0] start_ko,
    output logic         start_has_ko,
    output logic [63:0]  seed,
    output logic [63:0]  first_game,
    output logic [16:0]  games,
    output logic [15:0]  komi2,
    output logic [T-1:0] tally_address,
    input  logic [17:0]  tally_data,
    input  logic [31:0]  games_done,
    input  logic [31:0]  moves,
    input  logic [31:0]  attempts,
    input  logic [31:0]  repeats,
    input  logic [31:0]  cycles,
    input  logic [31:0]  black_wins,
    input  logic [31:0]  white_wins,
    input  logic [31:0]  score_sum
);
    localparam WORDS = (W + 31) / 32;
    localparam PADDED = 32 * WORDS;
    localparam [31:0] NAME = 32'h594d0000 + (N << 8) + SLOTS; // "YM", size, games in flight

    assign busy = game_busy || game_request;
    wire write = request && !busy;
    wire [4:0] word = address[4:0];
    /* verilator lint_off UNUSEDSIGNAL */ // the last word is not used to its end
    logic [PADDED-1:0] black, white;
    /* verilator lint_on UNUSEDSIGNAL */
    assign start_black = black[W-1:0];
    assign start_white = white[W-1:0];
    always_ff @(posedge clk) begin
        game_request <= !reset && write && address == 12'h001 && write_data[0];
        if (reset) {black, white} <= 0;
        else if (write && word < WORDS[4:0]) begin
            if (address[11:5] == 7'h01) black[32*word+:32] <= write_data;
            if (address[11:5] == 7'h02) white[32*word+:32] <= write_data;
        end
        if (write)
            case (address)
                12'h003: seed[31:0] <= write_data;
                12'h004: seed[63:32] <= write_data;
                12'h005: first_game[31:0] <= write_data;
                12'h006: first_game[63:32] <= write_data;
                12'h007: games <= write_data[16:0];
                12'h008: start_side <= write_data[0];
                12'h009: {start_has_ko, start_ko} <= {write_data[31], write_data[B-1:0]};
                12'h00a: komi2 <= write_data[15:0];
                default: ;
            endcase
    end

    logic [11:0] address1, address2;
    assign tally_address = address[T-1:0];
    always_ff @(posedge clk) begin
        address1 <= address;
        address2 <= address1;
        casez (address2)
            12'h000: read_data <= NAME;
            12'h002: read_data <= {31'd0, busy};
            12'h010: read_data <= games_done;
            12'h011: read_data <= moves;
            12'h012: read_data <= score_sum;
            12'h013: read_data <= black_wins;
            12'h014: read_data <= white_wins;
            12'h015: read_data <= cycles;
            12'h016: read_data <= attempts;
            12'h017: read_data <= repeats;
            12'b1???????????: read_data <= {{14{tally_data[17]}}, tally_data};
            default: read_data <= 0;
        endcase
    end
endmodule
