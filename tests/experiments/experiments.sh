#!/usr/bin/env bash
# Every script below experiments/ and hw/ answers --help, refuses what it does not know with status 2,
# and works when called through a symbolic link; and the experiments that this machine can run are run,
# as small as they go.
. tests/lib.sh
export YOMI PATH=$PATH:/usr/games

for script in experiments/*/run experiments/*/*.sh experiments/tano/parallelism hw/*/run; do
    [ "${script##*/}" != common.sh ] || continue
    # A folder of its own: nothing may be written or built for the asking.
    ln -sf "$PWD/$script" "$tmp/link"
    (cd "$tmp" && ./link --help >"$tmp/out" 2>"$tmp/err") || fail "$script --help: $(cat "$tmp/err")"
    has "$tmp/out" "$script"
    "$script" --no-such-option x >"$tmp/out" 2>&1
    (($? == 2)) || fail "$script --no-such-option: another status than 2: $(head -3 "$tmp/out")"
done

run() { # SCRIPT ARGUMENT...
    timeout 600 "$@" >"$tmp/out" 2>"$tmp/err" || fail "$*: $(tail -n 3 "$tmp/out" "$tmp/err")"
}

if command -v gnugo >/dev/null; then
    run experiments/mogo/run table3 --games 2 --playouts 20 --out "$tmp/mogo"
    has "$tmp/mogo/table3.md" '^| pure '
    has "$tmp/mogo/table3.svg" '</svg>'
    run experiments/mogo/gnugo.sh "$tmp/gnugo" --games 2 --playouts 20 --size 5 --level 1
    has "$tmp/gnugo/summary.md" 'GNU Go'
    run experiments/life/run fights --count 1 --engine 'yomi gtp --threads 1 --search uct --playouts 50'
    has "$tmp/out" '^[01] of 1 solved by yomi gtp'
else
    echo "not checked: matches against GNU Go (no gnugo)"
fi
# Of these the network alone finds twelve.
run experiments/life/run links --count 16 --engine 'yomi gtp --threads 1 --visits 100'
has "$tmp/out" '^16 of 16 solved'
run experiments/life/run eyes --count 6 --review 'yomi analyze --visits 100 --threads 1 --no-svg --no-png'
has "$tmp/out" '^6 of 6 solved by yomi analyze' # the network alone finds four
run experiments/life/run eyes --count 2 --engine 'yomi gtp --threads 1 --search uct --playouts 50 --reading'
has "$tmp/out" '^2 of 2 solved by yomi gtp'
run experiments/networks/opponents.sh uct --games 2 --seconds 0.01 --size 5 --jobs 1 --out "$tmp/opponents"
has "$tmp/opponents/summary.md" '^5x5, komi 7.5, area scoring: .*%'
run experiments/networks/shogi.sh --games 1 --seconds 0.02 --threads 1 --out "$tmp/shogi-puct"
has "$tmp/out" '^ .* [01] - [01].*%'
run experiments/territory/run --games 2 --size 5 --playouts 20 --out "$tmp/territory"
has "$tmp/territory/results.md" '^| uct | 5x5 | 20 |'
run experiments/tano/player.sh --part cpu --games 2 --time 0.02 --threads 1 --backend scalar --out "$tmp/player"
run experiments/tano/player.sh --part report --out "$tmp/player"
has "$tmp/player/player.md" '^| `yomi gtp'
run experiments/shogi/run material --games 2 --seconds 0.01 --out "$tmp/shogi"
has "$tmp/out" '^material-nodes: '
run experiments/shogi/run search --other "$YOMI" --games 2 --seconds 0.02 --own-clock --out "$tmp/shogi"
has "$tmp/out" '^search-0.02: .*%'
run experiments/shogi/run double --games 2 --seconds 0.02 --own-clock --out "$tmp/shogi"
has "$tmp/out" '^double: .*%'
run experiments/shogi/run network --net material --games 2 --seconds 0.02 --out "$tmp/shogi"
has "$tmp/out" '^network-0.02: .*%'
run experiments/minimax/half_ply.sh "$tmp/half" --branching 20 --depth 4 --shogi-depth 1
has "$tmp/half.md" '^| 3 | 1.14 | 1.14 | 5 |$'
run experiments/minimax/realization.sh "$tmp/real" --games 2 --time 0.02 --learn-games 2 --learn-nodes 200
has "$tmp/real/results.md" '^| 0.02 s | 2 |.*% \['
run experiments/minimax/realization.sh "$tmp/halfply" --rule half --games 2 --time 0.02
has "$tmp/halfply/results.md" '^| 0.01 s | 2 |.*% \['
run experiments/minimax/realization.sh "$tmp/bynodes" --rule half --games 2 --nodes 400 --worth 0.5
has "$tmp/bynodes/results.md" '^| 100 positions | 2 |.*% \['
kaneko() { run experiments/kaneko/run "$@" --out "$tmp/kaneko" --jobs 2; }
kaneko positions --count 2 --nodes 1000 --factor 2
kaneko prediction --targets "$tmp/kaneko/positions.tsv" --workers 2,6 --recommend 0.02
has "$tmp/kaneko/prediction.md" '^| 0.02 s | 6 | 2 |'
has "$tmp/kaneko/prediction.svg" '</svg>'
if command -v gpsusi >/dev/null; then
    kaneko gps --targets "$tmp/kaneko/positions.tsv" --workers 2,3 --recommend 0.02,0.05 --limit 60
    has "$tmp/kaneko/prediction-gps.md" '^| 0.05 s | 3 | 2 |'
    # What is in the file is not searched again.
    kaneko gps --targets "$tmp/kaneko/positions.tsv" --workers 3 --recommend 0.02,0.05 --limit 60
    [ "$(wc -l < "$tmp/kaneko/prediction-gps.jsonl")" = 4 ] || fail "positions were searched by GPSShogi twice"
else
    echo "not checked: prediction with GPSShogi as worker (no gpsusi)"
fi
kaneko speedup --targets "$tmp/kaneko/positions.tsv" --workers 1,3 --seconds 0.05
has "$tmp/kaneko/speedup.md" '^| split | 3 |'
kaneko matches --pairs 2:1 --games 2 --seconds 0.005 --strategy predict,majority
has "$tmp/kaneko/matches-shogi.md" '^| majority | 2 | 1 |'
has "$tmp/kaneko/matches-shogi.md" 'matches --pairs 2:1 --games 2 '
run experiments/kaneko/run real --pairs 2:1 --games 2 --seconds 0.02 --out "$tmp/kaneko"
has "$tmp/kaneko/real.md" '^| predict | 2 | 1 | [0-2] - [0-2], [0-2] |'
has "$tmp/kaneko/real.svg" '</svg>'
kaneko matches --pairs 2:predict1 --games 1 --first 3 --seconds 0.005
has "$tmp/kaneko/matches-shogi.jsonl" '"game": 3,.*"threads": "predict1"'
kaneko records --matches "$tmp/kaneko/matches-shogi.jsonl"
has "$tmp/kaneko/records.tsv" '^startpos moves'
kaneko records --games "$tmp/shogi/network-0.02/games" --every 4
has "$tmp/kaneko/records.tsv" '^startpos moves.*	[1-9PLNSGBR][1-9*][a-i1-9]'
kaneko prediction --targets "$tmp/kaneko/records.tsv" --kind all --count 2 --workers 2 --recommend 0.02
has "$tmp/kaneko/prediction.md" 'the move that was played in the games is'
# Tables of nothing do not replace those that are kept, and nothing is measured for a report.
kept=$tmp/kept
mkdir "$kept"
for name in positions.tsv prediction.md prediction-gps.md speedup.md matches-go.md player.md parallelism.md; do
    echo kept >"$kept/$name"
done
cp experiments/kaneko/results/positions.tsv "$tmp/some.tsv"
no_report() { # SCRIPT ARGUMENT...
    "$@" --out "$kept" >"$tmp/out" 2>&1 && fail "$*: a report of nothing"
    has "$tmp/out" '^error: '
}
no_report experiments/kaneko/run positions --only-report
no_report experiments/kaneko/run prediction --only-report --targets "$tmp/some.tsv"
no_report experiments/kaneko/run gps --only-report --targets "$tmp/some.tsv"
no_report experiments/kaneko/run speedup --only-report --targets "$tmp/some.tsv"
no_report experiments/kaneko/run matches --only-report --game go
no_report experiments/tano/player.sh --part report
no_report experiments/tano/parallelism --part report
no_report experiments/yoshino/run speed --only-report
[ "$(cat "$kept"/*.md "$kept"/positions.tsv | sort -u)" = kept ] || fail "a report of nothing replaced a table"
run experiments/tano/parallelism --part playouts --games 2 --playouts 4 --out "$tmp/parallel"
has "$tmp/parallel/parallelism.md" 'leaves'
has "$tmp/parallel/parallelism.svg" '</svg>'

tiny=fuzz/corpus/net/pieces.onnx
run experiments/yoshino/run speed --net $tiny --simulations 3 --positions 2 --out "$tmp/yoshino"
has "$tmp/yoshino/speed.md" '^| MCSS, differences (document) | 3089 | 84956 |'
has "$tmp/yoshino/speed.md" '^| MCSS | [1-9]'
has "$tmp/yoshino/speed.svg" '</svg>'
run experiments/yoshino/run policy --net $tiny --simulations 2 --games 2 --max-moves 4 --only mcss-uniform \
    --out "$tmp/yoshino"
has "$tmp/yoshino/policy-shogi.md" '^| mcss-uniform | 9% | [0-2] - [0-2] |'
rm "$tmp/yoshino/policy-shogi.md"
run experiments/yoshino/run policy --net $tiny --only-report --out "$tmp/yoshino"
has "$tmp/yoshino/policy-shogi.md" '^| mcss-uniform | 9% | [0-2] - [0-2] |'
has "$tmp/yoshino/policy-shogi.svg" '</svg>'
run experiments/yoshino/run depth --net $tiny --simulations 3 --positions 1 --out "$tmp/yoshino"
has "$tmp/yoshino/depth.csv" '^mcss,0.001,1,'
has "$tmp/yoshino/depth.svg" '</svg>'
experiments/yoshino/run policy --only mcss-uniform >"$tmp/out" 2>&1 && fail "a match of shogi without a network"
has "$tmp/out" 'need a network'

run experiments/levels/run curve go-9 --games 2 --jobs 1 --points '1:2.0 1:1.5' --out "$tmp/levels"
has "$tmp/levels/table.md" '^| 1:2.0 | 1:1.5 | 2 |.* - .*%'
run experiments/levels/run levels playouts --games 2 --jobs 1 --from 1 --to 2 --out "$tmp/levels-playouts"
has "$tmp/levels-playouts/table.md" '^| 1 | 2 | 2 |.* - .*%'
if built_in libnats && command -v nats-server >/dev/null; then
    run experiments/cluster/run --workers 8 --connections 2 --moves 1 --seconds 1
    has "$tmp/out" '^master: .* cores, broker: '
else
    echo "not checked: what a cluster's master costs (no nats-server, or built without libnats)"
fi

# ---- tuning: a book, a test of two engines, margins ----
tuning() { # SCRIPT ARGUMENT...
    local script=experiments/tuning/$1
    shift
    run "$script" "$@"
}
tuning book.py --yomi "$YOMI" --count 2 --plies 2 --nodes 300 --check-nodes 300 --balance 10000 --out "$tmp/book.txt"
has "$tmp/book.txt" '^startpos moves'
tuning sprt.sh 'a test' "'$YOMI'" "'$YOMI'" --nodes 100 --games 2 --jobs 1 --book "$tmp/book.txt" --ledger "$tmp/ledger.csv"
has "$tmp/ledger.csv" ',"a test",100 nodes,0,5,"[0-9]* - [0-9]*[:,]'
timeout -s INT 5 experiments/tuning/sprt.sh 'cut short' "'$YOMI'" "'$YOMI'" --nodes 300 --jobs 1 --elo 0,1 --first late_base=9 \
    --book "$tmp/book.txt" --ledger "$tmp/ledger.csv" >"$tmp/out" 2>&1
has "$tmp/ledger.csv" ',"cut short",300 nodes,0,1,"[0-9]* - [0-9]*[:,].*, ended early"$'
tuning spsa.py --yomi "$YOMI" --rows experiments/tuning/rows.txt --book "$tmp/book.txt" --nodes 50 --seconds 3 --out "$tmp/spsa"
has "$tmp/spsa/pairs.csv" '^[0-4.]*,'
has "$tmp/spsa/theta.txt" '^[a-z_]* '

# ---- what needs NumPy ----
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import numpy' 2>/dev/null; then break; fi
    python=
done
if [ -n "$python" ]; then
    # The first margin decides nearly every pair, the second none.
    printf '%s\n' points,a,b,a-,b- 4,11,21,9,19 1,9,21,11,19 4,11,19,9,21 0,9,19,11,21 >"$tmp/pairs.csv"
    run "$python" experiments/tuning/effects.py "$tmp/pairs.csv"
    has "$tmp/out" '^4 pairs; a step up is worth, in Elo'
    has "$tmp/out" '^a  *+15[0-9]'
    head -n 2 "$tmp/pairs.csv" >"$tmp/few.csv"
    "$python" experiments/tuning/effects.py "$tmp/few.csv" >"$tmp/out" 2>&1 && fail "effects of a single pair"
    has "$tmp/out" '1 pairs are too few'
    "$python" experiments/tuning/effects.py "$tmp/none.csv" >"$tmp/out" 2>&1 && fail "effects of no file"
    has "$tmp/out" '^error: .*none.csv'
    # A margin that is best at 33, by 5 Elo a squared step of 10, in runs around 20 and around 40; and one
    # that decides nothing.
    for middle in 20 40; do
        awk -v m=$middle 'function elo(x) { return -5 * ((x - 33) / 10) ^ 2 }
            BEGIN { print "points,a,b,a-,b-"
                for (i = 0; i < 400; i++) {
                    s = i % 2 ? 10 : -10; t = i % 4 < 2 ? 3 : -3
                    print 2 + 4 * (elo(m + s) - elo(m - s)) / 694.9 "," m + s "," 50 + t "," m - s "," 50 - t } }' \
            >"$tmp/around-$middle.csv"
    done
    run "$python" experiments/tuning/optimum.py "$tmp/around-20.csv" "$tmp/around-40.csv"
    has "$tmp/out" '^800 pairs; '
    has "$tmp/out" '^a  *40.0 .* 3[23]\.[0-9]$'
    has "$tmp/out" '^a=33;b=50$'
    "$python" experiments/tuning/optimum.py "$tmp/few.csv" >"$tmp/out" 2>&1 && fail "an optimum of a single pair"
    has "$tmp/out" '^error: 1 pairs are too few for 2 margins'
    "$python" experiments/tuning/optimum.py "$tmp/book.txt" >"$tmp/out" 2>&1 && fail "an optimum of a book"
    has "$tmp/out" '^error: .*book.txt has no pairs'
    "$python" experiments/tuning/optimum.py "$tmp/none.csv" >"$tmp/out" 2>&1 && fail "an optimum of no file"
    has "$tmp/out" '^error: .*none.csv'
    run "$YOMI" selfplay shogi "$tmp/games.psv" --eval material --games 4 --nodes 50 --threads 1
    run "$python" experiments/shogi/labels.py "$tmp/games.psv" --count 20 --yomi "$YOMI" file visits:2
    has "$tmp/out" '^visits:2  *[0-9.]*  *[0-9]'
    "$python" experiments/shogi/labels.py "$tmp/games.psv" --yomi "$YOMI" dice >"$tmp/out" 2>&1 && fail "a score by dice"
    has "$tmp/out" 'there is no score dice'
    run "$python" experiments/yoshino/network.py "$tmp/random.onnx" --blocks 1 --channels 8
    run "$YOMI" net info "$tmp/random.onnx"
    has "$tmp/out" 'shogi'
else
    echo "not checked: effects.py, optimum.py, labels.py and network.py (no NumPy)"
fi

# ---- what needs PyTorch ----
for torch in python3 /usr/bin/python3; do
    if "$torch" -c 'import numpy, torch' 2>/dev/null; then break; fi
    torch=
done
if [ -n "$torch" ]; then
    run "$YOMI" selfplay shogi "$tmp/middle.psv" --eval material --games 60 --nodes 50 --threads 1
    run "$torch" experiments/shogi/deep.py "$tmp/middle.psv" builtin material --count 10 --nodes 300 --long 2000 --yomi "$YOMI"
    has "$tmp/out" '^material  *300 nodes  0\.[0-9]* +- '
    "$torch" experiments/shogi/deep.py builtin material >"$tmp/out" 2>&1 && fail "no positions"
    has "$tmp/out" 'give a file of positions'
    run "$YOMI" selfplay shogi "$tmp/leaves.psv" --eval material --games 12 --nodes 50 --leaves 4 --threads 1
    run "$torch" experiments/shogi/worth.py "$tmp/leaves.psv" material material --count 40 --nodes 50,2000 --long 2000 \
        --visits 1,2 --net "$tiny" --yomi "$YOMI"
    has "$tmp/out" '^ *2000 0.0000  correlation 1.000  slope 1.000  information' # what the judge finds itself
    has "$tmp/out" '^1 visits of .*pieces.onnx, and the best mix with each'
    "$torch" experiments/shogi/worth.py "$tmp/leaves.psv" material >"$tmp/out" 2>&1 && fail "one network"
    "$torch" experiments/shogi/worth.py "$tmp/nothing.psv" material material >"$tmp/out" 2>&1 && fail "no file"
    has "$tmp/out" '^worth.py: .*nothing.psv'
    # The formats by all their numbers, and tiny networks with positions for them.
    PYTHONDONTWRITEBYTECODE=1 "$torch" - "$tmp" <<'PY' || fail "fp8.py rounds wrongly"
import sys
sys.path[:0] = ["experiments/networks", "train/shogi/policy"]
import fp8, numpy as np, onnx_file, torch

def numbers(form, exponents):
    bits, least, largest = fp8.FLOATS[form]
    tiny = [f * 2.0 ** (least - bits) for f in range(2 ** bits)]
    normal = [(1 + f / 2 ** bits) * 2.0 ** (least + e) for e in range(exponents) for f in range(2 ** bits)]
    return torch.tensor([x for x in tiny + normal if x <= largest])

for form, exponents, count in ("e4m3", 15, 127), ("e5m2", 30, 124):
    every = numbers(form, exponents)
    assert len(every) == count and torch.equal(fp8.rounded(-every, form), -every)
    between = (every[1:] + every[:-1]) / 2
    assert torch.equal(fp8.rounded(between, form), every[(torch.arange(1, count) // 2) * 2])
    assert torch.equal(fp8.rounded(between * 1.001, form), every[1:])
    assert torch.equal(fp8.rounded(between * 0.999, form), every[:-1])
for x, wanted in ((448, 448), (1e9, 448), (-500, -448), (0.0625, 0.0625), (2 ** -9, 2 ** -9), (2 ** -10, 0),
                  (3 * 2 ** -11, 2 ** -9), (1.0625, 1), (1.1875, 1.25), (0.3, 0.3125)):
    assert fp8.rounded(torch.tensor(float(x)), "e4m3") == wanted, x
half = fp8.in_scale(torch.tensor([0.5, 1.01, 3]), "int8", torch.tensor(2.0))
assert torch.equal((half * 255 / 2).round(), torch.tensor([64.0, 129, 255]))
low, high = fp8.wilson(97, 100)
assert abs(low - 0.9155) < 1e-4 and abs(high - 0.9897) < 1e-4

random = np.random.default_rng(1)
shapes = {"stem.w": (8, 119, 3, 3), "block0.w1": (8, 8, 3, 3), "block0.w2": (8, 8, 3, 3), "policy.w": (27, 8, 1, 1),
          "value.w": (2, 8, 1, 1), "hidden.w": (4, 162), "out.w": (1, 4), "stem.b": (8,), "block0.b1": (8,),
          "block0.b2": (8,), "policy.b": (2187,), "value.b": (2,), "hidden.b": (4,), "out.b": (1,)}
onnx_file.write(sys.argv[1] + "/fp8.onnx", {k: random.normal(0, 0.3, s).astype("f4") for k, s in shapes.items()})
rows = random.integers(0, 256, (12, 119 * 11 + 8)).astype("u1")
head = b"YOMISRW1" + np.array([12], "<u8").tobytes() + np.array([119 * 11 + 8, 119], "<u4").tobytes()
open(sys.argv[1] + "/shogi.train", "wb").write(head.ljust(64, b"\0") + rows.tobytes())
rows = np.zeros((12, 512), "u1")
rows[:, :46 * 2] = random.integers(0, 256, (12, 92)) & random.integers(0, 256, (12, 92))
rows[:, 414:426] = np.full(6, 362, "<u2").view("u1")
rows[:, 428] = 9
head = b"YOMIROW1" + np.array([12], "<u8").tobytes() + np.array([512], "<u4").tobytes()
open(sys.argv[1] + "/go.train", "wb").write(head.ljust(512, b"\0") + rows.tobytes())
PY
    run "$torch" -B experiments/networks/fp8.py --net "$tmp/fp8.onnx" "$tmp/shogi.train" --count 6
    has "$tmp/out" '^6 positions$'
    # shellcheck disable=SC2016
    has "$tmp/out" '^| `e5m2-tower` | [0-9.]*% \['
    run "$torch" -B experiments/networks/fp8.py --net nets/go9.bin.gz "$tmp/go.train" --count 4 --variant fp16 --variant e4m3
    # shellcheck disable=SC2016
    has "$tmp/out" '^| `e4m3` | [0-9.]*% \['
    "$torch" -B experiments/networks/fp8.py --net nets/go9.bin.gz "$tmp/go.train" --size 13 >"$tmp/out" 2>&1 &&
        fail "a comparison of no positions"
    has "$tmp/out" 'too few positions'
else
    echo "not checked: deep.py, worth.py and fp8.py (no PyTorch)"
fi

# Our search beside another's, from its moves as KataGo's are kept.
cat >"$tmp/reference" <<'END'
POSITION size 9 rules chinese komi 7.0 moves 2 visits 20
BE5 WE3
D4 visits 12 winrate 0.5040 lead 0.27 prior 0.2971 pv D4 E4
F4 visits 7 winrate 0.4940 lead 0.17 prior 0.2 pv F4 E4
END
run experiments/networks/compare_search.py "$tmp/reference" -- "$YOMI" analysis --net builtin
has "$tmp/out" '^size visits positions top1'

# The tables of the hardware unit, from lines as its simulation and its synthesis print them.
{
    for size in 9 13 19; do
        echo "cycles size=$size games=1000 moves=100000 cycles=700000 attempts=160000 repeats=800"
        echo "synth size=$size lut=5600 ff=3600 bram36=4 carry4=100 levels=12 ns=12.5 logic_ns=5.1 ns_by_ratio=20.1"
    done
} >"$tmp/lines"
awk -f experiments/hardware/tables.awk "$tmp/lines" >"$tmp/out" || fail "tables.awk"
has "$tmp/out" '^| 9x9 | 1,000 | 100.0 | 1.600 | 0.50% | 7.00 |$'

# Table 5.1 of the thesis: the fast kernel's line, as bench/gpu_playout prints it on a GPU.
mkdir -p "$tmp/programs" "$tmp/bin"
cat >"$tmp/programs/gpu_playout" <<'END'
#!/bin/sh
echo 'light  3x3   1048576 games, 20000000 moves, score sum 1;  900.1 M/s (899.0 to 901.2), 40 registers, 0 bytes spilt, 32 warps a processor'
echo 'light  9x9   1048576 games, 116000000 moves, score sum 1;  263.9 M/s (263.8 to 264.1), 40 registers, 0 bytes spilt, 32 warps a processor'
echo 'mogo   9x9   1048576 games, 110000000 moves, score sum 1;  20.5 M/s (20.4 to 20.6), 40 registers, 0 bytes spilt, 32 warps a processor'
END
cat >"$tmp/programs/tano" <<'END'
#!/bin/sh
echo kernel,rate
END
printf '#!/bin/sh\necho A GPU\n' >"$tmp/bin/nvidia-smi"
chmod +x "$tmp/programs"/* "$tmp/bin"/*
PATH=$tmp/bin:$PATH TANO_PROGRAMS=$tmp/programs run experiments/tano/run kernels "$tmp/tano"
has "$tmp/tano/fast.csv" '^263900000,263800000,264100000$'
exit $failed
