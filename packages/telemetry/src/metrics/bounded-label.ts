/** Label for all values past the limit. */
export const OTHER = 'other';

/**
 * Bounds the values of a label: each of the first `max` different values keeps its name, every later one is `other`. Series live as
 * long as their process, so without a limit each new account or rule would add to its memory for ever.
 */
export function boundedLabel(max: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= max) return OTHER;
    known.add(value);
    return value;
  };
}
