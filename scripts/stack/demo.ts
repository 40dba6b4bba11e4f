import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Problem } from './problem.ts';

const demoSchema = z.object({
  webUrl: z.string(),
  sandboxUrl: z.string(),
  secretKey: z.string(),
  secondMerchantKey: z.string(),
  staffEmail: z.string(),
  staffPassword: z.string(),
});

/** What the seed leaves for people and tests to use. */
export type Demo = z.infer<typeof demoSchema>;

export function readDemo(file: string): Demo {
  try {
    return demoSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Problem(
      `The demo data left no usable ${file}.`,
      ['Start again; if that does not help, report it as a bug.'],
      error,
    );
  }
}
