/**
 * Recomputes the decisions of a month's payments from the database alone: as they were taken, and again after their accounts were changed,
 * renamed, switched off and removed, and their calls aged out. Ends with 1 when one comes out otherwise than it was stored.
 *
 *   npm run bench -- decisions [payments]
 */
import { newId } from '@switchyard/db';
import { updateGateway } from '@switchyard/merchants/console/gateway-accounts';
import { verifyDecisions } from '@switchyard/payments/console/routing';
import { ageOutGatewayCalls } from '@switchyard/payments/retention';
import { type Loaded, load } from './replay-load.ts';

const PAYMENTS = Number(process.argv[2] ?? 100_000);
const ACTOR = 'system:bench';
const AGED_AT_ONCE = 5_000;

async function check(name: string, { resources }: Loaded): Promise<number> {
  const began = performance.now();
  const { checkedCount, failedCount, failed } = await verifyDecisions(resources.database, {
    merchantIds: null,
    size: null,
    random: Math.random,
  });
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`${name}: ${checkedCount.toLocaleString('en')} recomputed in ${seconds} s, ${failedCount} not as they were stored`);
  for (const { paymentId, differences } of failed) console.log(`  payment ${paymentId}: ${differences.join(' ')}`);
  return failedCount + Math.abs(checkedCount - PAYMENTS);
}

/** Through the use case that the dashboard calls, which has each new configuration stored for itself. */
async function changeAccounts({ resources, merchantId, accountIds }: Loaded): Promise<void> {
  const context = { resources, now: () => new Date(), newId };
  for (const [place, accountId] of accountIds.entries()) {
    const changes = { label: `renamed-${place}`, enabled: false, minAmount: 900, methods: ['USSD' as const] };
    const outcome = await updateGateway(context, { merchantId, accountId, changes, actor: ACTOR });
    if (outcome.kind !== 'updated') throw new Error(JSON.stringify(outcome));
  }
}

async function ageOutCalls({ resources, merchantId, to }: Loaded): Promise<void> {
  const before = new Date(to.getTime() + 86_400_000);
  for (
    let at = await ageOutGatewayCalls(resources.database, merchantId, { cursor: null, held: [] }, before, AGED_AT_ONCE);
    !at.isDone;
  ) {
    at = await ageOutGatewayCalls(resources.database, merchantId, at, before, AGED_AT_ONCE);
  }
}

const { DATABASE_URL } = process.env;
if (DATABASE_URL === undefined) throw new Error('DATABASE_URL must name an empty database: npm run bench -- decisions makes one');
const loaded = await load(DATABASE_URL, PAYMENTS);
const { prisma } = loaded.resources.database;
let failed = await check('as they were taken', loaded);
await changeAccounts(loaded);
await ageOutCalls(loaded);
failed += await check('accounts changed, calls aged out', loaded);
await prisma.gatewayAccount.deleteMany({ where: { merchantId: loaded.merchantId } });
failed += await check('accounts removed', loaded);
loaded.payments.close();
await loaded.resources.close();
process.exitCode = failed === 0 ? 0 : 1;
