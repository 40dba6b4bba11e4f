import { parseArgs } from 'node:util';
import { z } from 'zod';
import { buildTimeline } from '../world/checker/violation.ts';
import { planChaos } from './plan.ts';
import { type RunReport, runChaos } from './run-chaos.ts';

/*
 * `npm run chaos -- --payments 5000 --rate 8 --seed 7`: payments through real processes while these, the database, the gateways and the
 * webhooks fail as the seed determines. Prints the results; exits with 1 after any violation.
 */

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '5000' },
    rate: { type: 'string', default: '8' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const options = z
  .object({
    payments: z.coerce.number().int().min(1).max(1_000_000),
    /** Payments a second. */
    rate: z.coerce.number().positive().max(1_000),
    seed: z.coerce.number().int().min(0),
  })
  .parse(values);

/** Violations that are printed with their timeline. */
const TIMELINES_MAX = 20;

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(name, () => process.exit(130));

const report = await runChaos(planChaos(options.seed, options), (line) => console.log(line));
print(report);
process.exit(report.violations.length === 0 ? 0 : 1);

function print({ seed, seconds, payments, counts, violations, folder }: RunReport): void {
  console.log(`\nseed ${seed}, ${seconds} s, ${payments} payments of ${options.payments}`);
  for (const [heading, rows] of Object.entries(counts)) {
    const sorted = Object.entries(rows).sort(([one], [other]) => one.localeCompare(other));
    if (sorted.length > 0) console.log(`\n${heading}`);
    for (const [name, count] of sorted) console.log(`  ${name.padEnd(28)} ${String(count).padStart(7)}`);
  }
  console.log(`\nviolations: ${violations.length}`);
  for (const each of violations.slice(0, TIMELINES_MAX)) console.log(`\n${buildTimeline(each)}`);
  if (violations.length === 0) return;
  console.log(`\nlogs: ${folder}`);
  console.log(`again: npm run chaos -- --payments ${options.payments} --rate ${options.rate} --seed ${seed}`);
}
