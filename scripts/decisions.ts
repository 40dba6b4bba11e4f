/**
 * Recomputes routing decisions of past payments from what is stored, in the database of `DATABASE_URL`, else that of the running stack,
 * else the embedded one, and compares each with what was stored.
 *
 *   npm run decisions:verify                          every payment
 *   npm run decisions:verify -- --sample 100000       about so many, drawn at random
 *   npm run decisions:verify -- --merchant ID         of one merchant
 *
 * Exits with 0 when every decision came out as it was stored, 1 when one did not, 2 when the check could not run.
 */
import { openDatabase } from '@switchyard/db/process';
import { verifyDecisions } from '@switchyard/payments/console/routing';
import { z } from 'zod';
import { Problem } from './bootstrap/problem.mjs';
import { readOptions, runCommand } from './stack/command.ts';
import { resolveDatabase } from './stack/database.ts';
import { thisProject } from './stack/project.ts';

const USAGE = 'usage: npm run decisions:verify [-- --sample N] [--merchant ID]';
const argumentsSchema = z.object({
  sample: z.coerce.number().int().positive().optional(),
  merchant: z.uuid().optional(),
});

function readArguments() {
  const { values } = readOptions(USAGE, { options: { sample: { type: 'string' }, merchant: { type: 'string' } } });
  const read = argumentsSchema.safeParse(values);
  if (!read.success) throw new Problem(USAGE);
  return read.data;
}

await runCommand(async () => {
  const { sample = null, merchant } = readArguments();
  const began = performance.now();
  const database = openDatabase({ url: await resolveDatabase(thisProject()), maxConnections: 2 });
  try {
    const merchantIds = merchant === undefined ? null : [merchant];
    const { checkedCount, failedCount, failed } = await verifyDecisions(database, {
      merchantIds,
      size: sample,
      random: Math.random,
    });
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    console.log(`${checkedCount} decisions recomputed in ${seconds} s, ${failedCount} of them not as they were stored.`);
    for (const { merchantId, paymentId, differences } of failed) {
      console.log(`payment ${paymentId} of merchant ${merchantId}: ${differences.join(' ')}`);
    }
    return failedCount === 0 ? 0 : 1;
  } finally {
    await database.close();
  }
});
