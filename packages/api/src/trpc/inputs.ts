import { momentValue } from '@switchyard/db/moments';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { resolveMerchants } from './procedure.ts';

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

/** One merchant's routing, in one mode. */
export const scope = z.object({ merchantId: z.uuid().toLowerCase(), mode: z.enum(['test', 'live']) });

/** The merchant a call names. Throws FORBIDDEN for one to which the caller has no such access. */
export function oneMerchant(ctx: { readonly merchantIds: readonly string[] }, merchantId: string): string {
  resolveMerchants(ctx, merchantId);
  return merchantId;
}

/** Throws NOT_FOUND for a record that does not exist or that the caller may not see. */
export function missing(message: string): never {
  throw new TRPCError({ code: 'NOT_FOUND', message });
}

/** The value, unless it is null. */
export function foundOrThrow<T>(found: T | null, message: string): T {
  return found ?? missing(message);
}

/** One endpoint of a merchant. */
export const endpointKey = z.object({ merchantId: z.uuid().toLowerCase(), endpointId: z.uuid().toLowerCase() });

/** The message where an endpoint does not exist or belongs to another merchant. */
export const NO_ENDPOINT = 'There is no such endpoint, or you have no access to it.';

/** The outcome of a call; throws NOT_FOUND for a missing record. */
export function found<Outcome extends { readonly kind: string }>(
  outcome: Outcome,
  message: string = NO_ENDPOINT,
): Exclude<Outcome, { readonly kind: 'not_found' }> {
  return isFound(outcome) ? outcome : missing(message);
}

function isFound<Outcome extends { readonly kind: string }>(
  outcome: Outcome,
): outcome is Exclude<Outcome, { readonly kind: 'not_found' }> {
  return outcome.kind !== 'not_found';
}
