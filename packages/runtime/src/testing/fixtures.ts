import type { TestDatabase } from '@switchyard/db/testing';
import type { RoutableAccount, RuleSet } from '@switchyard/routing';
import { readRevision } from '../configuration/configuration.ts';
import type { RuntimeContext } from '../context.ts';

/** A context whose database fixtures write to directly, without the use cases. */
export interface FixtureContext extends RuntimeContext<'configuration' | 'vault'> {
  readonly database: TestDatabase;
}

export interface TestMerchant {
  readonly merchantId: string;
  /** Ids by label. */
  readonly accounts: Readonly<Record<string, string>>;
}

/** A merchant with accounts in test mode, named by label: `paystack-main` is at Paystack. */
export async function createTestMerchant(
  context: FixtureContext,
  accounts: Readonly<Record<string, Partial<RoutableAccount>>>,
): Promise<TestMerchant> {
  const { prisma } = context.database;
  const merchantId = context.newId();
  const times = { createdAt: context.now(), updatedAt: context.now() };
  await prisma.merchant.create({
    data: { id: merchantId, merchantNumber: merchantId.slice(-12), name: 'Balogun Books', ...times },
  });
  await prisma.tenant.createMany({ data: [{ id: merchantId }], skipDuplicates: true });
  const ids: Record<string, string> = {};
  for (const [label, change] of Object.entries(accounts)) {
    const id = context.newId();
    ids[label] = id;
    const { fees, currencies, methods, minAmount, maxAmount, enabled } = { ...PLAIN, ...change };
    await prisma.gatewayAccount.create({
      data: {
        merchantId,
        id,
        mode: 'test',
        label,
        enabled,
        credentialHint: {},
        ...times,
        gateway: label.split('-')[0] ?? label,
        credentials: context.resources.vault.seal(
          JSON.stringify({ secretKey: 'sk_test_0123456789abcdef' }),
          `${merchantId}/${id}`,
        ),
        currencies: [...currencies],
        methods: [...methods],
        minAmount: BigInt(minAmount),
        maxAmount: maxAmount === null ? null : BigInt(maxAmount),
      },
    });
    if (fees !== null) {
      const terms = { schedule: JSON.parse(JSON.stringify(fees)), tolerance: '0.01', createdBy: 'system:test' };
      await prisma.feeContract.create({
        data: { ...terms, merchantId, id: context.newId(), accountId: id, appliesFrom: new Date(0), createdAt: context.now() },
      });
    }
  }
  await reloadConfiguration(context, merchantId);
  return { merchantId, accounts: ids };
}

const PLAIN = {
  enabled: true,
  currencies: ['NGN'],
  methods: ['CARD', 'TRANSFER', 'USSD'],
  minAmount: 1,
  maxAmount: null,
  fees: { percentBasisPoints: 150, flat: 100, flatWaivedBelow: 2_500, cap: 2_000, vatBasisPoints: 750 },
} satisfies Partial<RoutableAccount>;

/** Publishes rules as the next version, without the checks that publishing has. Returns the version. */
export async function publish(context: FixtureContext, merchantId: string, document: Omit<RuleSet, 'version'>): Promise<number> {
  const { ruleSetVersion } = context.database.prisma;
  const key = { merchantId, mode: 'test' } as const;
  const version = (await ruleSetVersion.count({ where: key })) + 1;
  const now = context.now();
  await ruleSetVersion.updateMany({ where: { ...key, state: 'PUBLISHED' }, data: { state: 'SUPERSEDED', endedAt: now } });
  const json = JSON.parse(JSON.stringify({ ...document, version }));
  const actor = { createdBy: 'system:test', publishedBy: 'system:test' };
  const times = { createdAt: now, updatedAt: now, publishedAt: now };
  await ruleSetVersion.create({
    data: {
      ...key,
      id: context.newId(),
      version,
      state: 'PUBLISHED',
      document: json,
      baseVersion: version - 1,
      ...actor,
      ...times,
    },
  });
  await reloadConfiguration(context, merchantId);
  return version;
}

/** Increments the merchant's revision and reads it. */
export async function reloadConfiguration(context: FixtureContext, merchantId: string): Promise<void> {
  const { revision } = await context.database.prisma.configurationRevision.upsert({
    where: { merchantId },
    create: { merchantId, revision: 1 },
    update: { revision: { increment: 1 } },
  });
  await readRevision(context.resources.configuration, merchantId, revision);
}
