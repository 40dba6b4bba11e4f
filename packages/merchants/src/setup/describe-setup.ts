import { isUuid } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { RuntimeContext } from '@switchyard/runtime';

/** Set-up steps of a new merchant, in the order in which they are done. */
export const SETUP_STEPS = [
  'merchant',
  'account',
  'connection',
  'key',
  'test_payment',
  'webhook',
  'rules',
  'team',
  'live_account',
  'live_key',
  'live_payment',
] as const;

/** One of {@link SETUP_STEPS}. */
export type SetupStep = (typeof SETUP_STEPS)[number];

/** How far a merchant is set up, and whether the staff user still wants to see it. */
export interface Setup {
  /** Null where the workspace has no merchant yet. */
  readonly merchantId: string | null;
  readonly merchantName: string | null;
  readonly steps: readonly { readonly step: SetupStep; readonly done: boolean }[];
  readonly isDone: boolean;
  readonly isDismissed: boolean;
}

/** The set-up of a workspace without a merchant. */
export const NO_MERCHANT_YET: Setup = {
  merchantId: null,
  merchantName: null,
  steps: SETUP_STEPS.map((step) => ({ step, done: false })),
  isDone: false,
  isDismissed: false,
};

/** Grants for all merchants name the nil UUID. */
const ALL_MERCHANTS = '00000000-0000-0000-0000-000000000000';
const ROWS_MAX = 1_000;
const PAYMENTS_READ_MAX = 500;

/**
 * How far a merchant is set up, by what is stored of it: nothing is ticked off by hand. Steps stay done while what they asked for exists; a
 * payment once made counts for ever. Null without such a merchant.
 */
export async function describeSetup(
  { resources, now }: RuntimeContext<'database'>,
  { merchantId, staffId }: { readonly merchantId: string; readonly staffId: string },
): Promise<Setup | null> {
  if (!isUuid(merchantId)) return null;
  return resources.database.inSnapshot(({ prisma }) => readSetup(prisma, { merchantId, staffId, now: now() }));
}

async function readSetup(
  prisma: Client,
  { merchantId, staffId, now }: { readonly merchantId: string; readonly staffId: string; readonly now: Date },
): Promise<Setup | null> {
  const [merchant, accounts, keys, delivered, published, hasColleague, paidTest, paidLive, dismissal] = await Promise.all([
    prisma.merchant.findUnique({ where: { id: merchantId }, select: { name: true } }),
    prisma.gatewayAccount.findMany({
      where: { merchantId },
      select: { mode: true, enabled: true, credentials: true, connectionTestedAt: true },
      take: ROWS_MAX,
    }),
    prisma.apiKey.findMany({
      where: { merchantId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
      select: { mode: true },
      take: ROWS_MAX,
    }),
    prisma.webhookEndpoint.findFirst({
      where: { merchantId, removedAt: null, lastDeliveredAt: { not: null } },
      select: { id: true },
    }),
    prisma.ruleSetVersion.findFirst({ where: { merchantId, version: { not: null } }, select: { id: true } }),
    findColleague(prisma, merchantId, now),
    hasPaid(prisma, merchantId, 'test'),
    hasPaid(prisma, merchantId, 'live'),
    prisma.setupDismissal.findUnique({ where: { staffId_merchantId: { staffId, merchantId } }, select: { dismissedAt: true } }),
  ]);
  if (merchant === null) return null;
  const usable = accounts.filter(({ credentials }) => credentials !== null);
  const done: Readonly<Record<SetupStep, boolean>> = {
    merchant: true,
    account: usable.length > 0,
    // A payment proves as much as a test.
    connection: usable.some(({ connectionTestedAt }) => connectionTestedAt !== null) || paidTest || paidLive,
    key: keys.some(({ mode }) => mode === 'test'),
    test_payment: paidTest,
    webhook: delivered !== null,
    rules: published !== null,
    team: hasColleague,
    live_account: usable.some(({ mode, enabled }) => mode === 'live' && enabled),
    live_key: keys.some(({ mode }) => mode === 'live'),
    live_payment: paidLive,
  };
  const steps = SETUP_STEPS.map((step) => ({ step, done: done[step] }));
  return {
    merchantId,
    merchantName: merchant.name,
    steps,
    isDone: steps.every((each) => each.done),
    isDismissed: dismissal !== null,
  };
}

type Client = RuntimeContext<'database'>['resources']['database']['prisma'];

/** True if a payment was ever paid: one of the newest, else as the roll-ups have counted, which are some seconds behind. */
async function hasPaid(prisma: Client, merchantId: string, mode: Mode): Promise<boolean> {
  const newest = await prisma.$queryRaw<unknown[]>`
    SELECT FROM (SELECT status FROM payment WHERE merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode
      ORDER BY created_at DESC, id DESC LIMIT ${PAYMENTS_READ_MAX}) AS newest
    WHERE status IN ('SUCCESS', 'REFUNDED') LIMIT 1`;
  if (newest.length > 0) return true;
  const counted = await prisma.$queryRaw<unknown[]>`
    SELECT FROM payment_rollup WHERE merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode AND detail = 'accounts'
      AND status IN ('SUCCESS', 'REFUNDED') AND payments > 0 LIMIT 1`;
  return counted.length > 0;
}

/** True if a second staff user has a role for the merchant, or is invited to one. */
async function findColleague(prisma: Client, merchantId: string, now: Date): Promise<boolean> {
  const grants = await prisma.staffGrant.findMany({
    where: { merchantId: { in: [merchantId, ALL_MERCHANTS] }, staff: { disabledAt: null } },
    select: { staffId: true },
    take: ROWS_MAX,
  });
  if (new Set(grants.map(({ staffId }) => staffId)).size > 1) return true;
  const invited = await prisma.$queryRaw<unknown[]>`
    SELECT FROM staff_link, json_array_elements(grants) AS granted
    WHERE kind = 'invitation' AND used_at IS NULL AND revoked_at IS NULL AND expires_at > ${now}
      AND granted->>'merchantId' IN (${merchantId}, ${ALL_MERCHANTS}) LIMIT 1`;
  return invited.length > 0;
}

/** Hides a merchant's set-up checklist from a staff user, or shows it to them again; colleagues see it as before. */
export async function dismissSetup(
  { resources, now }: RuntimeContext<'database'>,
  { merchantId, staffId, dismissed }: { readonly merchantId: string; readonly staffId: string; readonly dismissed: boolean },
): Promise<void> {
  const { prisma } = resources.database;
  if (!dismissed) {
    await prisma.setupDismissal.deleteMany({ where: { staffId, merchantId } });
    return;
  }
  await prisma.setupDismissal.createMany({ data: [{ staffId, merchantId, dismissedAt: now() }], skipDuplicates: true });
}
