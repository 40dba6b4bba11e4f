import { issueKey, revokeKey, rotateKey } from '@switchyard/merchants/console/api-keys';
import { connectGateway, updateGateway } from '@switchyard/merchants/console/gateway-accounts';
import { updateMerchant } from '@switchyard/merchants/console/merchants';
import { connectTestAccount, testAccount, testMerchant } from '@switchyard/merchants/testing';
import { changeConfiguration } from '@switchyard/runtime';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endOverride, setOverride } from './overrides/overrides.ts';
import { publishRules } from './versions/publish.ts';

const actor = 'staff:ada';
const expiresAt = null;

let context: TestContext;
let merchantId: string;
let accountId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(async () => context.close());

beforeEach(async () => {
  merchantId = await testMerchant(context);
  accountId = await connectTestAccount(context, merchantId);
});

async function state() {
  const { prisma } = context.database;
  const [revision, audit] = await Promise.all([
    prisma.configurationRevision.findUniqueOrThrow({ where: { merchantId } }),
    prisma.auditEntry.findMany({ where: { tenantId: merchantId }, orderBy: { position: 'asc' } }),
  ]);
  return { revision: revision.revision, audit };
}

const rules = () => ({ rules: [], defaultOrder: [accountId] });
const override = () =>
  ({ merchantId, accountId, method: null, action: 'drain', reason: 'maintenance', startsAt: null, expiresAt, actor }) as const;
const newKey = () => issueKey(context, { merchantId, mode: 'test', name: 'server', expiresAt, scopes: ['full_access'], actor });
async function keyId() {
  const issued = await newKey();
  return issued.kind === 'issued' ? issued.key.id : '';
}
async function overrideId() {
  const set = await setOverride(context, override());
  return set.kind === 'set' ? set.override.id : '';
}

/** Preparation of each change, and the change itself. */
const changes: [
  action: string,
  outcome: string,
  prepare: () => Promise<string>,
  change: (id: string) => Promise<{ kind: string }>,
][] = [
  ['api_key.issued', 'issued', async () => '', () => newKey()],
  ['api_key.revoked', 'revoked', keyId, (id) => revokeKey(context, { merchantId, keyId: id, actor })],
  [
    'api_key.rotated',
    'rotated',
    keyId,
    (id) => rotateKey(context, { merchantId, keyId: id, oldWorksUntil: new Date(Date.now() + 60_000), expiresAt, actor }),
  ],
  [
    'merchant.updated',
    'updated',
    async () => '',
    () => updateMerchant(context, { merchantId, changes: { name: 'Yaba Books' }, actor }),
  ],
  [
    'gateway_account.connected',
    'connected',
    async () => '',
    () => connectGateway(context, { ...testAccount('second'), merchantId, mode: 'test', gateway: 'paystack', actor }),
  ],
  [
    'gateway_account.disabled',
    'updated',
    async () => '',
    () => updateGateway(context, { merchantId, accountId, changes: { enabled: false }, actor }),
  ],
  [
    'rule_set.published',
    'published',
    async () => '',
    () => publishRules(context, { merchantId, mode: 'test', document: rules(), baseVersion: 0, reason: 'first', actor }),
  ],
  ['routing_override.set', 'set', async () => '', () => setOverride(context, override())],
  ['routing_override.ended', 'ended', overrideId, (id) => endOverride(context, { merchantId, overrideId: id, actor })],
];

describe('every change', () => {
  test.each(changes)(
    '%s raises the revision once, leaves one audit row and serves here at once',
    async (action, outcome, prepare, change) => {
      const id = await prepare();
      const before = await state();
      expect(await change(id)).toMatchObject({ kind: outcome });
      const after = await state();
      expect(after.revision).toBe(before.revision + 1);
      expect(after.audit).toHaveLength(before.audit.length + 1);
      expect(after.audit.at(-1)).toMatchObject({ action, actor, tenantId: merchantId });
      expect(context.resources.configuration.merchant(merchantId)?.revision).toBe(after.revision);
    },
  );

  test.each(changes)(
    '%s is undone as a whole when its audit row cannot be written',
    async (_action, _outcome, prepare, change) => {
      const id = await prepare();
      const snapshot = await everyRow();
      await context.database.pool.query('ALTER TABLE audit_entry ADD CONSTRAINT closed CHECK (false) NOT VALID');
      await expect(change(id)).rejects.toThrow();
      await context.database.pool.query('ALTER TABLE audit_entry DROP CONSTRAINT closed');
      expect(await everyRow()).toEqual(snapshot);
    },
  );

  test.each(changes)(
    "%s is refused for a merchant that does not exist, and for text that is no merchant's id",
    async (...[, , , change]) => {
      for (merchantId of [context.newId(), 'nobody', '']) expect(await change(context.newId())).toEqual({ kind: 'not_found' });
    },
  );
});

test('a refused change leaves neither a revision nor an audit row', async () => {
  const before = await state();
  const unknown = context.newId();
  expect(await revokeKey(context, { merchantId, keyId: unknown, actor })).toEqual({ kind: 'not_found' });
  expect(await endOverride(context, { merchantId, overrideId: 'no id', actor })).toEqual({ kind: 'not_found' });
  expect(await setOverride(context, { ...override(), accountId: unknown })).toEqual({ kind: 'not_found' });
  expect(await updateGateway(context, { merchantId, accountId: unknown, changes: {}, actor })).toEqual({ kind: 'not_found' });
  const stale = { merchantId, mode: 'test', document: rules(), baseVersion: 7, reason: null, actor } as const;
  expect(await publishRules(context, stale)).toMatchObject({ kind: 'stale_base', currentVersion: 0 });
  expect(await state()).toEqual(before);
});

test('changes made at the same time all count, and the audit chain has no gap', async () => {
  const before = await state();
  const names = Array.from({ length: 8 }, (_, index) => `Books ${index}`);
  await Promise.all(names.map((name) => updateMerchant(context, { merchantId, changes: { name }, actor })));
  const after = await state();
  expect(after.revision).toBe(before.revision + names.length);
  const chain = after.audit.map(({ position, previous, hash }) => ({ position, previous: hex(previous), hash: hex(hash) }));
  expect(chain.map(({ position }) => position)).toEqual(chain.map((_, index) => index + 1));
  expect(chain.slice(1).map(({ previous }) => previous)).toEqual(chain.slice(0, -1).map(({ hash }) => hash));
});

test('listeners are notified which merchant changed', async () => {
  const listener = await context.database.pool.connect();
  try {
    await listener.query('LISTEN configuration');
    const notified = new Promise((resolve) => listener.once('notification', ({ payload }) => resolve(payload)));
    await updateMerchant(context, { merchantId, changes: { sessionMinutes: 30 }, actor });
    expect(await notified).toBe(merchantId);
  } finally {
    listener.release(true);
  }
});

test('a change is committed even when this process cannot read it back', async () => {
  const { configuration } = context.resources;
  const blind = {
    ...context,
    resources: { ...context.resources, configuration: { ...configuration, refresh: () => Promise.reject(new Error('away')) } },
  };
  const outcome = await changeConfiguration(blind, { merchantId, actor }, async () => ({
    outcome: { kind: 'done' },
    audit: { action: 'test.done', objectType: 'merchant', objectId: merchantId, before: null, after: null },
  }));
  expect(outcome).toEqual({ kind: 'done' });
});

async function everyRow() {
  const { prisma } = context.database;
  const where = { merchantId };
  return {
    ...(await state()),
    merchant: await prisma.merchant.findUnique({ where: { id: merchantId } }),
    keys: await prisma.apiKey.findMany({ where, orderBy: { id: 'asc' } }),
    accounts: await prisma.gatewayAccount.findMany({ where, orderBy: { id: 'asc' } }),
    rules: await prisma.ruleSetVersion.findMany({ where, orderBy: { id: 'asc' } }),
    overrides: await prisma.routingOverride.findMany({ where, orderBy: { id: 'asc' } }),
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
