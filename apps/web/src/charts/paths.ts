/** Bars of a height up to `height`, standing on it, as one path in a drawing as wide as there are values. */
export function barPath(values: readonly number[], max: number, height: number, base: readonly number[] = []): string {
  if (max <= 0) return '';
  return values
    .map((value, index) => {
      if (value <= 0) return '';
      const size = Math.max(1.5, (value / max) * height);
      const foot = height - (base[index] ?? 0);
      return `M${index + 0.12} ${round(foot)}v${-round(size)}h0.76v${round(size)}z`;
    })
    .join('');
}

/** A line through values, broken at gaps; a single value is a dash. `min` is at the bottom, `max` at the top. */
export function linePath(values: readonly (number | null)[], { min, max }: { min: number; max: number }, height: number): string {
  const spread = Math.max(max - min, Number.EPSILON);
  const y = (value: number) => round(height - ((Math.min(Math.max(value, min), max) - min) / spread) * height);
  let drawing = false;
  let path = '';
  for (const [index, value] of values.entries()) {
    if (value === null) {
      drawing = false;
      continue;
    }
    path += drawing ? `L${index + 0.5} ${y(value)}` : `M${index} ${y(value)}L${index + 0.5} ${y(value)}`;
    if ((values[index + 1] ?? null) === null) path += `L${index + 1} ${y(value)}`;
    drawing = true;
  }
  return path;
}

/** A line of one horizontal stroke per value, each as wide as a bar's place. */
export function stepPath(values: readonly number[], max: number, height: number): string {
  if (max <= 0) return '';
  return values
    .map((value, index) => `${index === 0 ? 'M0 ' : 'V'}${round(height - (value / max) * height)}H${index + 1}`)
    .join('');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
