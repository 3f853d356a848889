// Game: the boards of all games in flight, whose turn it is in the pipeline, and what an attempt
// changes.
//
// The games go round like horses on a carousel: an attempt begins every fourth cycle (phase 0), for
// each slot in turn, and takes 28 cycles, so seven games keep every unit busy and no two attempts
// ever touch the same game. t below counts the cycles of an attempt, in which
//     0-11  Select draws a point              14-26  String finds the neighbours' strings
//     12-13 its neighbours are looked at      20-26  Delete looks for liberties
//     18    the free points are looked up     27     the attempt is carried out
// The boards lie in a memory with one read port, which phase 0 lends to t = 0, phase 1 to t = 13,
// phase 2 to t = 18 and phase 3 to t = 27. A register loaded at t may be read until t + 4.
module yomi_game #(
    parameter N = 9,
    parameter SLOTS = 7, // games in flight, 1 to 7
    parameter W = N * N,
    parameter B = $clog2(W)
) (
    input  logic         clk,
    input  logic         reset,
    input  logic         request, // a batch; its inputs stay as they are until busy falls
    output logic         busy,
    input  logic [W-1:0] start_black,
    input  logic [W-1:0] start_white,
    input  logic         start_side, // 1: White moves first
    input  logic [B-1:0] start_ko,
    input  logic         start_has_ko,
    input  logic [63:0]  seed,
    input  logic [63:0]  first_game,
    input  logic [16:0]  games,
    // the other units
    output logic         select_request,
    output logic [W-1:0] select_own,
    output logic [W-1:0] select_opponent,
    output logic [W-1:0] select_struck,
    output logic [31:0]  select_random,
    input  logic [B-1:0] select_point,
    input  logic         select_none,
    input  logic         select_missed,
    output logic         load,
    output logic           string_request,
    output logic [2:0]     string_slot,
    output logic [B-1:0]   string_move,
    output logic [4*B-1:0] string_neighbours,
    output logic [3:0]     string_stones,
    output logic [3:0]     string_own,
    output logic [W-1:0]   string_dirty,
    output logic [W-1:0]   string_dirty_masks,
    input  logic           string_unresolved,
    input  logic [W-1:0]   string_mark,
    input  logic [W-1:0]   string_mark_masks,
    output logic           string_write,
    output logic           string_write_mask,
    output logic [W-1:0]   string_new_mask,
    output logic           string_new_single,
    output logic         delete_request,
    output logic [W-1:0] delete_free,
    output logic [3:0]   delete_own,
    output logic [3:0]   delete_opponent,
    output logic         delete_open,
    input  logic [W-1:0] delete_captured,
    input  logic [W-1:0] delete_merged,
    input  logic         delete_suicide,
    input  logic         delete_ko,
    output logic         score_clear,
    output logic         score_request,
    input  logic         score_busy,
    output logic [W-1:0] score_black,
    output logic [W-1:0] score_white,
    output logic [16:0]  score_game,
    // what happened
    output logic [31:0]  moves,    // of the batch, passes counted
    output logic [31:0]  attempts,
    output logic [31:0]  repeats,  // attempts made again because a path was long
    output logic [31:0]  cycles,   // from the first attempt of a game to the end of the last
    output logic         trace,    // a move was made, in a game ...
    output logic [16:0]  trace_game,
    output logic         trace_pass,
    output logic [B-1:0] trace_point
);
    localparam [W-1:0] FIRST = {N{{{(N - 1) {1'b0}}, 1'b1}}};
    localparam [W-1:0] LAST = {N{{1'b1, {(N - 1) {1'b0}}}}};
    localparam L = $clog2(3 * W + 1);
    localparam ROUND = 7; // attempts in flight at most: 28 cycles by four
    localparam [1:0] IDLE = 0, PLAY = 1, OVER = 2; // of a slot
    localparam [2:0] REST = 0, EMPTY = 1, LOAD = 2, RUN = 3, FINISH = 4; // of the batch

    // ---- the carousel ----
    logic [1:0] phase;
    logic [2:0] slot[0:6]; // of the attempt that is in t = 4j .. 4j+3
    logic [6:0] going;     // ... is one
    wire start_now = phase == 0 && attempt_now;
    wire [2:0] slot_next = slot[0] == ROUND - 1 ? 3'd0 : slot[0] + 1'b1;
    always_ff @(posedge clk)
        if (reset) begin
            phase <= 0;
            slot[0] <= 0;
            going[6:1] <= 0;
        end else begin
            phase <= phase + 1'b1;
            if (phase == 3) begin
                slot[0] <= slot_next;
                slot[1] <= slot[0];
                slot[2] <= slot[1];
                slot[3] <= slot[2];
                slot[4] <= slot[3];
                slot[5] <= slot[4];
                slot[6] <= slot[5];
                going[6:1] <= going[5:0];
            end
        end
    always_ff @(posedge clk)
        if (reset) going[0] <= 0;
        else if (phase == 0) going[0] <= attempt_now;

    // ---- the state of the games ----
    logic [W-1:0] blacks[0:7], whites[0:7], strucks[0:7], dirties[0:7], dirty_mask_bits[0:7];
    logic [63:0] generators[0:7];
    logic [L-1:0] lengths[0:7];
    logic [16:0] numbers[0:7];
    logic [7:0] sides, passed;
    logic [15:0] modes; // two bits a slot
    logic [2:0] reading; // slot[0], [3], [4], [6] in phases 0 to 3, known a cycle before
    always_ff @(posedge clk)
        if (reset) reading <= 0;
        else
            case (phase)
                2'd0: reading <= slot[3];
                2'd1: reading <= slot[4];
                2'd2: reading <= slot[6];
                default: reading <= slot_next;
            endcase
    wire [W-1:0] black = blacks[reading];
    wire [W-1:0] white = whites[reading];
    wire [W-1:0] struck = strucks[reading];
    wire [W-1:0] dirty = dirties[reading];
    wire [W-1:0] dirty_masks = dirty_mask_bits[reading];
    wire [63:0] generator = generators[reading];
    wire [1:0] mode = modes[2*reading+:2];
    wire side = load ? load_white : sides[reading];
    wire [W-1:0] own = side ? white : black;
    wire [W-1:0] opponent = side ? black : white;

    // ---- 0: the draw ----
    wire attempt_now = load ? slot[0] == 0 && load_stone : mode == PLAY && slot[0] < SLOTS;
    assign select_request = start_now && !load;
    assign select_own = own;
    assign select_opponent = opponent;
    assign select_struck = struck;
    assign select_random = generator[31:0] ^ (generator[44:13] & generator[58:27]);

    // ---- 12, 13: the neighbours, west, east, north, south ----
    logic [B-1:0] point12, point16, point20, point24;
    logic [4*B-1:0] around12;
    logic [3:0] on12, own13, own17, own21, own25, opponent13, opponent17;
    logic [3:0] on13;
    logic open17;
    logic none12, none16, none20, none24, missed12, missed16, missed20, missed24;
    wire [B-1:0] point = load ? load_point : select_point;
    always_ff @(posedge clk)
        if (phase == 0) begin
            point12 <= point;
            around12 <= {point + B'(N), point - B'(N), point + 1'b1, point - 1'b1};
            on12 <= {point < B'(W - N), point >= B'(N), !LAST[point], !FIRST[point]};
            none12 <= select_none && !load;
            missed12 <= select_missed && !load;
            point16 <= point12;
            point20 <= point16;
            point24 <= point20;
            {none16, none20, none24} <= {none12, none16, none20};
            {missed16, missed20, missed24} <= {missed12, missed16, missed20};
        end
    logic [3:0] black_bits, white_bits;
    integer i;
    always_comb
        for (i = 0; i < 4; i = i + 1) begin
            black_bits[i] = on12[i] && black[around12[B*i+:B]];
            white_bits[i] = on12[i] && white[around12[B*i+:B]];
        end
    always_ff @(posedge clk)
        if (phase == 1) begin
            own13 <= side ? white_bits : black_bits;
            opponent13 <= side ? black_bits : white_bits;
            on13 <= on12;
            string_dirty <= dirty;
            {own17, own21, own25} <= {own13, own17, own21};
            opponent17 <= opponent13;
            open17 <= |(on13 & ~own13 & ~opponent13);
        end

    // ---- 14: their strings ----
    assign string_request = phase == 2 && going[3];
    assign string_slot = slot[3];
    assign string_move = point12;
    assign string_neighbours = around12;
    assign string_stones = own13 | opponent13;
    assign string_own = own13;

    // ---- 18, 20: their liberties ----
    wire [W-1:0] one = {{(W - 1) {1'b0}}, 1'b1};
    wire [W-1:0] point_mask = one << (phase == 2 ? point16 : point24);
    logic [W-1:0] point_mask25;
    always_ff @(posedge clk) begin
        if (phase == 2) begin
            delete_free <= ~(black | white | point_mask);
            string_dirty_masks <= dirty_masks;
        end
        if (phase == 1) point_mask25 <= point_mask;
    end
    assign delete_request = phase == 0 && going[5];
    assign delete_own = own17;
    assign delete_opponent = opponent17;
    assign delete_open = open17;

    // ---- 27: the attempt is carried out ----
    wire last = phase == 3;
    wire acting = last && going[6];
    wire again = !none24 && !missed24 && string_unresolved;
    wire played = !none24 && !missed24 && !string_unresolved && !delete_suicide;
    wire turn_over = played || none24;
    wire over = (none24 && passed[reading]) || lengths[reading] == L'(3 * W - 1);
    assign string_write = acting && (again || played);
    assign string_write_mask = acting && played;
    assign string_new_mask = delete_merged | point_mask25;
    assign string_new_single = own25 == 0;

    // A slot without a game, or whose game is over and can be handed to Score, takes the next one.
    wire hand_over = last && slot[6] < SLOTS && mode == OVER && !score_busy;
    wire vacant = last && slot[6] < SLOTS && (mode == IDLE || hand_over);
    wire begin_game = vacant && batch == RUN && next_ready;
    assign score_request = hand_over;
    assign score_black = black;
    assign score_white = white;
    assign score_game = numbers[reading];

    wire [W-1:0] own_new = own | point_mask25;
    wire [W-1:0] opponent_new = opponent & ~delete_captured;
    wire [31:0] fresh = generator[31:0] ^ generator[40:9] ^ generator[50:19] ^ generator[62:31];
    wire clear_board = last && batch == EMPTY && slot[6] == 0;
    wire write_board = begin_game || clear_board || (acting && played);
    always_ff @(posedge clk) begin
        if (write_board) begin
            blacks[reading] <= clear_board ? {W{1'b0}} : begin_game ? start_black :
                               side ? opponent_new : own_new;
            whites[reading] <= clear_board ? {W{1'b0}} : begin_game ? start_white :
                               side ? own_new : opponent_new;
        end
        if (begin_game || clear_board || (acting && !again && !missed24))
            strucks[reading] <= begin_game ? start_struck : clear_board ? {W{1'b0}} :
                                !turn_over ? struck | point_mask25 :
                                played && delete_ko ? delete_captured : {W{1'b0}};
        if (begin_game || clear_board || (string_write && !load))
            dirties[reading] <= begin_game || clear_board ? {W{1'b0}} : dirty | string_mark;
        if (begin_game || clear_board || (string_write_mask && !load))
            dirty_mask_bits[reading] <= begin_game || clear_board ? {W{1'b0}} :
                                        dirty_masks | string_mark_masks;
        if (begin_game || (acting && !again))
            generators[reading] <= begin_game ? next_state : {fresh, generator[63:32]};
        if (begin_game || (acting && turn_over))
            lengths[reading] <= begin_game ? {L{1'b0}} : lengths[reading] + 1'b1;
        if (begin_game) numbers[reading] <= next_number;
    end
    always_ff @(posedge clk) begin
        if (begin_game) sides[reading] <= start_side;
        else if (acting && turn_over) sides[reading] <= !sides[reading];
        if (begin_game) passed[reading] <= 0;
        else if (acting && turn_over) passed[reading] <= none24;
    end
    always_ff @(posedge clk)
        if (reset) modes <= 0;
        else if (begin_game) modes[2*reading+:2] <= PLAY;
        else if (hand_over) modes[2*reading+:2] <= IDLE;
        else if (acting && !load && turn_over && over) modes[2*reading+:2] <= OVER;

    // ---- the batch ----
    logic [2:0] batch;
    logic [16:0] next_number, left;
    logic [63:0] next_state, next_game;
    logic next_ready, next_asked, seed_busy;
    logic load_stone, load_white;
    logic [B-1:0] load_point;
    logic [W-1:0] start_struck;
    logic [B:0] scan;
    assign busy = batch != REST;
    assign load = batch == LOAD;
    assign score_clear = request && !busy;
    wire seed_request = batch == RUN && !next_ready && !next_asked && left != 0;
    yomi_seed seeder (
        .clk(clk),
        .reset(reset),
        .request(seed_request),
        .busy(seed_busy),
        .seed(seed),
        .game(next_game),
        .state(next_state)
    );
    wire scanning = batch == LOAD && !load_stone && scan < (B + 1)'(W);
    always_ff @(posedge clk) begin
        if (scanning) begin
            scan <= scan + 1'b1;
            load_point <= scan[B-1:0];
            load_white <= start_white[scan[B-1:0]];
            start_struck <= {start_has_ko && start_ko == scan[B-1:0], start_struck[W-1:1]};
        end
        if (batch == EMPTY) scan <= 0;
        if (reset || batch == EMPTY) load_stone <= 0;
        else if (scanning) load_stone <= start_black[scan[B-1:0]] || start_white[scan[B-1:0]];
        else if (load && acting && !again) load_stone <= 0;
    end
    always_ff @(posedge clk)
        if (reset) begin
            batch <= REST;
            next_ready <= 0;
            next_asked <= 0;
        end else begin
            case (batch)
                REST: if (request) batch <= EMPTY;
                EMPTY: if (clear_board) batch <= LOAD;
                LOAD: if (!load_stone && scan == (B + 1)'(W)) batch <= RUN;
                RUN: if (left == 0 && !next_ready && !next_asked) batch <= FINISH;
                default: if (modes == 0 && going == 0 && !score_busy) batch <= REST;
            endcase
            if (batch == EMPTY) begin
                left <= games;
                next_game <= first_game;
                next_number <= 17'h1ffff;
            end
            if (seed_request) begin
                next_asked <= 1;
                left <= left - 1'b1;
                next_number <= next_number + 1'b1;
                next_game <= next_game + 1'b1;
            end else if (next_asked && !seed_busy) begin
                next_asked <= 0;
                next_ready <= 1;
            end
            if (begin_game) next_ready <= 0;
        end

    // ---- what is counted ----
    always_ff @(posedge clk)
        if (batch == EMPTY) {moves, attempts, repeats, cycles} <= 0;
        else if (!load) begin
            if (acting) attempts <= attempts + 1'b1;
            if (acting && again) repeats <= repeats + 1'b1;
            if (acting && turn_over) moves <= moves + 1'b1;
            if (busy) cycles <= cycles + 1'b1;
        end
    always_ff @(posedge clk) begin
        trace <= acting && turn_over && !load && !reset;
        trace_game <= numbers[reading];
        trace_pass <= none24;
        trace_point <= point24;
    end
endmodule
