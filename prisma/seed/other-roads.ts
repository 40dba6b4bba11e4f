import { newId } from '@switchyard/db';
import { gateways } from '@switchyard/gateways';
import { openPayments, type PaymentsContext } from '@switchyard/payments/context';
import { initiate } from '@switchyard/payments/initiate';
import { verify } from '@switchyard/payments/verify';
import type { Resources } from '@switchyard/runtime/resources';
import { type GatewayName, simulators } from '@switchyard/sandbox';
import { previewSettlementFile, takeSettlementFile } from '@switchyard/settlements/files';
import { readSettlements, storeAnnouncedSettlement } from '@switchyard/settlements/intake';
import { z } from 'zod';
import type { DemoMerchant } from './demo.ts';
import { send } from './sandbox.ts';

/** Amounts of the payments that each payout has. */
const AMOUNTS = [2_500n, 7_200n, 15_000n] as const;
const ZONE = 'Africa/Lagos';

/** The merchant's account at a gateway of the demo, and where its simulator is controlled. */
interface Road {
  readonly context: PaymentsContext;
  readonly merchantId: string;
  readonly accountId: string;
  readonly gateway: GatewayName;
  readonly controlUrl: string;
}

/**
 * Gives a merchant settlements that come without a list: a payout that a gateway announced, and one by file, each of payments that were made
 * at the sandbox. Once: an account that has a settlement stays as it is.
 */
export async function plantOtherRoads(
  resources: Resources,
  { merchantId, accounts }: DemoMerchant,
  { sandboxUrl, actor }: { readonly sandboxUrl: string; readonly actor: string },
): Promise<void> {
  const context = openPayments(resources, {
    onError(error, doing) {
      throw new Error(`trouble while ${doing}`, { cause: error });
    },
  });
  try {
    for (const settlementRoad of ['webhook', 'file'] as const) {
      const found = gateways.find((each) => each.settlementRoad === settlementRoad);
      const account = accounts.find((each) => each.gateway === found?.name);
      if (account === undefined) continue;
      const { accountId, gateway, credentials } = account;
      const known = await resources.database.prisma.settlement.count({ where: { merchantId, accountId } });
      if (known > 0) continue;
      const road = { context, merchantId, accountId, gateway, controlUrl: `${sandboxUrl}/control/${gateway}` };
      const paid = await payAll(road);
      // On a machine that is too busy for them the demo has no such payout until the next start.
      if (paid === null) continue;
      if (settlementRoad === 'webhook') await announcePayout(road, credentials);
      else await takeFile(road, paid, actor);
    }
  } finally {
    context.close();
  }
}

interface PaidAtSandbox {
  readonly reference: string;
  readonly amount: bigint;
  /** Exact decimal of the main unit. */
  readonly fee: string;
}

const NO_TIMINGS = { add: () => undefined };

/** Orders begun for one payment at most: a call to the sandbox may take longer than a payment waits for it. */
const ORDERS_MAX = 5;

/** A payment of each amount; null where one could not be paid. */
async function payAll(road: Road): Promise<readonly PaidAtSandbox[] | null> {
  const paid: PaidAtSandbox[] = [];
  for (const amount of AMOUNTS) {
    let one: PaidAtSandbox | null = null;
    for (let number = 1; one === null && number <= ORDERS_MAX; number += 1) {
      one = await payAt(road, amount, `${road.gateway}-${amount}-${number}`);
    }
    if (one === null) return null;
    paid.push(one);
  }
  return paid;
}

/** A payment that was begun, paid at the sandbox and verified; null where the sandbox did not answer in time. */
async function payAt(
  { context, merchantId, gateway, controlUrl }: Road,
  amount: bigint,
  merchantOrderId: string,
): Promise<PaidAtSandbox | null> {
  const { configuration, database } = context.resources;
  const merchant = configuration.merchant(merchantId);
  if (merchant === undefined) throw new Error(`there is no merchant ${merchantId}`);
  const caller = { configuration: merchant, mode: 'test' } as const;
  const paymentId = newId();
  const order = {
    merchantOrderId,
    amount,
    currency: 'NGN',
    customer: { email: 'funke.adeyemi@example.com', id: null, phone: null },
    metadata: null,
    redirectUrl: null,
    paymentMethod: 'CARD',
    customerCountry: null,
    requestedGateway: gateway,
  } as const;
  const begun = await initiate(context, caller, order, paymentId, NO_TIMINGS);
  const id = begun.kind === 'duplicate_order' ? begun.paymentId : paymentId;
  const where = { merchantId, paymentId: id, gateway };
  const { status } = await database.prisma.payment.findUniqueOrThrow({ where: { merchantId_id: { merchantId, id } } });
  if (status === 'FAILED') return null;
  const { reference } = await database.prisma.attempt.findFirstOrThrow({ where, orderBy: { position: 'desc' } });
  await send('POST', `${controlUrl}/transactions/${reference}/settle`, { outcome: 'success' });
  const verified = await verify(context, caller, id, { transactionId: null, cause: 'schedule' }, NO_TIMINGS);
  if (verified?.payment.status !== 'SUCCESS') return null;
  const { feeAmount } = await database.prisma.payment.findUniqueOrThrow({ where: { merchantId_id: { merchantId, id } } });
  return { reference, amount, fee: feeAmount?.toFixed() ?? '0' };
}

const announcedSchema = z.object({
  settlements: z.array(z.object({ id: z.number().int(), net: z.number(), day: z.iso.date() })),
});

/**
 * A payout that the simulator forms of all that was paid, stored as its webhook is, and read: the web process, which takes webhooks, does not run
 * yet, and a later start may find a simulator that has lost it.
 */
async function announcePayout(
  { context, merchantId, accountId, gateway, controlUrl }: Road,
  credentials: Readonly<Record<string, string>>,
): Promise<void> {
  const formed = await send('POST', `${controlUrl}/settlements`, { key: credentials[simulators[gateway].keyField] });
  const { settlements } = announcedSchema.parse(JSON.parse(formed));
  for (const { id, net, day } of settlements) {
    const settlement = { settlementId: `SBX${id}`, currency: 'NGN', net: String(net), settledOn: day, createdAt: context.now() };
    await storeAnnouncedSettlement(context, { merchantId, accountId, settlement });
  }
  const read = await readSettlements(context, { merchantId, accountId });
  if (read.kind !== 'read') throw new Error(`the demo's payout cannot be read: ${JSON.stringify(read)}`);
}

/** A file as a merchant downloads it on the gateway's dashboard, taken in as staff do. */
async function takeFile(
  { context, merchantId, accountId, gateway }: Road,
  paid: readonly PaidAtSandbox[],
  actor: string,
): Promise<void> {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(context.now());
  const rows = paid.map(({ reference, amount, fee }) => `SQ-DEMO-1,${day},${reference},${amount},${fee}`);
  const file = {
    merchantId,
    accountId,
    name: `${gateway}-settlement.csv`,
    bytes: new TextEncoder().encode(['Settlement reference,Settlement date,Merchant reference,Amount,Fee', ...rows].join('\n')),
    mapping: {
      columns: {
        settlement: 'Settlement reference',
        settledOn: 'Settlement date',
        reference: 'Merchant reference',
        transactionId: null,
        kind: null,
        amount: 'Amount',
        direction: null,
        fee: 'Fee',
        net: null,
        currency: null,
        occurredAt: null,
        description: null,
      },
      kinds: {},
      directions: {},
      signs: 'as_written',
      sheet: null,
      titlesLine: null,
      currency: 'NGN',
      unit: 'main',
      decimalMark: '.',
      dates: 'day_first',
      zone: ZONE,
    },
    entered: { reference: null, settledOn: null },
  } as const;
  const preview = await previewSettlementFile(context, file);
  if (preview.kind !== 'preview') throw new Error(`the demo's file of settlements is refused: ${preview.kind}`);
  const taken = await takeSettlementFile(context, { ...file, hash: preview.hash }, actor);
  if (taken.kind !== 'taken') throw new Error(`the demo's file of settlements was not taken in: ${taken.kind}`);
}
