import { parseArgs } from 'node:util';
import { z } from 'zod';

/** An event is delivered to a merchant (`delivery`), an overdue payment is asked about (`check`); the others are requests. */
export const OPERATIONS = ['initiate', 'get', 'verify', 'webhook', 'delivery', 'check'] as const;
export type Operation = (typeof OPERATIONS)[number];

const split = z.string().transform((text) => text.split(',').filter((part) => part !== ''));
const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

const optionsSchema = z.object({
  operations: split.pipe(z.array(z.enum(OPERATIONS))),
  pairs: wholeNumber(1, 50).nullable(),
  seconds: z.coerce.number().min(1).max(600),
  warmup: z.coerce.number().min(0).max(60),
  connections: wholeNumber(1, 512),
  merchants: wholeNumber(1, 10_000),
  traffic: split.pipe(z.array(z.enum(['equal', 'zipf'])).nonempty()),
  rate: split.pipe(z.array(z.coerce.number<string>().positive().max(10_000))),
  growth: wholeNumber(0, 10_000_000),
  latency: z.coerce.number().min(0).max(5_000),
  json: z.string().nullable(),
});

/** Measurements to take, and their duration. */
export type BenchOptions = z.output<typeof optionsSchema> & {
  /** True if everything is measured, memory too. */
  readonly all: boolean;
};

/** Reads the command line. Throws a `z.ZodError`, or an error of `parseArgs`. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      operations: { type: 'string' },
      pairs: { type: 'string' },
      seconds: { type: 'string', default: '6' },
      warmup: { type: 'string', default: '2' },
      connections: { type: 'string', default: '64' },
      merchants: { type: 'string', default: '1' },
      traffic: { type: 'string', default: 'equal' },
      rate: { type: 'string' },
      growth: { type: 'string' },
      latency: { type: 'string', default: '5' },
      json: { type: 'string' },
    },
  });
  const all = values.operations === undefined;
  const asked = {
    ...values,
    operations: values.operations ?? OPERATIONS.join(','),
    rate: values.rate ?? (all ? '20,100' : ''),
    growth: values.growth ?? (all ? '100000' : '0'),
    pairs: values.pairs ?? null,
    json: values.json ?? null,
  };
  return { ...optionsSchema.parse(asked), all };
}

/** In how many pairs of rounds an operation is measured: initiate and get in more than the others, unless the command line says it. */
export function pairsOf({ pairs }: BenchOptions, operation: Operation): number {
  return pairs ?? (operation === 'initiate' || operation === 'get' ? 3 : 2);
}
