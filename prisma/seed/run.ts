import { dirname, join } from 'node:path';
import { migrateJobs, newId } from '@switchyard/db';
import type { MerchantsContext } from '@switchyard/merchants';
import { openResources } from '@switchyard/merchants';
import {
  type DemoMerchant,
  ensureDemoEndpoint,
  ensureDemoKey,
  ensureDemoMerchant,
  ensureDemoOwner,
  ensurePlannedOverride,
} from './demo.ts';
import { readDemoFile, replaceFile, writeDemoFiles } from './demo-file.ts';
import { demoMerchants } from './demo-plan.ts';
import { sandboxRequests } from './sandbox.ts';
import { readSeedSettings } from './settings.ts';
import { STAMP_FILE, stampContent } from './stamp.ts';
import { seedWeek } from './week/seed-week.ts';

/** Creates the missing parts of the demo; existing ones stay unchanged. */
export async function seed(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
  const settings = readSeedSettings(environment);
  const { webUrl, sandboxUrl, demoFile, withWeek } = settings;
  const resources = openResources(environment, (error, doing) => {
    process.stderr.write(`trouble while ${doing}: ${String(error)}\n`);
  });
  const { database, configuration } = resources;
  const context: MerchantsContext = { resources, now: () => new Date(), newId };
  try {
    const known = await readDemoFile(demoFile);
    await Promise.all([migrateJobs(database), configuration.refresh()]);
    const [firstPlan, secondPlan, ...otherPlans] = demoMerchants(settings);
    const first = await ensureDemoMerchant(context, firstPlan);
    const second = await ensureDemoMerchant(context, secondPlan);
    const merchants: DemoMerchant[] = [first, second];
    if (withWeek) for (const plan of otherPlans) merchants.push(await ensureDemoMerchant(context, plan));
    const secretKey = await ensureDemoKey(context, first, known.secretKey);
    const secondMerchantKey = await ensureDemoKey(context, second, known.secondMerchantKey);
    const { id: ownerId, staffEmail, staffPassword } = await ensureDemoOwner(context, known);
    await ensureDemoEndpoint(context, first, sandboxUrl);
    if (withWeek) await seedWeek(context, { merchants, publicUrl: webUrl, actor: `staff:${ownerId}`, now: new Date() });
    const [maintained] = merchants.slice(2);
    if (maintained !== undefined) await ensurePlannedOverride(context, maintained);
    const demo = { webUrl, sandboxUrl, secretKey, secondMerchantKey, staffEmail, staffPassword };
    await writeDemoFiles(demoFile, demo, await sandboxRequests(database, merchants, webUrl));
    const revisions = merchants.map(({ merchantId }) => [merchantId, configuration.merchant(merchantId)?.revision ?? 0]);
    const stamp = await stampContent(environment, demoFile, { revisions: Object.fromEntries(revisions), staffEmail });
    await replaceFile(join(dirname(demoFile), STAMP_FILE), stamp);
  } finally {
    await resources.close();
  }
}
