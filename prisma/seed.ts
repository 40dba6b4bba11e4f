/**
 * Creates what the demo needs and is missing: merchants with accounts at the sandbox gateways, their keys, a staff user who may sign in,
 * and a past; registers all of it at the sandbox, which has to run; and writes the demo file. Runs at every start; what is there stays as it is.
 */
import { migrateJobs, newId } from '@switchyard/db';
import type { RuntimeContext } from '@switchyard/runtime';
import { openResources } from '@switchyard/runtime/resources';
import { writeWhole } from '../scripts/bootstrap/files.mjs';
import { type Demo, readDemo } from '../scripts/stack/demo.ts';
import { ensureDemoEndpoint, ensureDemoKey, ensureDemoMerchant, ensureDemoOwner, ensurePlannedOverride } from './seed/demo.ts';
import { demoMerchants } from './seed/demo-plan.ts';
import { registerAtSandbox } from './seed/sandbox.ts';
import { readSeedSettings } from './seed/settings.ts';
import { historyBegins, seedWeek } from './seed/week/seed-week.ts';

/** Longer than payments wait for a connection: on a busy machine everything else starts at the same time. */
const ACQUIRE_TIMEOUT_MS = 30_000;

const settings = readSeedSettings(process.env);
const { webUrl, sandboxUrl, demoFile, withWeek } = settings;
const report = (error: unknown, doing: string): void => {
  process.stderr.write(`trouble while ${doing}: ${String(error)}\n`);
};
const resources = openResources(process.env, report, { acquireTimeoutMs: ACQUIRE_TIMEOUT_MS });
try {
  const { database, configuration } = resources;
  const context: RuntimeContext = { resources, now: () => new Date(), newId };
  const known = knownDemo();
  await migrateJobs(database);
  await configuration.refresh();
  const now = new Date();
  const begunAt = withWeek ? historyBegins(now) : now;
  const [firstPlan, secondPlan, ...otherPlans] = demoMerchants(settings);
  const first = await ensureDemoMerchant(context, firstPlan, begunAt);
  const second = await ensureDemoMerchant(context, secondPlan, begunAt);
  const merchants = [first, second];
  if (withWeek) for (const plan of otherPlans) merchants.push(await ensureDemoMerchant(context, plan, begunAt));
  const secretKey = await ensureDemoKey(context, first, known.secretKey);
  const secondMerchantKey = await ensureDemoKey(context, second, known.secondMerchantKey);
  const { id: ownerId, staffEmail, staffPassword } = await ensureDemoOwner(context, known);
  await ensureDemoEndpoint(context, first, sandboxUrl);
  if (withWeek) await seedWeek(context, { merchants, publicUrl: webUrl, actor: `staff:${ownerId}`, now });
  const [maintained] = merchants.slice(2);
  if (maintained !== undefined) await ensurePlannedOverride(context, maintained);
  await registerAtSandbox(database, merchants, settings);
  const demo: Demo = { webUrl, sandboxUrl, secretKey, secondMerchantKey, staffEmail, staffPassword };
  writeWhole(demoFile, `${JSON.stringify(demo, null, 2)}\n`);
} finally {
  await resources.close();
}

/** The demo file of the last start; nothing of a missing or broken one. */
function knownDemo(): Partial<Demo> {
  try {
    return readDemo(demoFile);
  } catch {
    return {};
  }
}
