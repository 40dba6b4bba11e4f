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
    stories: { type: 'string', default: '20' },
  },
});
const options = z
  .object({
    payments: z.coerce.number().int().min(1).max(1_000_000),
    seed: z.coerce.number().int().min(0),
    minutes: z.coerce.number().positive(),
    /** Payments a second while a round lasts. */
    rate: z.coerce.number().positive().max(1_000),
    stories: z.coerce.number().int().min(0),
  })
  .parse(values);

const ROUND_MS = 30_000;
/** Settling takes the rest. */
const ROUNDS_SHARE = 0.8;

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) process.once(name, () => process.exit(130));

const rounds = Math.ceil(options.payments / (options.rate * (ROUND_MS / 1_000)));
const plan = makePlan(options.seed, { payments: options.payments, rounds, roundMs: ROUND_MS });
const report = await runChaos(plan, { limitMs: options.minutes * 60_000 * ROUNDS_SHARE, log: (line) => console.log(line) });
print(report);
process.exit(report.violations.length === 0 ? 0 : 1);

function print({ violations, folder, ...did }: RunReport): void {
  console.log(`\nseed ${did.seed}, ${did.seconds} s, ${did.payments} payments of ${options.payments}`);
  table('payments by end', did.byEnd);
  table('faults by kind', { ...did.byFault, 'all clocks stepped ahead': did.steps });
  table("calls hit by gateways' faults", did.struck);
  table("faults of gateways' webhooks", did.faultCounts);
  table('processes started again', did.restarts);
  table('processes that ended by themselves', did.deaths);
  table('answers to merchants', did.requests);
  table('tries to log merchants', did.deliveries);
  table('money', {
    'paid checkouts': did.paidCheckouts,
    'duplicate charges': did.duplicateCharges,
    refunds: did.refunds,
    events: did.events,
  });
  console.log(`\nviolations: ${violations.length}`);
  table('by kind', Object.fromEntries(countKinds(violations.map(({ kind }) => kind))));
  for (const each of violations.slice(0, options.stories)) console.log(`\n${buildTimeline(each)}`);
  if (violations.length > 0)
    console.log(
      `\nlogs: ${folder}\nagain: npm run chaos -- --payments ${options.payments} --seed ${did.seed} --minutes ${options.minutes} --rate ${options.rate}`,
    );
}

function table(heading: string, counts: Readonly<Record<string, number>>): void {
  const rows = Object.entries(counts).sort(([one], [other]) => one.localeCompare(other));
  if (rows.length === 0) return;
  console.log(`\n${heading}`);
  for (const [name, count] of rows) console.log(`  ${name.padEnd(28)} ${String(count).padStart(7)}`);
}

function countKinds(kinds: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
