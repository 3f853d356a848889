// What the benches share: a clock, a generator, counting of checks, and Go by plain spreading, which
// is slow, obvious, and has nothing in common with the units. To be included in a module that has N.
localparam W = N * N;
localparam B = $clog2(W);
localparam [W-1:0] FIRST = {N{{{(N - 1) {1'b0}}, 1'b1}}};
localparam [W-1:0] LAST = {N{{1'b1, {(N - 1) {1'b0}}}}};

logic clk = 0;
logic reset = 1;
always #5 clk = ~clk;
// Inputs change half a cycle before they are looked at.
task automatic tick;
    @(negedge clk);
endtask

// +stride=K: look at a K-th of everything only.
integer stride;
initial if (!$value$plusargs("stride=%d", stride)) stride = 1;

// A unit that never answers must not keep the bench for ever.
localparam PATIENCE = N == 3 ? 2000000 : N < 6 ? 300000 : 1000000;
initial begin
    repeat (PATIENCE) @(posedge clk);
    $display("FAIL: no end after %0d cycles", PATIENCE);
    $fatal(1);
end

integer checks = 0;
task automatic check(input good, input [8*24-1:0] what);
    checks = checks + 1;
    if (good !== 1'b1) begin
        $display("FAIL %0s, after %0d checks", what, checks);
        $fatal(1);
    end
endtask
task automatic pass(input [8*16-1:0] name);
    $display("PASS %0s %0dx%0d: %0d checks", name, N, N, checks);
    $finish;
endtask

logic [31:0] dice = 32'd2463534242;
function automatic [31:0] shaken(input [31:0] x);
    shaken = x ^ (x << 13);
    shaken = shaken ^ (shaken >> 17);
    shaken = shaken ^ (shaken << 5);
endfunction
// A number below n; good enough for tests.
task automatic roll(input integer n, output integer value);
    dice = shaken(dice);
    value = dice[30:0] % n;
endtask

function automatic [W-1:0] at(input integer p);
    at = {{(W - 1) {1'b0}}, 1'b1} << p;
endfunction
function automatic [W-1:0] near(input [W-1:0] x);
    near = ((x << 1) & ~FIRST) | ((x >> 1) & ~LAST) | (x << N) | (x >> N);
endfunction
// The string of the stones `all` that p belongs to, or nothing.
function automatic [W-1:0] string_at(input [W-1:0] all, input integer p);
    integer i;
    string_at = all & at(p);
    for (i = 0; i < W; i = i + 1) string_at = (string_at | near(string_at)) & all;
endfunction
// The neighbour of p to the west, east, north, south; W if that is beyond the edge.
function automatic integer neighbour(input integer p, input integer side);
    case (side)
        0: neighbour = p % N == 0 ? W : p - 1;
        1: neighbour = p % N == N - 1 ? W : p + 1;
        2: neighbour = p < N ? W : p - N;
        default: neighbour = p >= W - N ? W : p + N;
    endcase
endfunction
// Those of `all` that have no liberty.
function automatic [W-1:0] dead(input [W-1:0] all, input [W-1:0] empty);
    integer i;
    logic [W-1:0] live;
    live = all & near(empty);
    for (i = 0; i < W; i = i + 1) live = (live | near(live)) & all;
    dead = all & ~live;
endfunction
function automatic integer ones(input [W-1:0] x);
    integer i;
    ones = 0;
    for (i = 0; i < W; i = i + 1) if (x[i]) ones = ones + 1;
endfunction
// A board on which every string has a liberty.
task automatic random_board(output logic [W-1:0] a, output logic [W-1:0] b);
    integer p, i, colour, fill;
    a = 0;
    b = 0;
    roll(5, fill);
    for (i = 0; i < W; i = i + 1) begin
        roll(5, colour);
        if (colour < fill && colour[0]) a = a | at(i);
        else if (colour < fill) b = b | at(i);
    end
    p = 0;
    a = a & ~dead(a, ~(a | b));
    b = b & ~dead(b, ~(a | b));
    a = a & ~dead(a, ~(a | b));
endtask
