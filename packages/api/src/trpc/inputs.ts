import { momentValue } from '@switchyard/db/moments';
import { z } from 'zod';

/** An IANA time zone: the one whose days are meant, or in which an answer's sentences write times. */
export const timeZone = z
  .string()
  .refine((name) => Intl.supportedValuesOf('timeZone').includes(name) || name === 'UTC', 'must be a time zone');

/* The inputs of pages of lists. */

const PAGE_MAX = 200;

/** The position of a row in a list sorted by time. */
export const timeKey = z.object({ createdAt: momentValue, id: z.uuid().toLowerCase() });

const moneyKey = timeKey.extend({ amount: z.bigint().nullable().default(null) });

/** The input of a page of a list of payments or refunds, sorted by one of these; newest first by default. */
export function sortedPageInput<Shape extends z.ZodRawShape, By extends 'created' | 'amount'>(
  filter: z.ZodObject<Shape>,
  by: readonly [By, ...By[]],
) {
  const [first] = by;
  const sort = z.strictObject({ by: z.enum(by), descending: z.boolean() });
  return pageInputAfter(filter.extend({ sort: sort.default({ by: first, descending: true }) }), moneyKey);
}

/** The input of a page of a list, with the key of the last row of the page before. */
export function pageInputAfter<Shape extends z.ZodRawShape, Key extends z.ZodType>(filter: z.ZodObject<Shape>, key: Key) {
  return z.strictObject({
    ...filter.shape,
    cursor: key.nullish(),
    limit: z.int().min(1).max(PAGE_MAX).default(50),
    /** Sent by tRPC's client with every page. */
    direction: z.literal('forward').default('forward'),
  });
}
