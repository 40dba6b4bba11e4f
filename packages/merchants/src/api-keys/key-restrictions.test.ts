import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testMerchant } from '../testing/accounts.ts';
import { authenticate } from './api-keys.ts';
import { type ChangeKeyCommand, changeKey, issueKey } from './console.ts';
import { guardOf, KEY_SCOPES, keyRestrictionsSchema } from './key-restrictions.ts';
import { rotateKey } from './rotate-key.ts';

const guardFor = (allowedAddresses: string[]) => guardOf({ scopes: ['full_access'], allowedAddresses });
const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
const groups = fc.array(fc.nat(0xff_ff), { minLength: 8, maxLength: 8 });

/** The first `prefix` bits, most significant first. */
function bitsOf(parts: readonly number[], width: number, prefix: number): string {
  return parts
    .map((part) => part.toString(2).padStart(width, '0'))
    .join('')
    .slice(0, prefix);
}

describe('the networks of a key', () => {
  test('accept exactly the IPv4 addresses that share the prefix, mapped into IPv6 or not', () => {
    fc.assert(
      fc.property(octets, octets, fc.integer({ min: 0, max: 32 }), (network, near, prefix) => {
        // Half of the addresses lie near the network, so that both answers occur for long prefixes.
        const address = near[3] % 2 === 0 ? near : [network[0], network[1], network[2], near[3]];
        const guard = guardFor([`${network.join('.')}/${prefix}`]);
        const isInside = bitsOf(network, 8, prefix) === bitsOf(address, 8, prefix);
        expect(guard.allowsAddress(address.join('.'))).toBe(isInside);
        expect(guard.allowsAddress(`::ffff:${address.join('.')}`)).toBe(isInside);
        const hex = [0, 2].map((at) => (((address[at] ?? 0) << 8) | (address[at + 1] ?? 0)).toString(16)).join(':');
        expect(guard.allowsAddress(`0:0:0:0:0:FFFF:${hex}`)).toBe(isInside);
      }),
      { numRuns: 1_000 },
    );
  });

  test('accept exactly the IPv6 addresses that share the prefix', () => {
    fc.assert(
      fc.property(groups, groups, fc.integer({ min: 0, max: 128 }), fc.nat(8), (network, other, prefix, shared) => {
        const inV6 = (parts: readonly number[]) => parts.map((part) => part.toString(16)).join(':');
        const address = [...network.slice(0, shared), ...other.slice(shared)];
        const isMapped = (parts: readonly number[]) => parts.slice(0, 5).every((part) => part === 0) && parts[5] === 0xff_ff;
        fc.pre(!isMapped(network) && !isMapped(address));
        const guard = guardFor([`${inV6(network)}/${prefix}`]);
        expect(guard.allowsAddress(inV6(address))).toBe(bitsOf(network, 16, prefix) === bitsOf(address, 16, prefix));
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['::ffff:203.0.113.0/120', '203.0.113.200', true],
    ['::ffff:203.0.113.0/120', '203.0.114.1', false],
    ['2001:db8::/32', '203.0.113.7', false],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['0.0.0.0/0', '203.0.113.7', true],
    ['203.0.113.0/24', '203.0.113.7:443', false],
    ['203.0.113.0/24', '0xcb007107', false],
    ['203.0.113.0/24', '203.0.113.07', false],
    ['fe80::/10', 'fe80::1%eth0', false],
    ['203.0.113.0/24', '', false],
    ['203.0.113.0/24', null, false],
  ])('%s for %s: %s', (network, address, isAllowed) => {
    expect(guardFor([network]).allowsAddress(address)).toBe(isAllowed);
  });

  test('are not asked where a key has none', () => {
    for (const address of [null, '', '203.0.113.7', 'not an address']) expect(guardFor([]).allowsAddress(address)).toBe(true);
  });
});

describe('what staff enter', () => {
  test('is stored in one way, without duplicates', () => {
    const entered = {
      scopes: ['payments:read', 'payments:read'],
      allowedAddresses: [' 203.0.113.7/32 ', '203.0.113.7', '2001:DB8:0:0::1/128', '::ffff:10.0.0.0/104', '2001:db8::/32'],
    };
    expect(keyRestrictionsSchema.parse(entered)).toEqual({
      scopes: ['payments:read'],
      allowedAddresses: ['203.0.113.7', '2001:db8::1', '10.0.0.0/8', '2001:db8::/32'],
    });
  });

  test.each([
    '',
    'example.com',
    '1.2.3',
    '1.2.3.4/33',
    '1.2.3.4/-1',
    '1.2.3.4/',
    '1.2.3.4/8/8',
    '::1/129',
    '::ffff:1.2.3.4/95',
    '::1%1',
  ])('is refused as a network: %j', (text) => {
    const { error } = keyRestrictionsSchema.safeParse({ scopes: ['full_access'], allowedAddresses: ['10.0.0.1', text] });
    expect(error?.issues).toEqual([expect.objectContaining({ path: ['allowedAddresses', 1] })]);
  });

  test.each([{ scopes: [] }, { scopes: ['full_access', 'refunds:write'] }, { scopes: ['full_access', 'rules:write'] }])(
    'is refused where it leaves open what a key may do: %j',
    (entered) => {
      const { error } = keyRestrictionsSchema.safeParse({ allowedAddresses: [], ...entered });
      expect(error?.issues).toEqual([expect.objectContaining({ path: ['scopes'] })]);
    },
  );

  test('is refused as a scope that does not exist', () => {
    expect(keyRestrictionsSchema.safeParse({ scopes: ['payments:delete'], allowedAddresses: [] }).success).toBe(false);
  });
});

describe('a restricted key', () => {
  let context: TestContext;
  let merchantId: string;
  beforeAll(async () => {
    context = await openTestContext();
    merchantId = await testMerchant(context);
  });
  afterAll(() => context.close());

  const actor = 'staff:ada';
  const issue = async (limits: { scopes?: string[]; allowedAddresses?: string[] }) => {
    const outcome = await issueKey(context, {
      merchantId,
      mode: 'test',
      name: 'server',
      expiresAt: null,
      scopes: ['full_access'],
      actor,
      ...limits,
    });
    if (outcome.kind !== 'issued') throw new Error(outcome.kind);
    return outcome;
  };
  const guardOfKey = async (secretKey: string) => {
    const answer = await authenticate(context, `Bearer ${secretKey}`);
    if (answer.kind !== 'authenticated') throw new Error('refused');
    return answer.guard;
  };

  test('without a permission may do nothing, however it came about', () => {
    const guard = guardOf({ scopes: [], allowedAddresses: [] });
    expect(KEY_SCOPES.filter((scope) => guard.allowsScope(scope))).toEqual([]);
  });

  test('is what was asked for; one with full access may do everything but the rules, from anywhere', async () => {
    const free = await guardOfKey((await issue({})).secretKey);
    expect(KEY_SCOPES.filter((scope) => !free.allowsScope(scope))).toEqual(['rules:read', 'rules:write']);
    const bound = await guardOfKey((await issue({ scopes: ['refunds:read'], allowedAddresses: ['10.0.0.0/8'] })).secretKey);
    expect(KEY_SCOPES.filter((scope) => bound.allowsScope(scope))).toEqual(['refunds:read']);
    expect(bound.allowsAddress('10.1.2.3')).toBe(true);
    expect(bound.allowsAddress('11.1.2.3')).toBe(false);
  });

  test('is changed at once, audited, and kept when it is rotated', async () => {
    const { key, secretKey } = await issue({});
    const limits = { scopes: ['payments:read'], allowedAddresses: ['203.0.113.0/24'] };
    const command = { merchantId, keyId: key.id, changes: { name: 'reader', ...limits }, actor };
    expect(await changeKey(context, command)).toMatchObject({ kind: 'changed', key: { name: 'reader', ...limits } });
    expect(await changeKey(context, command)).toMatchObject({ kind: 'unchanged' });
    expect((await guardOfKey(secretKey)).allowsScope('payments:write')).toBe(false);
    const entries = await context.database.prisma.auditEntry.findMany({ where: { objectId: key.id, action: 'api_key.changed' } });
    expect(entries).toMatchObject([
      { actor, before: { scopes: ['full_access'], allowedAddresses: [] }, after: { name: 'reader', ...limits } },
    ]);
    const oldWorksUntil = new Date(Date.now() + 60_000);
    const rotated = await rotateKey(context, { merchantId, keyId: key.id, oldWorksUntil, expiresAt: null, actor });
    expect(rotated).toMatchObject({ kind: 'rotated', key: limits });
  });

  test('keeps what another person changed meanwhile: only the given settings are written', async () => {
    const { key } = await issue({});
    const change = (changes: ChangeKeyCommand['changes']) => changeKey(context, { merchantId, keyId: key.id, changes, actor });
    await Promise.all([
      change({ name: 'till' }),
      change({ scopes: ['payments:read'] }),
      change({ allowedAddresses: ['203.0.113.0/24'] }),
    ]);
    const all = { name: 'till', scopes: ['payments:read'], allowedAddresses: ['203.0.113.0/24'] };
    expect(await change({})).toMatchObject({ kind: 'unchanged', key: all });
    expect(await change({ scopes: [] })).toMatchObject({ kind: 'invalid', problems: [{ field: 'scopes' }] });
    const full = ['full_access'];
    expect(await change({ scopes: full })).toMatchObject({ kind: 'changed', key: { ...all, scopes: full } });
  });

  test("is not changed when it has ended, is another merchant's, or the limits are wrong", async () => {
    const { key } = await issue({});
    const changes = { name: 'server', scopes: ['all'], allowedAddresses: ['here'] };
    const command = { merchantId, keyId: key.id, changes, actor };
    const outcome = await changeKey(context, command);
    expect(outcome.kind === 'invalid' && outcome.problems.map(({ field }) => field)).toEqual(['scopes.0', 'allowedAddresses.0']);
    const valid = { ...command, changes: { scopes: ['full_access'], allowedAddresses: [] } };
    const stranger = await testMerchant(context);
    expect(await changeKey(context, { ...valid, merchantId: stranger })).toEqual({ kind: 'not_found' });
    await context.database.prisma.apiKey.update({
      where: { merchantId_id: { merchantId, id: key.id } },
      data: { revokedAt: new Date() },
    });
    expect(await changeKey(context, valid)).toEqual({ kind: 'ended' });
  });
});
