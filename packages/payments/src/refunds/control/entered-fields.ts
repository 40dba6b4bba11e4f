import * as z from 'zod/mini';

const AMOUNT_MAX = 1_000_000_000_000n;
const CODES_MAX = 50;

const amount = z
  .bigint('must be a whole amount')
  .check(z.minimum(1n, 'must be above 0'), z.maximum(AMOUNT_MAX, 'must be at most 1,000,000,000,000'));

const plainLine = (max: number) =>
  z
    .string('must be text')
    .check(
      z.trim(),
      z.minLength(1, 'must not be empty'),
      z.maxLength(max, `must have at most ${max} characters`),
      z.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters'),
    );

/** The code by which reports name a reason: `wrong_item`. */
export const reasonCodeSchema = z
  .string('must be text')
  .check(z.regex(/^[a-z0-9][a-z0-9_]{0,39}$/, 'must have 1 to 40 of a to z, 0 to 9 and _'));

const reasonCodes = z.array(z.object({ code: reasonCodeSchema, title: plainLine(100) })).check(
  z.maxLength(CODES_MAX, `must be at most ${CODES_MAX}`),
  z.refine((codes) => new Set(codes.map(({ code }) => code)).size === codes.length, 'must have each code once'),
);

/** Settings of a merchant's control over refunds, one by one. Amounts are whole main units. */
export const refundControlSettings = {
  /** Null for never. */
  secondPersonAbove: z.nullable(amount),
  /** That of Support holds for roles of the workspace's own too. Without it these refund nothing; other roles have no limit. */
  dailyLimits: z.partialRecord(z.enum(['owner', 'operator', 'finance', 'support', 'developer', 'viewer']), amount),
  reasonCodes,
};

/**
 * Fields that staff enter about control over refunds. Forms check it in the browser by the same schemas, so that this entry imports nothing
 * but zod.
 */
