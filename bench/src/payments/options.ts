import { parseArgs } from 'node:util';
import { z } from 'zod';

export const OPERATIONS = ['initiate', 'get'] as const;
export type Operation = (typeof OPERATIONS)[number];

const split = z.string().transform((text) => text.split(','));

const optionsSchema = z.object({
  operations: split.pipe(z.array(z.enum(OPERATIONS))),
  pairs: z.coerce.number().int().min(1).max(50),
  seconds: z.coerce.number().min(1).max(600),
  warmup: z.coerce.number().min(0).max(60),
  connections: z.coerce.number().int().min(1).max(512),
  latency: z.coerce.number().min(0).max(5_000),
  json: z.string().nullable(),
});

/** What is measured, and how long. */
export type BenchOptions = z.output<typeof optionsSchema>;

/** Reads the command line. Throws a `z.ZodError`, or an error of `parseArgs`. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      operations: { type: 'string', default: OPERATIONS.join(',') },
      pairs: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '6' },
      warmup: { type: 'string', default: '2' },
      connections: { type: 'string', default: '64' },
      latency: { type: 'string', default: '5' },
      json: { type: 'string' },
    },
  });
  return optionsSchema.parse({ ...values, json: values.json ?? null });
}
