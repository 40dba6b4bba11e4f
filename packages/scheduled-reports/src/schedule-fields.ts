/* Fields that people enter of a schedule. Forms check them in the browser by the same schemas, so that this imports nothing but zod. */
import { EMAIL_ADDRESS } from '@switchyard/runtime/email-address';
import * as z from 'zod/mini';

/** E-mail addresses that one report is sent to. */
export const RECIPIENTS_MAX = 10;

const email = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(320, 'must be at most 320 characters long'),
    z.email({ pattern: EMAIL_ADDRESS, error: 'must be an e-mail address' }),
  );

/** The fields of a schedule beside what it is of. */
export const scheduleFields = {
  name: z.string().check(
    z.trim(),
    z.minLength(1, 'must not be empty'),
    z.maxLength(80, 'must be at most 80 characters long'),
    z.refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'must be plain text'),
  ),
  format: z.enum(['csv', 'ndjson', 'xlsx'], 'must be a format'),
  frequency: z.enum(['daily', 'weekly', 'monthly'], 'must be daily, weekly or monthly'),
  hour: z.int('must be an hour').check(z.minimum(0, 'must be from 0 to 23'), z.maximum(23, 'must be from 0 to 23')),
  timeZone: z
    .string()
    .check(z.refine((name) => name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name), 'must be a time zone')),
  recipients: z.array(email).check(z.maxLength(RECIPIENTS_MAX, `must be at most ${RECIPIENTS_MAX} addresses`)),
};
