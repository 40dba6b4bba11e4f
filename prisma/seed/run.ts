import { dirname, join } from 'node:path';
import { migrateJobs, newId } from '@switchyard/db';
import type { MerchantsContext } from '@switchyard/merchants';
import { openResources } from '@switchyard/merchants';
import { ensureDemoEndpoint } from './demo-endpoint.ts';
import { readDemoFile, replaceFile, writeDemoFiles } from './demo-file.ts';
import { ensureDemoKeys } from './demo-keys.ts';
import { type DemoMerchant, ensureDemoMerchant, SEED_ACTOR } from './demo-merchants.ts';
import { ensureDemoOwner } from './demo-owner.ts';
import { demoMerchants, moreDemoMerchants } from './demo-plan.ts';
import { readSandboxHistory } from './sandbox-history.ts';
import { sandboxKeys } from './sandbox-keys.ts';
import { readSeedSettings } from './settings.ts';
import { STAMP_FILE, stampContent } from './stamp.ts';
import { seedWeek } from './week/seed-week.ts';

/** Creates the missing parts of the demo; existing ones stay unchanged. */
export async function seed(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
  const settings = readSeedSettings(environment);
  const resources = openResources(environment, (error, doing) => {
    process.stderr.write(`trouble while ${doing}: ${String(error)}\n`);
  });
  const context: MerchantsContext = { resources, now: () => new Date(), newId };
  try {
    const known = await readDemoFile(settings.demoFile);
    await Promise.all([migrateJobs(resources.database), resources.configuration.refresh()]);
    const [first, second] = demoMerchants(settings);
    const holders = [await ensureDemoMerchant(context, first), await ensureDemoMerchant(context, second)] as const;
    const merchants: DemoMerchant[] = [...holders];
    if (settings.withWeek) {
      for (const plan of moreDemoMerchants(settings)) merchants.push(await ensureDemoMerchant(context, plan));
    }
    const keys = await ensureDemoKeys(context, holders, known);
    const owner = await ensureDemoOwner(resources.database, known);
    const { webUrl, sandboxUrl } = settings;
    await ensureDemoEndpoint(context, holders[0], sandboxUrl);
    if (settings.withWeek) {
      await seedWeek(context, { merchants, publicUrl: webUrl, actor: await actorOf(context, owner.staffEmail), now: new Date() });
    }
    await writeDemoFiles(
      settings.demoFile,
      { webUrl, sandboxUrl, ...keys, ...owner },
      { keys: sandboxKeys(webUrl, merchants), history: await readSandboxHistory(resources.database, merchants) },
    );
    const revisions = Object.fromEntries(merchants.map(({ merchantId }) => [merchantId, revisionOf(context, merchantId)]));
    const stamp = await stampContent(environment, settings.demoFile, { revisions, staffEmail: owner.staffEmail });
    await replaceFile(join(dirname(settings.demoFile), STAMP_FILE), stamp);
  } finally {
    await resources.close();
  }
}

async function actorOf({ resources }: MerchantsContext, email: string): Promise<string> {
  const found = await resources.database.prisma.staffUser.findUnique({ where: { email }, select: { id: true } });
  return found === null ? SEED_ACTOR : `staff:${found.id}`;
}

function revisionOf(context: MerchantsContext, merchantId: string): number {
  return context.resources.configuration.merchant(merchantId)?.revision ?? 0;
}
