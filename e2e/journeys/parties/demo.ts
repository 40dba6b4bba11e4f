import { readFileSync } from 'node:fs';
import { z } from 'zod';

const demoSchema = z.object({
  webUrl: z.url(),
  sandboxUrl: z.url(),
  secretKey: z.string(),
  secondMerchantKey: z.string(),
  staffEmail: z.string(),
  staffPassword: z.string(),
});

/** Where the running stack is, and how to get in. */
export type Demo = z.output<typeof demoSchema>;

/** Reads the file that a start leaves behind. Throws when the journeys were not told where it is. */
export function readDemo(file = process.env.DEMO_FILE): Demo {
  if (file === undefined) throw new Error('DEMO_FILE must name the demo file of a running stack');
  return demoSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}
