"""The log of a run as CSV, and its curves as SVG."""
import csv
import os

COLUMNS = ["seconds", "step", "positions", "rate", "positions_per_s", "policy", "value", "score",
           "held_top1", "held_policy", "held_winner", "held_value"]


def read(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    return [r for r in rows if None not in r and None not in r.values()]  # a full disk cuts a line off


def cut_back(path, seconds):
    """Drops lines past the checkpoint that the run goes on from."""
    rows = [r for r in read(path) if float(r["seconds"]) <= float("%.6g" % seconds)]  # as append writes them
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def append(path, row):
    with open(path, "a", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if file.tell() == 0:
            writer.writeheader()
        writer.writerow({k: "%.6g" % v if isinstance(v, float) else v for k, v in row.items()})


def line(points, box, low, high, last, color):
    x0, y0, width, height = box
    at = ["%.1f,%.1f" % (x0 + width * x / last, y0 + height * (high - y) / (high - low))
          for x, y in points]
    return '<polyline fill="none" stroke="%s" stroke-width="1.5" points="%s"/>' % (color,
                                                                                    " ".join(at))


def panel(rows, keys, box, unit):
    """keys: (column, colour). A box with its least and largest value at the left."""
    series = [([(float(r["seconds"]), unit * float(r[k])) for r in rows if r[k]], c, k)
              for k, c in keys]
    values = [y for points, _, _ in series for _, y in points]
    if not values:
        return []
    low, high = min(values), max(values)
    high = high if high > low else low + 1
    last = max(x for points, _, _ in series for x, _ in points) or 1
    x0, y0, width, height = box
    out = ['<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#999"/>' % box,
           '<text x="%d" y="%d" text-anchor="end">%.2f</text>' % (x0 - 4, y0 + 10, high),
           '<text x="%d" y="%d" text-anchor="end">%.2f</text>' % (x0 - 4, y0 + height, low),
           '<text x="%d" y="%d" text-anchor="end">%.1f min</text>' % (x0 + width,
                                                                       y0 + height + 13, last / 60)]
    for i, (points, color, key) in enumerate(series):
        out.append(line(points, box, low, high, last, color))
        out.append('<text x="%d" y="%d" fill="%s">%s</text>' % (x0 + 8, y0 + height - 8 - 13 * i,
                                                                color, key))
    return out


def draw(csv_path, svg_path):
    rows = [r for r in read(csv_path) if float(r["seconds"]) > 0]
    body = panel(rows, [("held_top1", "#06c")], (60, 20, 500, 160), 100)
    body += panel(rows, [("held_winner", "#090")], (60, 220, 500, 100), 100)
    body += panel(rows, [("policy", "#aaa"), ("held_policy", "#06c")], (60, 360, 500, 160), 1)
    body += panel(rows, [("value", "#aaa"), ("held_value", "#090")], (60, 560, 500, 100), 1)
    with open(svg_path, "w") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" width="600" height="700" '
                   'font-family="sans-serif" font-size="11">\n<rect width="600" height="700" '
                   'fill="white"/>\n%s\n</svg>\n' % "\n".join(body))
