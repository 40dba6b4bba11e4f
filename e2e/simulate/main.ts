import { parseArgs } from 'node:util';
import { z } from 'zod';
import { buildTimeline } from '../chaos/checker/violation.ts';
import { checkWorld, STATEMENTS } from './oracle/check-world.ts';
import { shrinkPlan } from './oracle/shrink-plan.ts';
import { openSimulator } from './run-world.ts';
import { planWorld } from './world/plan.ts';

/*
 * `npm run simulate -- --seed 7 --payments 100000`: worlds of payments in virtual time, one seed after the other, until there were as many
 * payments. Ends at the first seed that breaks a guarantee: with what broke, the smallest plan that still does, and the story.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000_000)) },
    payments: { type: 'string', default: '1000' },
    each: { type: 'string', default: '50' },
    climate: { type: 'string', default: 'rough' },
    seconds: { type: 'string' },
    'no-shrinking': { type: 'boolean', default: false },
    twice: { type: 'boolean', default: false },
  },
});
const options = z
  .object({
    seed: z.coerce.number().int().min(0),
    payments: z.coerce.number().int().min(1).max(100_000_000),
    /** Payments of one world. */
    each: z.coerce.number().int().min(1).max(10_000),
    climate: z.enum(['rough', 'calm']),
    /** Begins no further world after this. */
    seconds: z.coerce.number().positive().optional(),
  })
  .parse(values);

const realNow = performance.now.bind(performance);
const begunAt = realNow();
const simulator = await openSimulator();
const openedAt = realNow();
let present = options.seed;
// No process of ours may leave one: Node would end it.
process.on('unhandledRejection', (error) => {
  console.log(`seed ${present}: a promise was rejected and nobody handled it`, error);
  process.exit(1);
});
let payments = 0;
let worlds = 0;
let virtualMs = 0;
for (let seed = options.seed; payments < options.payments; seed++) {
  if (options.seconds !== undefined && realNow() - begunAt > options.seconds * 1_000) break;
  present = seed;
  const plan = planWorld(seed, Math.min(options.each, options.payments - payments), options.climate);
  const run = await simulator.run(plan, STATEMENTS);
  const violations = checkWorld(run);
  worlds++;
  payments += plan.payments.length;
  virtualMs += run.virtualMs;
  if (values.twice && (await simulator.run(plan, STATEMENTS)).digest !== run.digest) {
    console.log(`seed ${seed} did one thing first and another the second time`);
    process.exit(1);
  }
  if (violations.length === 0) continue;
  await report(seed, plan, violations, run.story);
  process.exit(1);
}
const tookMs = realNow() - openedAt;
console.log(
  [
    `seeds ${options.seed} to ${options.seed + worlds - 1}: ${payments} payments, no violation`,
    `${(tookMs / 1_000).toFixed(1)} s after ${((openedAt - begunAt) / 1_000).toFixed(1)} s of preparation`,
    `${(virtualMs / 3_600_000).toFixed(0)} hours of virtual time, ${Math.round(virtualMs / tookMs)} times as fast as real time`,
  ].join('; '),
);
process.exit(0);

async function report(
  seed: number,
  plan: ReturnType<typeof planWorld>,
  violations: ReturnType<typeof checkWorld>,
  story: readonly string[],
): Promise<void> {
  console.log(
    `seed ${seed} breaks ${violations.length} guarantees: ${[...new Set(violations.map(({ kind }) => kind))].join(', ')}`,
  );
  const [first] = violations;
  if (first === undefined) return;
  const broken = values['no-shrinking'] ? null : await shrinkPlan(simulator, plan, first.kind);
  const shown = broken ?? { plan, violation: first, story };
  console.log(`with ${shown.plan.payments.length} payments and these faults:`);
  for (const fault of shown.plan.faults) console.log(`  ${JSON.stringify(fault)}`);
  console.log(`\n${buildTimeline(shown.violation)}\n`);
  for (const line of shown.story.filter((each) => !each.includes('/control/')).slice(0, 200)) console.log(line);
  console.log(
    `\nagain: npm run simulate -- --seed ${seed} --payments ${plan.payments.length} --each ${plan.payments.length} --climate ${options.climate}`,
  );
}
