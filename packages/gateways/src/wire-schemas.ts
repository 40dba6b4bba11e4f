import { z } from 'zod';

/** Fields that look alike on every gateway's wire. */

/** A number or text, in the gateway's own unit: `5000`, `"5000.00"`. */
export const amount = z.union([z.number(), z.string().max(60)]);

/** An amount that only informs: anything unusual in its place counts as absent. */
export const optionalAmount = amount.nullish().catch(null);

/** A number that names a thing. */
export const id = z.union([z.number().int().nonnegative(), z.string().regex(/^\d{1,20}$/)]).transform(String);

/** A merchant's reference as webhooks and lists repeat it. */
export const reference = z.string().regex(/^[\w.=-]{1,100}$/);

/** A reference of a payment that another software may have taken at the account: any text on one line. */
export const foreignReference = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u);

/** A state, an event. */
export const word = z.string().regex(/^[\w.:-]{1,100}$/);

/** ISO 4217. */
export const currency = z.string().regex(/^[A-Z]{3}$/);

export const shortText = z.string().max(200);

/** Text that only informs: anything unusual in its place counts as absent. */
export const optionalText = z.string().max(1000).nullish().catch(null);

/** A page's number, or how many there are. */
export const pageNumber = z.coerce.number().int().min(0).max(1_000_000);

/** Where a checkout is, before it is checked. */
export const checkoutAddress = z.string().min(1).max(2048);

/** A token that a login issues. */
export const accessToken = z.string().regex(/^[\x21-\x7e]{1,8000}$/);

/** Rows of a page. */
export function rowsOf<Row extends z.ZodType>(row: Row) {
  return z.array(row).max(1000);
}
