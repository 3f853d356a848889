"""Line plots as SVG, with the number of workers on a logarithmic axis."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 460, 60, 240, 50, 50
COLOURS = ["#1f6f8b", "#c0392b", "#27ae60", "#8e44ad", "#d68910", "#34495e", "#16a085", "#7f8c8d", "#a93226"]


def text(x, y, anchor, words, size=13):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(words)}</text>'


def write(path, title, across, up, curves):
    """curves: name -> [(x, y)], or [(x, y, low, high)] with an interval; empty ones are left out."""
    curves = {name: points for name, points in curves.items() if points}
    every = [p for points in curves.values() for p in points] or [(1, 0)]
    most_x, most_y = max(p[0] for p in every), max(max(p[1] for p in every), 1)
    least_x = min(p[0] for p in every)
    span = math.log2(most_x / least_x) or 1

    def px(x):
        return LEFT + math.log2(x / least_x) / span * (WIDTH - LEFT - RIGHT)

    def py(y):
        return HEIGHT - BOTTOM - y / most_y * (HEIGHT - TOP - BOTTOM)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', text(LEFT, 28, "start", title, 16)]
    for i in range(6):
        y = most_y * i / 5
        out.append(f'<path d="M{LEFT} {py(y):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        out.append(text(LEFT - 8, py(y) + 4, "end", f"{y:.2g}"))
    for x in sorted({p[0] for p in every}):
        out.append(text(px(x), HEIGHT - BOTTOM + 18, "middle", str(x)))
    out.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, "middle", across))
    out.append(text(LEFT, TOP - 8, "start", up))
    for i, (name, points) in enumerate(curves.items()):
        colour = COLOURS[i % len(COLOURS)]
        dash = ' stroke-dasharray="5 4"' if "document" in name else ""
        line = " ".join(f"{px(x):.1f},{py(y):.1f}" for x, y, *_ in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        out += [f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="3.5" fill="{colour}"/>' for x, y, *_ in points]
        out += [f'<path d="M{px(x):.1f} {py(low[0]):.1f}V{py(low[1]):.1f}" stroke="{colour}"/>'
                for x, _, *low in points if low]
        out.append(f'<path d="M{WIDTH - RIGHT + 16} {TOP + 20 * i}h22" stroke="{colour}" stroke-width="2"{dash}/>')
        out.append(text(WIDTH - RIGHT + 44, TOP + 20 * i + 4, "start", name, 12))
    out.append("</svg>")
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(out) + "\n")
