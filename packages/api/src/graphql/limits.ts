/** Operations beyond these limits are refused before any read. */
export const LIMITS = {
  depth: 8,
  breadth: 400,
  aliases: 15,
  tokens: 1_000,
  /** In the units of `extensions.cost`. */
  cost: 20_000,
  page: 500,
  defaultPage: 50,
  /** Merchants in one query. */
  merchants: 1_000,
  groups: 4,
  /** Longest period, in days: thirteen months. */
  days: 397,
  timeoutMs: 10_000,
} as const;
