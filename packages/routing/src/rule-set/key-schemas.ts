import { z } from 'zod';
import { normalText, VALUE_CHARS_MAX } from '../keys/payment-keys.ts';
import { minuteOfDay, minuteOfWeek } from '../keys/week-time.ts';
import type { MetadataKey } from '../types.ts';

/** Reports every repeated entry at its own index. */
export function unique<T>(values: readonly T[], keyOf: (value: T) => unknown, report: (index: number) => void): void {
  const seen = new Set<unknown>();
  for (const [index, value] of values.entries()) {
    const key = keyOf(value);
    if (seen.has(key)) report(index);
    seen.add(key);
  }
}

/** Bounds of metadata keys and of conditions on them. */
export const KEY_LIMITS = {
  /** Keys of one merchant. */
  keys: 20,
  valuesOfEnum: 100,
  valuesOfCondition: 100,
} as const;

const PLAIN = /^[^\p{Cc}\p{Cs}]*$/u;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.:-]{0,63}$/u;

const keyName = z
  .string('must be text')
  .regex(NAME, 'must have 1 to 64 letters, digits, spaces and _ . : - and begin with a letter or digit');
const label = z
  .string('must be text')
  .trim()
  .min(1, 'must not be empty')
  .max(60, 'must have at most 60 characters')
  .regex(PLAIN, 'must not contain control characters');
const text = z
  .string('must be text')
  .max(VALUE_CHARS_MAX, `must have at most ${VALUE_CHARS_MAX} characters`)
  .regex(PLAIN, 'must not contain control characters');
const flag = z.boolean('must be true or false');
const integer = z.int('must be an integer');

const common = { name: keyName, label };
const ignoreCase = flag.describe('Compares text without regard to case.').exactOptional();

const metadataKeySchema: z.ZodType<MetadataKey> = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ ...common, type: z.literal('string'), ignoreCase }),
    z
      .strictObject({
        ...common,
        type: z.literal('enum'),
        values: z
          .array(text.min(1, 'must not be empty'), 'must be a list')
          .min(1, 'must not be empty')
          .max(KEY_LIMITS.valuesOfEnum, `must have at most ${KEY_LIMITS.valuesOfEnum} entries`),
        ignoreCase,
      })
      .check(({ value: key, issues }) => {
        const message = 'must not be repeated in the list';
        const report = (index: number) => issues.push({ code: 'custom', input: key.values, path: ['values', index], message });
        unique(key.values, (value) => normalText(value, key), report);
      }),
    z.strictObject({ ...common, type: z.literal('integer') }),
    z.strictObject({ ...common, type: z.literal('boolean') }),
  ],
  'must be one of string, enum, integer, boolean',
);

/** Declarations of metadata keys, each name once. */
export const metadataKeysSchema = z
  .array(metadataKeySchema, 'must be a list')
  .max(KEY_LIMITS.keys, `must have at most ${KEY_LIMITS.keys} entries`)
  .check(({ value, issues }) => {
    const message = 'must not be repeated in the list';
    const report = (index: number) => issues.push({ code: 'custom', input: value, path: [index, 'name'], message });
    unique(value, ({ name }) => name, report);
  })
  .describe('Declarations of the metadata keys that rules compare.');

const orAbsent = flag.describe('True if the condition also holds where the payment has no such value.').exactOptional();
const values = z
  .array(z.union([text, flag], 'must be text, true or false'), 'must be a list')
  .min(1, 'must not be empty')
  .max(KEY_LIMITS.valuesOfCondition, `must have at most ${KEY_LIMITS.valuesOfCondition} entries`)
  .check(({ value, issues }) => {
    const message = 'must not be repeated in the list';
    unique(
      value,
      (each) => each,
      (index) => issues.push({ code: 'custom', input: value, path: [index], message }),
    );
  });

/** A condition on one metadata key. Whether the key is declared and its values are of its type is checked with the whole document. */
export const metadataConditionSchema = z.discriminatedUnion(
  'is',
  [
    z.strictObject({ key: keyName, is: z.literal('present') }),
    z.strictObject({ key: keyName, is: z.literal('absent') }),
    z.strictObject({ key: keyName, is: z.literal('one_of'), values, orAbsent }),
    z.strictObject({ key: keyName, is: z.literal('none_of'), values, orAbsent }),
    z
      .strictObject({ key: keyName, is: z.literal('between'), from: integer.nullable(), to: integer.nullable(), orAbsent })
      .check(({ value, issues }) => {
        if (value.from === null && value.to === null) {
          issues.push({ code: 'custom', input: value, path: ['from'], message: 'must have one end at least' });
        } else if (value.from !== null && value.to !== null && value.from > value.to) {
          issues.push({ code: 'custom', input: value, path: ['to'], message: 'must not be below "from"' });
        }
      }),
  ],
  'must be one of present, absent, one_of, none_of, between',
);

/** A time of day, `18:30`. */
export const timeOfDaySchema = z
  .string('must be text')
  .refine((time) => minuteOfDay(time) >= 0, 'must be a time of day such as 18:30, at most 24:00');

/** A trial payment's values of keys; those left out are absent. */
export const paymentKeysSchema = z.strictObject({
  metadata: z.record(keyName, z.union([text, integer, flag], 'must be text, an integer, true or false')).exactOptional(),
  time: z
    .string('must be text')
    .refine((time) => minuteOfWeek(time) >= 0, "must be a day and time of the merchant's zone such as fri 18:30")
    .exactOptional(),
  customer: z.enum(['new', 'returning'], 'must be new or returning').exactOptional(),
});
