import { MAX_AMOUNT, PAYMENT_METHODS } from '@switchyard/routing';
import { isDay } from '@switchyard/runtime/calendar-days';
import { z } from 'zod';

const MAX = 'must be at most 1,000,000,000,000';
const whole = z.int('must be a whole number').min(0, 'must not be negative').max(MAX_AMOUNT, MAX);
const amount = z
  .number('must be a number')
  .min(0, 'must not be negative')
  .max(MAX_AMOUNT, MAX)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, 'must have at most two decimals');
const basisPoints = z.int('must be a whole number').min(0, 'must not be negative').max(10_000, 'must be at most 10000');

const terms = {
  percentBasisPoints: basisPoints,
  flat: amount,
  flatWaivedBelow: whole.nullable(),
  cap: amount.nullable(),
  vatBasisPoints: basisPoints,
  stampDuty: z.strictObject({ amount, from: whole }).exactOptional(),
};

const EXCEPTIONS_MAX = 50;

const exception = z.strictObject({
  ...terms,
  methods: z
    .array(z.enum(PAYMENT_METHODS, `must be one of ${PAYMENT_METHODS.join(', ')}`))
    .max(PAYMENT_METHODS.length, 'must not repeat an entry'),
  origin: z.enum(['local', 'international'], 'must be local or international').nullable(),
  amount: z.strictObject({ from: whole, to: whole.nullable() }).check(({ value, issues }) => {
    if (value.to === null || value.from <= value.to) return;
    issues.push({ code: 'custom', input: value, path: ['to'], message: 'must not be below the smallest amount' });
  }),
});

/** A fee schedule as people enter it. */
export const enteredSchedule = z.strictObject({
  ...terms,
  exceptions: z
    .array(exception, 'must be a list')
    .max(EXCEPTIONS_MAX, `must have at most ${EXCEPTIONS_MAX} entries`)
    .exactOptional(),
});

/** A contract as people enter it. */
export const enteredContract = z.object({
  schedule: enteredSchedule.nullable(),
  /** The first day that it applies, `YYYY-MM-DD`. */
  appliesFrom: z.string('must be text').refine(isDay, 'must be a day'),
  tolerance: z.string('must be text').regex(/^\d{1,12}(?:\.\d{1,6})?$/, 'must be an amount with at most six decimals'),
  note: z.string('must be text').max(500, 'must have at most 500 characters').nullable(),
});
