// A colour of the style sheet, for what is drawn on a canvas.
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
