import { newId } from '@switchyard/db';
import { migrateJobs } from '@switchyard/db/process';
import type { RuntimeContext } from '@switchyard/runtime';
import { openResources } from '@switchyard/runtime/resources';
import { writeWhole } from '../../scripts/bootstrap/files.mjs';
import { type Demo, readDemo } from '../../scripts/stack/demo.ts';
import type { Environment } from '../../scripts/stack/programs.ts';
import { ensureDemoEndpoint, ensureDemoKey, ensureDemoMerchant, ensureDemoOwner, ensurePlannedOverride } from './demo.ts';
import { demoMerchants } from './demo-plan.ts';
import { plantOtherRoads } from './other-roads.ts';
import { registerAtSandbox } from './sandbox.ts';
import { readSeedSettings } from './settings.ts';
import { historyBegins, seedWeek } from './week/seed-week.ts';

/** Longer than payments wait for a connection: on a busy machine everything else starts at the same time. */
const ACQUIRE_TIMEOUT_MS = 30_000;

/**
 * Creates what the demo needs and is missing, registers it at the sandbox, and writes the demo file. Throws when a variable of the
 * environment is missing or wrong.
 */
export async function seedDemo(environment: Environment): Promise<void> {
  const settings = readSeedSettings(environment);
  const { webUrl, sandboxUrl, demoFile, withWeek } = settings;
  const report = (error: unknown, doing: string): void => {
    process.stderr.write(`trouble while ${doing}: ${String(error)}\n`);
  };
  const resources = openResources(environment, report, { acquireTimeoutMs: ACQUIRE_TIMEOUT_MS });
  try {
    const { database, configuration } = resources;
    const context: RuntimeContext = { resources, now: () => new Date(), newId };
    const known = knownDemo(demoFile);
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
    const { id: ownerId, staffEmail, staffPassword } = await ensureDemoOwner(context, known, environment);
    await ensureDemoEndpoint(context, first, sandboxUrl);
    if (withWeek) await seedWeek(context, { merchants, publicUrl: webUrl, actor: `staff:${ownerId}`, now });
    const [maintained] = merchants.slice(2);
    if (maintained !== undefined) await ensurePlannedOverride(context, maintained);
    await registerAtSandbox(database, merchants, settings);
    if (maintained !== undefined) await plantOtherRoads(resources, maintained, { sandboxUrl, actor: `staff:${ownerId}` });
    const demo: Demo = { webUrl, sandboxUrl, secretKey, secondMerchantKey, staffEmail, staffPassword };
    writeWhole(demoFile, `${JSON.stringify(demo, null, 2)}\n`);
  } finally {
    await resources.close();
  }
}

/** The demo file of the last start; nothing of a missing or broken one. */
function knownDemo(demoFile: string): Partial<Demo> {
  try {
    return readDemo(demoFile);
  } catch {
    return {};
  }
}
