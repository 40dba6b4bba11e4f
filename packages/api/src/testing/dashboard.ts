import { randomBytes } from 'node:crypto';
import type { StaffRole } from '@switchyard/db/client';
import { createTestDatabase, TEST_CONNECTION, type TestDatabase } from '@switchyard/db/testing';
import { connectGateway } from '@switchyard/merchants/console/gateway-accounts';
import { createMerchant } from '@switchyard/merchants/console/merchants';
import { publishRules } from '@switchyard/rule-sets/versions';
import type { StaffSession } from '@switchyard/staff/permissions';
import { openSwitchyard, type Switchyard } from '../process.ts';

/** A process on a database of its own, for calling procedures. */
export interface TestDashboard {
  readonly switchyard: Switchyard;
  readonly database: TestDatabase;
  close(): Promise<void>;
}

/** Where a browser of the dashboard is. */
export const DASHBOARD_ORIGIN = 'http://localhost';

export async function openTestDashboard(): Promise<TestDashboard> {
  const database = await createTestDatabase();
  const key = randomBytes(32).toString('base64');
  const environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${key}`,
    SWITCHYARD_KEY_PEPPER: key,
    SWITCHYARD_PUBLIC_URL: DASHBOARD_ORIGIN,
    SWITCHYARD_AUTH_SECRET: key,
  };
  const switchyard = openSwitchyard(environment, { write: () => undefined }, TEST_CONNECTION);
  return {
    switchyard,
    database,
    async close() {
      await switchyard.close();
      await database.close();
    },
  };
}

/** A session with a role: for one merchant, or for all with null. */
export function sessionOf(
  role: StaffRole,
  merchantId: string | null,
  staffId = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10',
): StaffSession {
  const signedInAt = new Date();
  return {
    sessionId: '0193471e-8a3b-7c21-9f4e-000000000001',
    staffId,
    name: 'Ada',
    email: 'ada@example.com',
    twoFactorEnabled: true,
    mustSetUpTwoFactor: false,
    timeZone: null,
    grants: [{ merchantId, role }],
    signedInAt,
    endsAt: new Date(signedInAt.getTime() + 3_600_000),
  };
}

export interface DashboardMerchant {
  readonly merchantId: string;
  readonly paystack: string;
  readonly flutterwave: string;
}

/** A merchant with an unreachable account at each gateway in test mode, and card payments routed to Paystack first. */
export async function createTestMerchant({ switchyard }: TestDashboard): Promise<DashboardMerchant> {
  const context = switchyard;
  const actor = 'system:test';
  const created = await createMerchant(context, { name: 'Balogun Books', actor });
  if (created.kind !== 'created') throw new Error(created.kind);
  const merchantId = created.merchant.id;
  const connect = async (gateway: string, secretKey: string): Promise<string> => {
    const limits = { currencies: ['NGN'], methods: ['CARD' as const, 'TRANSFER' as const], minAmount: 100, maxAmount: null };
    const baseUrl = 'http://127.0.0.1:1';
    const rest = { mode: 'test' as const, label: `${gateway}-main`, enabled: true, fees: null, baseUrl };
    const command = { merchantId, gateway, credentials: { secretKey }, ...limits, ...rest, actor };
    const connected = await connectGateway(context, command);
    if (connected.kind !== 'connected') throw new Error(JSON.stringify(connected));
    return connected.account.id;
  };
  const paystack = await connect('paystack', `sk_test_${randomBytes(20).toString('hex')}`);
  const flutterwave = await connect('flutterwave', `FLWSECK_TEST-${randomBytes(16).toString('hex')}-X`);
  const published = await publishRules(context, {
    merchantId,
    mode: 'test',
    baseVersion: 0,
    reason: null,
    actor,
    document: rulesTo(paystack, [paystack, flutterwave]),
  });
  if (published.kind !== 'published') throw new Error(JSON.stringify(published));
  return { merchantId, paystack, flutterwave };
}

/** A document with one rule: card payments to one account. */
export function rulesTo(accountId: string, defaultOrder: readonly string[]) {
  const when = { currency: 'NGN', methods: ['CARD' as const], amount: { from: 0, to: null } };
  const then = { strategy: 'priority' as const, accounts: [accountId] };
  return { rules: [{ ruleId: 'cards', name: 'Cards', enabled: true, when, then }], defaultOrder };
}
