import { randomBytes } from 'node:crypto';
import type { StaffRole } from '@switchyard/db/client';
import { createTestDatabase, TEST_CONNECTION } from '@switchyard/db/testing';
import { connectGateway } from '@switchyard/merchants/console/gateway-accounts';
import { createMerchant } from '@switchyard/merchants/console/merchants';
import { reservePayment } from '@switchyard/payments/initiate';
import { newPayment } from '@switchyard/payments/testing';
import { createStaffUser } from '@switchyard/staff/users';
import { openSwitchyard, type Switchyard } from '../process.ts';

export const ORIGIN = 'http://switchyard.test';
export const PASSWORD = 'correct horse battery';

/**
 * A process's Switchyard on a database of its own. `lines` holds all its log lines, `key` what it encrypts and hashes with, `authSecret` what
 * signs cookies. `more` are settings of its environment.
 */
export async function openTestSwitchyard(
  publicUrl: string = ORIGIN,
  more: Readonly<Record<string, string>> = {},
): Promise<{ switchyard: Switchyard; lines: string[]; key: string; authSecret: string; close(): Promise<void> }> {
  const database = await createTestDatabase();
  const key = randomBytes(32).toString('base64');
  const authSecret = randomBytes(32).toString('base64');
  const environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${key}`,
    SWITCHYARD_KEY_PEPPER: key,
    SWITCHYARD_PUBLIC_URL: publicUrl,
    SWITCHYARD_AUTH_SECRET: authSecret,
    ...more,
  };
  const lines: string[] = [];
  const switchyard = openSwitchyard(environment, { write: (line) => void lines.push(line) }, TEST_CONNECTION);
  const close = async () => {
    await switchyard.close();
    await database.close();
  };
  return { switchyard, lines, key, authSecret, close };
}

/** A merchant with an account in test mode. Returns its id. */
export async function createTestMerchant(switchyard: Switchyard, name: string): Promise<string> {
  const created = await createMerchant(switchyard, { name, actor: 'system:test' });
  if (created.kind !== 'created') throw new Error(`no merchant was created: ${created.kind}`);
  const merchantId = created.merchant.id;
  const connected = await connectGateway(switchyard, {
    merchantId,
    mode: 'test',
    gateway: 'paystack',
    actor: 'system:test',
    label: 'paystack-main',
    enabled: true,
    credentials: { secretKey: 'sk_test_0123456789abcdef' },
    currencies: ['NGN'],
    methods: ['CARD'],
    minAmount: 50,
    maxAmount: null,
    fees: null,
    baseUrl: null,
  });
  if (connected.kind !== 'connected') throw new Error(`no account was connected: ${connected.kind}`);
  await switchyard.resources.configuration.refresh();
  return merchantId;
}

/** A payment just recorded. Returns its id. */
export async function recordPayment(switchyard: Switchyard, merchantId: string, order: string): Promise<string> {
  const payment = newPayment({ merchantId, mode: 'test', merchantOrderId: order });
  await reservePayment(switchyard.resources.database, payment, null);
  return payment.paymentId;
}

/** Creates a staff user with roles. Returns their e-mail address. */
export async function createStaffWithGrants(
  switchyard: Switchyard,
  email: string,
  grants: readonly { readonly merchantId: string | null; readonly role: StaffRole }[],
  password: string = PASSWORD,
): Promise<string> {
  const outcome = await createStaffUser(switchyard, { email, name: 'Ada Obi', password, grants });
  if (outcome.kind !== 'created') throw new Error(`no staff user was created: ${outcome.kind}`);
  return email;
}
