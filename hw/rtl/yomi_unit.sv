// The unit: all of them wired together. `trace` and `scored` tell a test bench every move and every
// score; leave them open, and synthesis leaves them out.
module yomi_unit #(
    parameter N = 9,
    parameter SLOTS = 7,
    parameter W = N * N,
    parameter B = $clog2(W),
    parameter T = $clog2(3 * W + 1)
) (
    input  logic               clk,
    input  logic               reset,
    input  logic               request,
    output logic               busy,
    input  logic [11:0]        address,
    input  logic [31:0]        write_data,
    output logic [31:0]        read_data,
    output logic               trace,
    output logic [16:0]        trace_game,
    output logic               trace_pass,
    output logic [B-1:0]       trace_point,
    output logic               scored,
    output logic [16:0]        scored_game,
    output logic signed [15:0] scored_score
);
    logic select_busy, string_busy, delete_busy, string_done, delete_done;
    /* verilator lint_off UNUSEDSIGNAL */ // Game knows when Select answers; a bench does not
    logic select_done;
    /* verilator lint_on UNUSEDSIGNAL */
    logic game_request, game_busy, start_side, start_has_ko, select_request, select_none,
        select_missed, load, string_request, string_unresolved, string_write, string_write_mask,
        string_new_single, delete_request, delete_open, delete_suicide, delete_ko, score_clear,
        score_request, score_busy, mask_single;
    logic [W-1:0] start_black, start_white, select_own, select_opponent, select_struck,
        string_dirty, string_dirty_masks, string_mark, string_mark_masks, string_new_mask,
        delete_free, delete_captured, delete_merged, score_black, score_white, mask;
    logic [B-1:0] start_ko, select_point, string_move;
    logic [63:0] seed, first_game;
    logic [16:0] games, score_game;
    logic [15:0] komi2;
    logic [T-1:0] tally_address;
    logic [17:0] tally_data;
    logic [31:0] games_done, moves, attempts, repeats, cycles, black_wins, white_wins, score_sum,
        select_random;
    logic [2:0] string_slot;
    logic [4*B-1:0] string_neighbours;
    logic [3:0] string_stones, string_own, delete_own, delete_opponent;

    yomi_iface #(.N(N), .SLOTS(SLOTS)) u_iface (
        .clk(clk),
        .reset(reset),
        .request(request),
        .busy(busy),
        .address(address),
        .write_data(write_data),
        .read_data(read_data),
        .game_request(game_request),
        .game_busy(game_busy),
        .start_black(start_black),
        .start_white(start_white),
        .start_side(start_side),
        .start_ko(start_ko),
        .start_has_ko(start_has_ko),
        .seed(seed),
        .first_game(first_game),
        .games(games),
        .komi2(komi2),
        .tally_address(tally_address),
        .tally_data(tally_data),
        .games_done(games_done),
        .moves(moves),
        .attempts(attempts),
        .repeats(repeats),
        .cycles(cycles),
        .black_wins(black_wins),
        .white_wins(white_wins),
        .score_sum(score_sum)
    );

    yomi_game #(.N(N), .SLOTS(SLOTS)) u_game (
        .clk(clk),
        .reset(reset),
        .request(game_request),
        .busy(game_busy),
        .start_black(start_black),
        .start_white(start_white),
        .start_side(start_side),
        .start_ko(start_ko),
        .start_has_ko(start_has_ko),
        .seed(seed),
        .first_game(first_game),
        .games(games),
        .select_request(select_request),
        .select_own(select_own),
        .select_opponent(select_opponent),
        .select_struck(select_struck),
        .select_random(select_random),
        .select_point(select_point),
        .select_none(select_none),
        .select_missed(select_missed),
        .load(load),
        .string_request(string_request),
        .string_slot(string_slot),
        .string_move(string_move),
        .string_neighbours(string_neighbours),
        .string_stones(string_stones),
        .string_own(string_own),
        .string_dirty(string_dirty),
        .string_dirty_masks(string_dirty_masks),
        .string_unresolved(string_unresolved),
        .string_mark(string_mark),
        .string_mark_masks(string_mark_masks),
        .string_write(string_write),
        .string_write_mask(string_write_mask),
        .string_new_mask(string_new_mask),
        .string_new_single(string_new_single),
        .delete_request(delete_request),
        .delete_free(delete_free),
        .delete_own(delete_own),
        .delete_opponent(delete_opponent),
        .delete_open(delete_open),
        .delete_captured(delete_captured),
        .delete_merged(delete_merged),
        .delete_suicide(delete_suicide),
        .delete_ko(delete_ko),
        .score_clear(score_clear),
        .score_request(score_request),
        .score_busy(score_busy),
        .score_black(score_black),
        .score_white(score_white),
        .score_game(score_game),
        .moves(moves),
        .attempts(attempts),
        .repeats(repeats),
        .cycles(cycles),
        .trace(trace),
        .trace_game(trace_game),
        .trace_pass(trace_pass),
        .trace_point(trace_point)
    );

    yomi_select #(.N(N)) u_select (
        .clk(clk),
        .reset(reset),
        .request(select_request),
        .busy(select_busy),
        .own(select_own),
        .opponent(select_opponent),
        .struck(select_struck),
        .random(select_random),
        .done(select_done),
        .point(select_point),
        .none(select_none),
        .missed(select_missed)
    );

    yomi_string #(.N(N), .SLOTS(SLOTS)) u_string (
        .clk(clk),
        .reset(reset),
        .load(load),
        .request(string_request),
        .busy(string_busy),
        .slot(string_slot),
        .move(string_move),
        .neighbours(string_neighbours),
        .stones(string_stones),
        .own(string_own),
        .dirty(string_dirty),
        .dirty_masks(string_dirty_masks),
        .mask(mask),
        .mask_single(mask_single),
        .done(string_done),
        .unresolved(string_unresolved),
        .mark(string_mark),
        .mark_masks(string_mark_masks),
        .write(string_write),
        .write_mask(string_write_mask),
        .new_mask(string_new_mask),
        .new_single(string_new_single)
    );

    yomi_delete #(.N(N)) u_delete (
        .clk(clk),
        .reset(reset),
        .request(delete_request),
        .busy(delete_busy),
        .free(delete_free),
        .own(delete_own),
        .opponent(delete_opponent),
        .open(delete_open),
        .stones(mask),
        .single(mask_single),
        .done(delete_done),
        .captured(delete_captured),
        .merged(delete_merged),
        .suicide(delete_suicide),
        .ko(delete_ko)
    );

    yomi_score #(.N(N)) u_score (
        .clk(clk),
        .reset(reset),
        .clear(score_clear),
        .request(score_request),
        .busy(score_busy),
        .black(score_black),
        .white(score_white),
        .game(score_game),
        .komi2(komi2),
        .read_address(tally_address),
        .read_data(tally_data),
        .games(games_done),
        .black_wins(black_wins),
        .white_wins(white_wins),
        .score_sum(score_sum),
        .done(scored),
        .done_game(scored_game),
        .done_score(scored_score)
    );

    // No unit is asked while it is busy, and nothing is carried out before the answers stand.
    /* verilator lint_off UNUSEDSIGNAL */
    wire refused = (select_request && select_busy) || (string_request && string_busy) ||
                   (delete_request && delete_busy) || (score_request && score_busy) ||
                   (string_write && !(string_done && delete_done));
    /* verilator lint_on UNUSEDSIGNAL */
`ifndef SYNTHESIS
    always @(posedge clk)
        if (!reset && refused) begin
            $display("handshake broken at %0t", $time);
            $finish;
        end
`endif
endmodule
