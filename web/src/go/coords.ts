// Points of a Go board: an index is y * size + x from the top left, as it is drawn; text is GTP's.
const columns = "ABCDEFGHJKLMNOPQRSTUVWXYZ"; // no I

export const PASS = "pass";

export function pointText(size: number, index: number): string {
  const x = index % size;
  const y = Math.floor(index / size);
  return `${columns[x]}${size - y}`;
}

/** The index of a point, or -1 where the text names none. */
export function pointIndex(size: number, text: string): number {
  const match = /^([A-HJ-Za-hj-z])([1-9][0-9]?)$/.exec(text.trim());
  if (!match) return -1;
  const x = columns.indexOf(match[1]!.toUpperCase());
  const y = size - Number(match[2]);
  return x < size && y >= 0 && y < size ? y * size + x : -1;
}

export function columnName(x: number): string {
  return columns[x] ?? "";
}

/** The points on which handicap stones are put, in the order of GTP's fixed_handicap. */
export function handicapPoints(size: number, count: number): string[] {
  if (size < 7 || count < 2) return [];
  const edge = size < 13 ? 2 : 3;
  const low = edge;
  const high = size - 1 - edge;
  const middle = (size - 1) / 2;
  const at = (x: number, y: number): string => pointText(size, (size - 1 - y) * size + x);
  const corners = [at(low, low), at(high, high), at(low, high), at(high, low)];
  if (size % 2 === 0 || size === 7) return corners.slice(0, Math.min(count, 4));
  const sides = [at(low, middle), at(high, middle), at(middle, low), at(middle, high)];
  const stones = [...corners, ...sides].slice(0, count - (count % 2 === 1 && count > 4 ? 1 : 0));
  if (count % 2 === 1 && count > 4) stones.push(at(middle, middle));
  return stones.slice(0, count);
}

export function maxHandicap(size: number): number {
  if (size < 7) return 0;
  return size % 2 === 0 || size === 7 ? 4 : 9;
}
