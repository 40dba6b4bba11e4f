import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSwitchyard, type Switchyard } from '@switchyard/api/process';
import { createTestDatabase, TEST_CONNECTION, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestMerchant, ORIGIN, recordPayment } from '../../packages/api/src/testing/switchyard.ts';

/** Each command is a process of its own. */
const COMMANDS_MS = 240_000;

let database: TestDatabase;
let switchyard: Switchyard;
let environment: Record<string, string>;
let folder: string;
let merchantNumber: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'switchyard-customer-'));
  const key = randomBytes(32).toString('base64');
  environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${key}`,
    SWITCHYARD_KEY_PEPPER: key,
    SWITCHYARD_PUBLIC_URL: ORIGIN,
  };
  switchyard = openSwitchyard(environment, { write: () => undefined }, TEST_CONNECTION);
  const merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  const paymentId = await recordPayment(switchyard, merchantId, 'order-1');
  await database.prisma.payment.updateMany({
    where: { id: paymentId },
    data: { status: 'SUCCESS', customerPhone: '+2348035550199' },
  });
  await database.prisma.paymentCheck.deleteMany({ where: { paymentId } });
  ({ merchantNumber } = await database.prisma.merchant.findUniqueOrThrow({ where: { id: merchantId } }));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await switchyard.close();
  await database.close();
});

function customer(...args: string[]) {
  const given = ['scripts/admin/main.ts', 'customers', ...args];
  return spawnSync(process.execPath, given, {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
}

test(
  'a customer is exported to files of the owner, previewed, and erased once that is confirmed',
  async () => {
    const who = ['--merchant', merchantNumber, '--mode', 'test', '--phone', '0803 555 0199'];
    const exported = customer('export', ...who, '--out', folder);
    expect([exported.stderr, exported.status]).toEqual(['', 0]);
    expect(readFileSync(join(folder, 'customer.json'), 'utf8')).toContain('ada@example.com');
    expect(readFileSync(join(folder, 'customer-payments.csv'), 'utf8')).toContain('order-1');
    expect(statSync(join(folder, 'customer.json')).mode & 0o077).toBe(0);

    const preview = customer('erase', ...who);
    expect([preview.status, preview.stdout]).toEqual([0, expect.stringContaining('--confirm "erase 1 payment"')]);
    expect(preview.stdout).not.toContain('ada@example.com');
    const wrong = customer('erase', ...who, '--confirm', 'yes');
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('Not confirmed')]);
    expect(await database.prisma.payment.count({ where: { customerErasedAt: null } })).toBe(1);

    expect(customer('erase', ...who, '--confirm', 'erase 1 payment')).toMatchObject({ status: 0, stderr: '' });
    expect(await database.prisma.payment.count({ where: { customerErasedAt: null } })).toBe(0);
    expect(customer('export', ...who)).toMatchObject({ status: 1, stderr: 'Nothing is held about this customer.\n' });
  },
  COMMANDS_MS,
);

test(
  'wrong arguments are named',
  () => {
    expect(customer('erase')).toMatchObject({ status: 2, stderr: expect.stringContaining('usage:') });
    expect(customer('erase', '--merchant', 'M-000', '--email', 'a@b.c')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('There is no merchant M-000'),
    });
    expect(customer('erase', '--merchant', merchantNumber)).toMatchObject({
      status: 1,
      stderr: 'email or a phone number or a customer id must be given\n',
    });
  },
  COMMANDS_MS,
);
