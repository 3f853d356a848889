// Iface: what the host writes arrives where it should, nothing does while a batch is being played,
// and every result comes back three cycles after its address.
module bench_iface;
    parameter N = 5;
    `include "go.svh"
    localparam T = $clog2(3 * W + 1);
    localparam WORDS = (W + 31) / 32;

    logic request = 0, busy, game_request, game_busy = 0, start_side, start_has_ko;
    logic [11:0] address = 0;
    logic [31:0] write_data = 0, read_data;
    logic [W-1:0] start_black, start_white;
    logic [B-1:0] start_ko;
    logic [63:0] seed, first_game;
    logic [16:0] games;
    logic [15:0] komi2;
    logic [T-1:0] tally_address;
    logic [17:0] tally_data;
    logic [31:0] games_done, moves, attempts, repeats, cycles, black_wins, white_wins, score_sum;
    yomi_iface #(.N(N)) dut (.*);

    // The tally answers a cycle and a half of Score's later: two cycles after the address.
    logic [T-1:0] tally1;
    always_ff @(posedge clk) begin
        tally1 <= tally_address;
        tally_data <= {~tally1[0], {(17 - T) {1'b0}}, tally1};
    end

    task automatic put(input [11:0] where, input [31:0] value);
        address = where;
        write_data = value;
        request = 1;
        tick;
        request = 0;
    endtask
    task automatic get(input [11:0] where, input [31:0] wanted);
        address = where;
        tick;
        address = 12'hfff;
        repeat (2) tick;
        check(read_data === wanted, "a value read");
    endtask

    logic [32*WORDS-1:0] black, white;
    logic [31:0] value[0:15];
    integer round, i;
    initial begin
        repeat (20) tick;
        reset = 0;
        tick;
        check(start_black === 0 && start_white === 0, "empty after reset");
        for (round = 0; round < 200; round = round + 1) begin
            for (i = 0; i < 16; i = i + 1) begin
                dice = shaken(dice);
                value[i] = dice;
            end
            for (i = 0; i < WORDS; i = i + 1) begin
                dice = shaken(dice);
                black[32*i+:32] = dice;
                white[32*i+:32] = ~dice;
                put(12'h020 + i, black[32*i+:32]);
                put(12'h040 + i, white[32*i+:32]);
            end
            for (i = 3; i <= 10; i = i + 1) put(i, value[i]);
            check(start_black === black[W-1:0] && start_white === white[W-1:0], "the stones");
            check(seed === {value[4], value[3]}, "the seed");
            check(first_game === {value[6], value[5]}, "the first game");
            check(games === value[7][16:0] && start_side === value[8][0], "games and side");
            check(start_has_ko === value[9][31] && start_ko === value[9][B-1:0], "the ko");
            check(komi2 === value[10][15:0], "komi");
            check(game_request === 0 && busy === 0, "nothing asked for");
            put(12'h001, 32'd2);
            check(game_request === 0, "bit 0 starts, not bit 1");
            put(12'h001, 32'd1);
            check(game_request === 1 && busy === 1, "the start");
            game_busy = 1;
            tick;
            check(game_request === 0 && busy === 1, "one request only");
            for (i = 1; i <= 10; i = i + 1) put(i, ~value[i]);
            put(12'h020, ~black[31:0]);
            check(game_request === 0, "no second start");
            check(start_black === black[W-1:0] && seed[31:0] === value[3], "no writes while busy");
            check(games === value[7][16:0], "no writes while busy");
            get(12'h002, 32'd1);
            game_busy = 0;
            {games_done, moves, score_sum, black_wins} = {value[0], value[1], value[2], value[3]};
            {white_wins, cycles, attempts, repeats} = {value[4], value[5], value[6], value[7]};
            get(12'h002, 32'd0);
            get(12'h000, 32'h594d0000 + (N << 8) + 7);
            for (i = 0; i < 8; i = i + 1) get(12'h010 + i, value[i]);
            for (i = 0; i < 3 * W; i = i + 7)
                get(12'h800 + i, {{14{~i[0]}}, ~i[0], {(17 - T) {1'b0}}, i[T-1:0]});
            get(12'h00f, 32'd0);
        end
        pass("iface");
    end
endmodule
