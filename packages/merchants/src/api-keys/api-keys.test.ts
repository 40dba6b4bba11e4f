import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testMerchant } from '../testing/accounts.ts';
import { authenticate, flushKeyUse, isKeyUsable } from './api-keys.ts';
import { issueKey } from './console.ts';
import { formatKey, parseKey } from './keys.ts';

let context: TestContext;
let merchantId: string;
let secretKey: string;
let keyId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(async () => context.close());

beforeEach(async () => {
  context.setClock(null);
  merchantId = await testMerchant(context);
  ({ secretKey, keyId } = await issue({ expiresAt: null }));
});

async function issue(wanted: { mode?: 'test' | 'live'; expiresAt: Date | null }) {
  const outcome = await issueKey(context, {
    merchantId,
    mode: 'test',
    name: 'server',
    scopes: ['full_access'],
    actor: 'system:test',
    ...wanted,
  });
  if (outcome.kind !== 'issued') throw new Error(outcome.kind);
  return { secretKey: outcome.secretKey, keyId: outcome.key.id };
}

function partsOf(text: string) {
  const parts = parseKey(text);
  if (parts === null) throw new Error('not a key');
  return parts;
}

describe('a key in force', () => {
  test('gives its merchant, its mode and its ids', async () => {
    const answer = await authenticate(context, `Bearer ${secretKey}`);
    expect(answer).toMatchObject({ kind: 'authenticated', mode: 'test', keyId, publicId: partsOf(secretKey).publicId });
    expect(answer.kind === 'authenticated' && answer.configuration.merchant.id).toBe(merchantId);
  });

  test('of live mode is distinguished from one of test mode', async () => {
    const live = await issue({ mode: 'live', expiresAt: null });
    expect(live.secretKey).toMatch(/^sk_live_/);
    expect(await authenticate(context, `Bearer ${live.secretKey}`)).toMatchObject({ kind: 'authenticated', mode: 'live' });
  });

  test.each(['bearer', 'BEARER', 'BeArEr'])('is taken under the scheme written %s', async (scheme) => {
    expect(await authenticate(context, `${scheme} ${secretKey}`)).toMatchObject({ kind: 'authenticated' });
  });

  test('works up to its expiry and not from then on', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000);
    const expiring = await issue({ expiresAt });
    const { publicId } = partsOf(expiring.secretKey);
    context.setClock(new Date(expiresAt.getTime() - 1));
    expect(await authenticate(context, `Bearer ${expiring.secretKey}`)).toMatchObject({ kind: 'authenticated' });
    expect(await isKeyUsable(context, publicId)).toBe(true);
    context.setClock(expiresAt);
    expect(await authenticate(context, `Bearer ${expiring.secretKey}`)).toEqual({ kind: 'refused' });
    expect(await isKeyUsable(context, publicId)).toBe(false);
  });
});

describe('refused', () => {
  test.each([
    ['nothing', () => null],
    ['an empty header', () => ''],
    ['a scheme without a key', () => 'Bearer'],
    ['a key without a scheme', () => secretKey],
    ['another scheme', () => `Basic ${secretKey}`],
    ['two keys', () => `Bearer ${secretKey} ${secretKey}`],
    ['two keys in one word', () => `Bearer ${secretKey},${secretKey}`],
    ['a key in quotes', () => `Bearer "${secretKey}"`],
    ['a typo', () => `Bearer ${secretKey.slice(0, -1)}${secretKey.endsWith('0') ? '1' : '0'}`],
    ['a very long header', () => `Bearer ${'a'.repeat(100_000)}`],
    ['an unknown key', () => `Bearer ${formatKey({ ...partsOf(secretKey), publicId: 'AAAAAAAAAAAA' })}`],
    [
      'the public id of one key with the secret of another',
      () => `Bearer ${formatKey({ ...partsOf(secretKey), secret: 'A'.repeat(43) })}`,
    ],
    ['a test secret written as a live key', () => `Bearer ${formatKey({ ...partsOf(secretKey), mode: 'live' })}`],
  ])('%s', async (_what, header) => {
    expect(await authenticate(context, header())).toEqual({ kind: 'refused' });
  });

  test('text that is not a well-formed key, without anything being looked up', async () => {
    let lookUps = 0;
    const counting: TestContext = {
      ...context,
      resources: {
        ...context.resources,
        configuration: {
          ...context.resources.configuration,
          findKey: async (publicId) => {
            lookUps += 1;
            return context.resources.configuration.findKey(publicId);
          },
        },
      },
    };
    await authenticate(counting, `Bearer ${secretKey.slice(0, -1)}`);
    await authenticate(counting, 'Bearer sk_test_');
    expect(lookUps).toBe(0);
    await authenticate(counting, `Bearer ${secretKey}`);
    expect(lookUps).toBe(1);
  });
});

test('the last use of a key is written later, in its own row only and never backwards', async () => {
  const other = await issue({ expiresAt: null });
  const first = new Date('2100-01-01T10:00:00.000Z');
  const second = new Date('2100-01-01T10:00:05.000Z');
  const lastUse = async () => {
    const rows = await context.database.prisma.apiKey.findMany({ where: { merchantId } });
    return Object.fromEntries(rows.map((row) => [row.id, row.lastUsedAt]));
  };
  for (const time of [first, second, first]) {
    context.setClock(time);
    await authenticate(context, `Bearer ${secretKey}`);
  }
  expect(await lastUse()).toEqual({ [keyId]: null, [other.keyId]: null });
  await flushKeyUse(context);
  expect(await lastUse()).toEqual({ [keyId]: second, [other.keyId]: null });
  await authenticate(context, `Bearer ${secretKey}`);
  await flushKeyUse(context);
  expect(await lastUse()).toEqual({ [keyId]: second, [other.keyId]: null });
});
