import { migrateJobs, newId, openResources } from '@switchyard/db';
import type { MerchantsContext } from '@switchyard/merchants';
import { readDemoFile, writeDemoFiles } from './seed/demo-file.ts';
import { ensureDemoKeys } from './seed/demo-keys.ts';
import { ensureDemoMerchant } from './seed/demo-merchants.ts';
import { ensureDemoOwner } from './seed/demo-owner.ts';
import { demoMerchants } from './seed/demo-plan.ts';
import { sandboxKeys } from './seed/sandbox-keys.ts';
import { readSeedSettings } from './seed/settings.ts';

/*
 * Fills a database with what the demo needs: two merchants with accounts at the sandbox gateways, their keys, and somebody who
 * may sign in. Runs at every start; what is there already is left alone.
 */

const settings = readSeedSettings(process.env);
const resources = openResources(process.env, (error, doing) => {
  process.stderr.write(`trouble while ${doing}: ${String(error)}\n`);
});
const context: MerchantsContext = { resources, now: () => new Date(), newId };

try {
  await migrateJobs(resources.database);
  await resources.configuration.refresh();
  const known = await readDemoFile(settings.demoFile);
  const [first, second] = demoMerchants(settings);
  const merchants = [await ensureDemoMerchant(context, first), await ensureDemoMerchant(context, second)] as const;
  const keys = await ensureDemoKeys(context, merchants, known);
  const owner = await ensureDemoOwner(resources.database, known);
  const { webUrl, sandboxUrl } = settings;
  await writeDemoFiles(settings.demoFile, { webUrl, sandboxUrl, ...keys, ...owner }, sandboxKeys(settings.webUrl, merchants));
} finally {
  await resources.close();
}
