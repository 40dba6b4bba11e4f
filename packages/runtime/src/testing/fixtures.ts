import { createSecretKey, randomBytes } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { newId } from '@switchyard/db';
import { openAuditKeys } from '@switchyard/db/audit';
import { openReports, openVault } from '@switchyard/db/process';
import { createTestDatabase, TEST_CONNECTION, type TestDatabase } from '@switchyard/db/testing';
import type { RoutableAccount, RuleSet } from '@switchyard/routing';
import { openConfiguration, readRevision } from '../configuration/configuration.ts';
import { createAccountOpener, createOwnFaultFinder } from '../gateway-accounts/account-access.ts';
import type { RuntimeContext } from '../resources.ts';
import { openSecrets } from '../secrets/secrets.ts';

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

export interface TestContext extends RuntimeContext {
  readonly database: TestDatabase;
  /** Sets the clock behind `now`; null for the machine's own. */
  setClock(time: Date | null): void;
  close(): Promise<void>;
}

/** A context on a database of its own. */
export async function openTestContext(): Promise<TestContext> {
  const database = await createTestDatabase();
  const reports = openReports({ url: database.url, ...TEST_CONNECTION, onIdleError: () => undefined });
  const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`;
  const vault = openVault(encryptionKeys);
  const keyPepper = createSecretKey(randomBytes(32));
  const ownFaultOf = createOwnFaultFinder(vault);
  const isLoaded = () => configuration.readAt() !== null;
  const secrets = openSecrets({ database, keyPepper, ownFaultOf, isLoaded, onError: () => undefined });
  const configuration = openConfiguration(database, { onError: () => undefined, hints: 'none', onLoaded: secrets.inspect });
  let clock: Date | null = null;
  return {
    database,
    resources: {
      database,
      reports,
      configuration,
      vault,
      auditKeys: openAuditKeys({ auditKeys: undefined, encryptionKeys }),
      openAccount: createAccountOpener(vault, ownFaultOf),
      ownFaultOf,
      secrets,
      keyPepper,
      publicUrl: 'http://127.0.0.1:3000',
      lookupLimits: { perSecond: 1_000, atOnce: 100 },
      close: async () => undefined,
    },
    now: () => clock ?? new Date(),
    newId,
    setClock(time) {
      clock = time;
    },
    async close() {
      configuration.close();
      await reports.close();
      await database.close();
    },
  };
}

/** Creates a staff user without roles. Returns their id. */
export async function testStaff(context: RuntimeContext, id = context.newId()): Promise<string> {
  const now = context.now();
  const data = { id, name: 'Ada', email: `${id}@example.com`, createdAt: now, updatedAt: now };
  await context.resources.database.prisma.staffUser.create({ data });
  return id;
}

/** A mail server that accepts and stores every e-mail. */
export interface Mailbox {
  readonly url: string;
  readonly emails: string[];
  close(): Promise<void>;
}

/** Implements the part of SMTP that delivers an e-mail. */
export async function openMailbox(): Promise<Mailbox> {
  const emails: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let email: string | null = null;
    let rest = '';
    socket.write('220 email box\r\n');
    socket.on('data', (data) => {
      rest += data.toString();
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (email !== null && line !== '.') {
          email += `${line}\n`;
          continue;
        }
        if (email !== null) {
          emails.push(email);
          email = null;
          socket.write('250 kept\r\n');
        } else if (/^DATA/i.test(line)) {
          email = '';
          socket.write('354 go on\r\n');
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
        else socket.write('250 fine\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    emails,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
