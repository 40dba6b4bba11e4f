import { randomBytes } from 'node:crypto';
import { authenticate } from '@switchyard/merchants/api-keys';
import { issueKey, listKeys, revokeKey } from '@switchyard/merchants/console/api-keys';
import { connectGateway, updateGateway } from '@switchyard/merchants/console/gateway-accounts';
import { createMerchant } from '@switchyard/merchants/console/merchants';
import { setOverride } from '@switchyard/rule-sets/overrides';
import { publishRules } from '@switchyard/rule-sets/versions';
import type { MerchantConfiguration, RuntimeContext } from '@switchyard/runtime';
import { createEndpoint, listEndpoints, sendTestEvent, updateEndpoint } from '@switchyard/webhooks/endpoints';
import type { Demo } from '../../scripts/stack/demo.ts';
import type { Environment } from '../../scripts/stack/programs.ts';
import { type DemoAccountPlan, type DemoMerchantPlan, demoRules } from './demo-plan.ts';

export const SEED_ACTOR = 'system:seed';
const KEY_NAME = 'demo';
const OWNER_EMAIL = 'owner@switchyard.local';
const SHOP = '/shop/balogun-street-fabrics';

/** A demo merchant in the database. */
export interface DemoMerchant {
  readonly plan: DemoMerchantPlan;
  readonly merchantId: string;
  readonly paystackId: string;
  readonly flutterwaveId: string;
  /** Every account with its id. */
  readonly accounts: readonly (DemoAccountPlan & { readonly accountId: string })[];
}

/**
 * Creates a demo merchant with its accounts and rules where missing. Later changes by users stay, except that accounts follow the
 * simulators to other addresses. A new merchant, the accounts of its history and its first rules are of `begunAt`.
 */
export async function ensureDemoMerchant(context: RuntimeContext, plan: DemoMerchantPlan, begunAt: Date): Promise<DemoMerchant> {
  const { merchantNumber, name } = plan;
  const known = context.resources.configuration.merchants().find(({ merchant }) => merchant.merchantNumber === merchantNumber);
  const back: RuntimeContext = known === undefined ? { ...context, now: () => begunAt } : context;
  const { merchant } = known ?? demand(await createMerchant(back, { merchantNumber, name, actor: SEED_ACTOR }), 'created');
  const merchantId = merchant.id;
  const paystackId = await ensureAccount(back, merchantId, known, plan.paystack);
  const flutterwaveId = await ensureAccount(back, merchantId, known, plan.flutterwave);
  const accounts = [
    { ...plan.paystack, accountId: paystackId },
    { ...plan.flutterwave, accountId: flutterwaveId },
  ];
  for (const other of plan.others) {
    accounts.push({ ...other, accountId: await ensureAccount(context, merchantId, known, other) });
  }
  if (known?.ruleSets.test === undefined) {
    const published = await publishRules(back, {
      merchantId,
      mode: 'test',
      document: demoRules(paystackId, flutterwaveId),
      baseVersion: 0,
      reason: 'The demo begins with these.',
      actor: SEED_ACTOR,
    });
    demand(published, 'published');
  }
  return { plan, merchantId, paystackId, flutterwaveId, accounts };
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Plans a maintenance of a merchant's Paystack account, two hours of the night after next, where none was ever planned. */
export async function ensurePlannedOverride(context: RuntimeContext, { merchantId, paystackId }: DemoMerchant): Promise<void> {
  const known = await context.resources.database.prisma.routingOverride.count({ where: { merchantId } });
  if (known > 0) return;
  const midnight = Math.floor(context.now().getTime() / DAY_MS) * DAY_MS;
  const planned = await setOverride(context, {
    merchantId,
    accountId: paystackId,
    method: null,
    action: 'drain',
    reason: 'Paystack announced maintenance',
    startsAt: new Date(midnight + 2 * DAY_MS + HOUR_MS),
    expiresAt: new Date(midnight + 2 * DAY_MS + 3 * HOUR_MS),
    actor: SEED_ACTOR,
  });
  demand(planned, 'set');
}

async function ensureAccount(
  context: RuntimeContext,
  merchantId: string,
  known: MerchantConfiguration | undefined,
  plan: DemoAccountPlan,
): Promise<string> {
  const account = known?.accounts.find(({ mode, label }) => mode === 'test' && label === plan.label);
  if (account === undefined) {
    const connected = await connectGateway(context, { ...plan, merchantId, mode: 'test', actor: SEED_ACTOR });
    return demand(connected, 'connected').account.id;
  }
  if (account.baseUrl !== plan.baseUrl) {
    const changes = { baseUrl: plan.baseUrl };
    demand(await updateGateway(context, { merchantId, accountId: account.id, changes, actor: SEED_ACTOR }), 'updated');
  }
  return account.id;
}

/** The key of a demo merchant: the known one if it still works, else a new one; former ones of the seed are revoked then. */
export async function ensureDemoKey(
  context: RuntimeContext,
  { merchantId }: DemoMerchant,
  known: string | undefined,
): Promise<string> {
  const holder = await authenticate(context, `Bearer ${known}`);
  if (known !== undefined && holder.kind === 'authenticated') {
    if (holder.configuration.merchant.id === merchantId && holder.mode === 'test') return known;
  }
  for (const { id: keyId, name, createdBy, state } of await listKeys(context, { merchantId, mode: 'test' })) {
    const isOurs = name === KEY_NAME && createdBy === SEED_ACTOR && state !== 'revoked';
    if (isOurs) await revokeKey(context, { merchantId, keyId, actor: SEED_ACTOR });
  }
  const wanted = {
    merchantId,
    mode: 'test',
    name: KEY_NAME,
    expiresAt: null,
    scopes: ['full_access'],
    actor: SEED_ACTOR,
  } as const;
  return demand(await issueKey(context, wanted), 'issued').secretKey;
}

/**
 * Creates the webhook endpoint of a demo merchant at the sandbox, once: a removed endpoint is not created again. An existing one
 * follows the sandbox to another address.
 */
export async function ensureDemoEndpoint(context: RuntimeContext, merchant: DemoMerchant, sandboxUrl: string): Promise<void> {
  const { merchantId } = merchant;
  const url = `${sandboxUrl}${SHOP}`;
  const endpoints = await listEndpoints(context, { merchantIds: [merchantId], mode: 'test' });
  const own = endpoints.find((endpoint) => endpoint.url.endsWith(SHOP));
  if (own !== undefined) {
    const key = { merchantId, endpointId: own.id, actor: SEED_ACTOR };
    if (own.url !== url) demand(await updateEndpoint(context, { ...key, changes: { url } }), 'updated');
    return;
  }
  const creation = { tenantId: merchantId, action: 'webhook_endpoint.created', actor: SEED_ACTOR };
  const wasCreated = await context.resources.database.prisma.auditEntry.findFirst({
    where: creation,
    select: { tenantId: true },
  });
  if (wasCreated !== null) return;
  const wanted = { merchantId, mode: 'test', url, description: 'The shop at the sandbox', types: [], actor: SEED_ACTOR } as const;
  const { endpoint } = demand(await createEndpoint(context, wanted), 'created');
  demand(await sendTestEvent(context, { merchantId, endpointId: endpoint.id, actor: SEED_ACTOR }), 'queued');
}

/** A staff user who owns the workspace, and how to sign in. */
interface DemoOwner {
  readonly id: string;
  readonly staffEmail: string;
  readonly staffPassword: string;
}

/** Creates a workspace owner where missing. One whose password is lost is recreated. */
export async function ensureDemoOwner(
  { resources }: RuntimeContext,
  known: Partial<Demo>,
  environment: Environment,
): Promise<DemoOwner> {
  const password = known.staffEmail === OWNER_EMAIL ? known.staffPassword : undefined;
  const { staffUser } = resources.database.prisma;
  const present = await staffUser.findUnique({ where: { email: OWNER_EMAIL }, select: { id: true } });
  if (present !== null && password !== undefined) {
    return { id: present.id, staffEmail: OWNER_EMAIL, staffPassword: password };
  }
  if (present !== null) await staffUser.delete({ where: { id: present.id } });
  const staffPassword = password ?? randomBytes(18).toString('base64url');
  return { id: await createOwner(staffPassword, environment), staffEmail: OWNER_EMAIL, staffPassword };
}

async function createOwner(password: string, environment: Environment): Promise<string> {
  // Only a first start needs these slow imports.
  const { openSwitchyard } = await import('@switchyard/api/process');
  const { createStaffUser } = await import('@switchyard/staff/users');
  const switchyard = openSwitchyard(environment);
  try {
    const grants = [{ merchantId: null, role: 'owner' }] as const;
    const owner = { email: OWNER_EMAIL, name: 'Demo owner', password, grants, actor: SEED_ACTOR };
    return (await createStaffUser(switchyard, owner)).staffId;
  } finally {
    await switchyard.close();
  }
}

/** The outcome, which must have this kind: no command of the seed can be refused. */
export function demand<Outcome extends { readonly kind: string }, Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
): Extract<Outcome, { kind: Kind }> {
  if (isOfKind(outcome, kind)) return outcome;
  throw new Error(`the demo could not be set up: ${JSON.stringify(outcome)} instead of ${kind}`);
}

function isOfKind<Outcome extends { readonly kind: string }, Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
): outcome is Extract<Outcome, { kind: Kind }> {
  return outcome.kind === kind;
}
