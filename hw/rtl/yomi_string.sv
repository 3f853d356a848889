// String: which stones hang together. Each string has a root, one of its stones; a table leads from
// each stone towards its root, and the root's entry in a second table holds the string's stones.
// Joining is an OR and up to four new entries; nothing is done for what is captured, because a
// stone's entry is written when it is put down.
//
// All games of a batch begin with the strings of the start position. Those are kept once, as a
// template (written while `load` is on), and a game's own entries count only where its dirty bits
// say so: a new game begins by clearing these bits.
//
// In each of four copies of the stone table one neighbour's path is followed for four steps, which
// is nearly always enough. If not, `unresolved` is answered, the path's beginning is made to point
// at its end so far, and the attempt is to be made again.
//
// Cycles after a request: 0-3 the path; 5 the dirty bits for masks are wanted, until 8; 7-10 the
// masks of the four strings come out; 13 the answer stands, and `write` may be given.
module yomi_string #(
    parameter N = 9,
    parameter SLOTS = 7,
    parameter W = N * N,
    parameter B = $clog2(W)
) (
    input  logic           clk,
    input  logic           reset,
    input  logic           load, // writes go to the template
    input  logic           request,
    output logic           busy,
    input  logic [2:0]     slot,
    input  logic [B-1:0]   move,
    input  logic [4*B-1:0] neighbours,
    input  logic [3:0]     stones, // which neighbours are stones
    input  logic [3:0]     own,    // ... of the side to move
    input  logic [W-1:0]   dirty,  // for the four cycles from the request
    input  logic [W-1:0]   dirty_masks,
    output logic [W-1:0]   mask,
    output logic           mask_single,
    output logic           done,
    output logic           unresolved,
    output logic [W-1:0]   mark,       // to be added to dirty if the entries are written
    output logic [W-1:0]   mark_masks, // ... to dirty_masks if the mask is
    input  logic           write,      // the entries
    input  logic           write_mask,
    input  logic [W-1:0]   new_mask,
    input  logic           new_single
);
    localparam ENTRIES = SLOTS * W;
    localparam A = $clog2(ENTRIES);
    localparam M = $clog2(ENTRIES + W);

    logic [13:1] at;
    always_ff @(posedge clk) at <= reset ? 13'd0 : {at[12:1], request};
    assign busy = |at[3:1];
    assign done = at[13];

    // The regions lie one behind the other; a choice of constants, not a multiplication.
    integer r;
    function automatic [M-1:0] entry(input [3:0] region, input [B-1:0] id);
        entry = 0;
        for (r = 1; r <= SLOTS; r = r + 1) if (region == r[3:0]) entry = M'(r * W);
        entry = entry + M'(id);
    endfunction

    // ---- the stone table: entries are written in turn, in the four cycles after `write` ----
    logic [4*B-1:0] write_at, write_data; // the entry to be written now lies lowest
    logic [3:0] write_on;
    logic [2:0] write_slot;
    logic write_load;
    wire [A-1:0] write_address = A'(entry({1'b0, write_slot}, write_at[B-1:0]));

    // ---- 0-3: following the paths ----
    wire following = request || at[1] || at[2] || at[3];
    wire [4*B-1:0] step; // where each path has come to
    logic [4*B-1:0] previous;
    wire [4*B-1:0] from = request ? neighbours : step;
    logic [2:0] slot1;
    wire [2:0] slot_now = request ? slot : slot1;
    genvar k;
    generate
        for (k = 0; k < 4; k = k + 1) begin : g_path
            logic [B-1:0] games[0:ENTRIES-1];
            logic [B-1:0] template_entries[0:W-1];
            logic [B-1:0] game_entry, template_entry;
            logic is_dirty;
            wire [B-1:0] id = from[B*k+:B];
            always_ff @(posedge clk) begin
                if (write_on[0] && !write_load) games[write_address] <= write_data[B-1:0];
                if (following) game_entry <= games[A'(entry({1'b0, slot_now}, id))];
            end
            always_ff @(posedge clk) begin
                if (write_on[0] && write_load) template_entries[write_at[B-1:0]] <= write_data[B-1:0];
                if (following) template_entry <= template_entries[id];
            end
            always_ff @(posedge clk) if (following) is_dirty <= dirty[id];
            assign step[B*k+:B] = is_dirty ? game_entry : template_entry;
        end
    endgenerate
    always_ff @(posedge clk) if (following) previous <= from;

    // ---- what is asked for, kept along the way ----
    logic [2:0] slot5, slot9, slot13;
    logic [B-1:0] move1, move5;
    logic [4*B-1:0] neighbours1, neighbours5, roots5;
    logic [4*B-1:0] parents2;
    logic [3:0] stones1, own1, own5, open_paths5, long_paths5, roots_aside5;
    always_ff @(posedge clk) begin
        if (request) begin
            slot1 <= slot;
            move1 <= move;
            neighbours1 <= neighbours;
            stones1 <= stones;
            own1 <= own;
        end
        if (at[1]) parents2 <= step;
        if (at[4]) begin
            slot5 <= slot1;
            move5 <= move1;
            neighbours5 <= neighbours1;
            own5 <= own1;
            roots5 <= step;
        end
    end
    integer i;
    always_ff @(posedge clk)
        if (at[4])
            for (i = 0; i < 4; i = i + 1) begin
                open_paths5[i] <= stones1[i] && step[B*i+:B] != previous[B*i+:B];
                long_paths5[i] <= stones1[i] && step[B*i+:B] != parents2[B*i+:B];
                roots_aside5[i] <= own1[i] && step[B*i+:B] != neighbours1[B*i+:B];
            end

    // ---- 5-10: the masks ----
    logic [W:0] masks[0:ENTRIES+W-1];
    logic [M-1:0] mask_address;
    logic [B-1:0] root13;
    logic [W:0] mask_word;
    wire [B-1:0] root_now = at[5] ? roots5[0+:B] : at[6] ? roots5[B+:B] :
                            at[7] ? roots5[2*B+:B] : roots5[3*B+:B];
    wire [3:0] region_now = dirty_masks[root_now] ? {1'b0, slot5} : SLOTS[3:0];
    always_ff @(posedge clk) if (|at[8:5]) mask_address <= entry(region_now, root_now);
    wire [M-1:0] new_address = entry(load ? SLOTS[3:0] : {1'b0, slot13}, root13);
    always_ff @(posedge clk) begin
        if (write_mask) masks[new_address] <= {new_single, new_mask};
        if (|at[9:6]) mask_word <= masks[mask_address];
    end
    assign mask = mask_word[W-1:0];
    assign mask_single = mask_word[W];

    // ---- 8: what is to be written: the new stone and the roots that lose theirs, or shorter paths
    logic [4*B-1:0] at9, at13, data9, data13;
    logic [3:0] on9, on13;
    logic [B-1:0] root9;
    logic unresolved9;
    // A string whose root is not the neighbour itself is likely the larger: its root remains.
    wire [3:0] choice = roots_aside5 != 0 ? roots_aside5 : own5;
    wire [B-1:0] root_new = choice[0] ? roots5[0+:B] : choice[1] ? roots5[B+:B] :
                            choice[2] ? roots5[2*B+:B] : choice[3] ? roots5[3*B+:B] : move5;
    wire [1:0] stay = choice[0] ? 2'd0 : choice[1] ? 2'd1 : choice[2] ? 2'd2 : 2'd3;
    integer n;
    always_ff @(posedge clk)
        if (at[8]) begin
            slot9 <= slot5;
            root9 <= root_new;
            unresolved9 <= |open_paths5;
            if (|open_paths5) begin
                at9 <= neighbours5;
                data9 <= roots5;
                on9 <= open_paths5;
            end else begin
                // At most three roots lose theirs, and the place of the one that does not is the
                // new stone's. Places left over shorten paths of two steps or more.
                data9 <= {4{root_new}};
                for (n = 0; n < 4; n = n + 1)
                    if (stay == n[1:0]) begin
                        at9[B*n+:B] <= move5;
                        on9[n] <= 1'b1;
                    end else if (own5[n] && roots5[B*n+:B] != root_new) begin
                        at9[B*n+:B] <= roots5[B*n+:B];
                        on9[n] <= 1'b1;
                    end else begin
                        at9[B*n+:B] <= neighbours5[B*n+:B];
                        data9[B*n+:B] <= roots5[B*n+:B];
                        on9[n] <= long_paths5[n];
                    end
            end
        end

    // ---- 9-12: the same as marks, one a cycle ----
    wire [1:0] turn = {at[11] | at[12], at[10] | at[12]};
    wire [B-1:0] mark_now = at9[B*turn+:B];
    wire [W-1:0] one = {{(W - 1) {1'b0}}, 1'b1};
    always_ff @(posedge clk) begin
        if (|at[12:9])
            mark <= (at[9] ? {W{1'b0}} : mark) | (on9[turn] ? one << mark_now : {W{1'b0}});
        if (at[12]) begin
            mark_masks <= one << root9;
            slot13 <= slot9;
            root13 <= root9;
            at13 <= at9;
            data13 <= data9;
            on13 <= on9;
            unresolved <= unresolved9;
        end
    end

    // ---- 13: written if the game says so ----
    always_ff @(posedge clk)
        if (reset) write_on <= 0;
        else if (write) begin
            write_on <= on13;
            write_at <= at13;
            write_data <= data13;
            write_slot <= slot13;
            write_load <= load;
        end else begin
            write_on <= {1'b0, write_on[3:1]};
            write_at <= {{B{1'b0}}, write_at[4*B-1:B]};
            write_data <= {{B{1'b0}}, write_data[4*B-1:B]};
        end
endmodule
