/** Whether a JSON value nests deeper than `levels`. Looks no deeper than it must, so that no nesting can exhaust the stack. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
