import { z } from 'zod';

const name = z
  .string('must be text')
  .trim()
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters');

const redirectUrl = z
  .string('must be text')
  .max(2_000, 'must have at most 2000 characters')
  .refine(isRedirectUrl, 'must be an https:// address without a user name')
  .nullable();

const sessionMinutes = z.int('must be a whole number').min(5, 'must be at least 5').max(1_440, 'must be at most 1440');
const flag = z.boolean('must be true or false');

/** Input of a new merchant, with the defaults of omitted fields. */
export const newMerchantSchema = z.object({
  name,
  merchantNumber: z
    .string('must be text')
    .regex(/^M-\d{6,10}$/, 'must be M- and 6 to 10 digits')
    .optional(),
  defaultRedirectUrl: redirectUrl.default(null),
  sessionMinutes: sessionMinutes.default(60),
  refundDuplicates: flag.default(false),
});

/** Input of a change to a merchant; omitted fields stay unchanged. */
export const merchantChangesSchema = z.object({
  name: name.exactOptional(),
  defaultRedirectUrl: redirectUrl.exactOptional(),
  sessionMinutes: sessionMinutes.exactOptional(),
  refundDuplicates: flag.exactOptional(),
  agentsMayWriteLive: flag.exactOptional(),
});

function isRedirectUrl(text: string): boolean {
  // The URL parser quietly drops these; what is stored would not be what was checked.
  if (/[\s\p{C}\\]/u.test(text)) return false;
  const url = URL.parse(text);
  return url !== null && url.protocol === 'https:' && url.hostname !== '' && url.username === '' && url.password === '';
}
