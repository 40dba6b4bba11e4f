import { parseArgs } from 'node:util';
import { z } from 'zod';
import { buildTimeline } from './checker/violation.ts';
import { makePlan } from './plan/plan.ts';
import { type RunReport, runChaos } from './run.ts';

/*
 * `npm run chaos -- --payments 5000 --seed 7 --minutes 15`: payments through real processes while these, the database, the
 * gateways, the webhooks and the clocks fail as the seed determines. Prints the results; exits with 1 after any violation.
 */

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    minutes: { type: 'string', default: '15' },
    rate: { type: 'string', default: '8' },
  },
});
const options = z
  .object({
    payments: z.coerce.number().int().min(1).max(1_000_000),
    seed: z.coerce.number().int().min(0),
    minutes: z.coerce.number().positive(),
    /** Payments a second while a round lasts. */
    rate: z.coerce.number().positive().max(1_000),
  })
  .parse(values);

const ROUND_MS = 30_000;
/** Violations that are told whole. */
const STORIES = 20;
/** Settling takes the rest. */
const ROUNDS_SHARE = 0.8;

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(name, () => process.exit(130));

const rounds = Math.ceil(options.payments / (options.rate * (ROUND_MS / 1_000)));
const plan = makePlan(options.seed, { payments: options.payments, rounds, roundMs: ROUND_MS });
const report = await runChaos(plan, { limitMs: options.minutes * 60_000 * ROUNDS_SHARE, log: (line) => console.log(line) });
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
  for (const each of violations.slice(0, STORIES)) console.log(`\n${buildTimeline(each)}`);
  if (violations.length === 0) return;
  const { minutes, rate } = options;
  console.log(`\nlogs: ${folder}`);
  console.log(`again: npm run chaos -- --payments ${options.payments} --seed ${seed} --minutes ${minutes} --rate ${rate}`);
}
