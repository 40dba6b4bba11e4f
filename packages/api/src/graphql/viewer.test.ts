import { issueToken } from '@switchyard/staff/machine-tokens';
import type { StaffSession } from '@switchyard/staff/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { sendGraphql } from '../testing/served.ts';
import { createStaffWithGrants, createTestMerchant, ORIGIN, openTestSwitchyard, recordPayment } from '../testing/switchyard.ts';
import { staffViewer, tokenViewer } from './viewer.ts';

describe('viewer', () => {
  const merchants = (...ids: readonly string[]) => ids.map((id) => ({ merchant: { id } }));
  const session = (staffId: string, ...grants: StaffSession['grants']): StaffSession => ({
    sessionId: 's',
    staffId,
    name: 'Ada',
    email: 'ada@example.com',
    twoFactorEnabled: false,
    mustSetUpTwoFactor: false,
    timeZone: null,
    grants,
    signedInAt: new Date(0),
    endsAt: new Date(0),
  });
  type TokenAccess = Parameters<typeof tokenViewer>[0];

  const access = (tokenId: string, merchantIds: readonly string[], ...grants: TokenAccess['grants']): TokenAccess => ({
    tokenId,
    merchantIds,
    modes: ['live'],
    grants,
  });
  const everywhere = { merchantId: null, role: 'owner' } as const;
  const PERMISSION = 'payment:read';

  describe('the reach of a viewer', () => {
    test('grows with a new merchant', () => {
      const ada = session('ada', everywhere);
      expect(staffViewer(ada, merchants('a')).merchantsFor(PERMISSION)).toEqual(['a']);
      expect(staffViewer(ada, merchants('a', 'b')).merchantsFor(PERMISSION)).toEqual(['a', 'b']);
      const named = ['a', 'b'];
      expect(tokenViewer(access('t', named, everywhere), merchants('a')).merchantsFor(PERMISSION)).toEqual(['a']);
      expect(tokenViewer(access('t', named, everywhere), merchants('a', 'b')).merchantsFor(PERMISSION)).toEqual(['a', 'b']);
    });

    test.each([
      { how: 'is taken back', grants: [] },
      { how: 'is for another merchant now', grants: [{ merchantId: 'b', role: 'owner' }] },
      { how: 'is another role now', grants: [{ merchantId: 'a', role: 'viewer' }] },
    ] as const)('shrinks when a grant $how', ({ grants }) => {
      const known = merchants('a', 'b');
      const named = ['a'];
      const before = { merchantId: 'a', role: 'owner' } as const;
      expect(staffViewer(session('ada', before), known).mayAccess('a', 'team:manage')).toBe(true);
      expect(tokenViewer(access('t', named, before), known).mayAccess('a', 'team:manage')).toBe(true);
      expect(staffViewer(session('ada', ...grants), known).mayAccess('a', 'team:manage')).toBe(false);
      expect(tokenViewer(access('t', named, ...grants), known).mayAccess('a', 'team:manage')).toBe(false);
      expect(staffViewer(session('ada', before), known).mayAccess('a', 'team:manage')).toBe(true);
    });

    test('is separate for each token, even of one creator', () => {
      const known = merchants('a', 'b');
      const reach = (tokenId: string, named: readonly string[]) =>
        tokenViewer(access(tokenId, named, everywhere), known).merchantsFor(PERMISSION);
      expect([reach('t', ['a']), reach('u', ['b']), reach('t', ['a', 'b'])]).toEqual([['a'], ['b'], ['a', 'b']]);
    });
  });
});

describe('authenticate viewer', () => {
  let switchyard: Switchyard;
  let close: () => Promise<void>;
  let first: string;
  let second: string;
  let staffId: string;
  let token: { readonly id: string; readonly header: string };

  beforeAll(async () => {
    ({ switchyard, close } = await openTestSwitchyard());
    first = await createTestMerchant(switchyard, 'Balogun Books');
    second = await createTestMerchant(switchyard, 'Ade Fabrics');
    for (const [merchantId, order] of [[first, 'of-the-first'] as const, [second, 'of-the-second'] as const]) {
      await recordPayment(switchyard, merchantId, order);
    }
    const person = {
      email: 'ada@example.com',
      grants: [first, second].map((merchantId) => ({ merchantId, role: 'finance' as const })),
    };
    await createStaffWithGrants(switchyard, person.email, person.grants);
    const { prisma } = switchyard.resources.database;
    staffId = (await prisma.staffUser.findFirstOrThrow({ where: { email: person.email } })).id;
  });
  afterAll(() => close());

  beforeEach(async () => {
    const issued = await issueToken(switchyard, {
      scopes: ['reports'],
      name: 'Books',
      merchantIds: [first, second],
      modes: ['test'],
      staffId,
      expiresAt: new Date(Date.now() + 86_400_000),
    });
    if (issued.kind !== 'issued') throw new Error(issued.kind);
    token = { id: issued.listed.id, header: `Bearer ${issued.token}` };
    expect(await orders()).toEqual([200, ['of-the-second', 'of-the-first']]);
    expect(await orders()).toEqual([200, ['of-the-second', 'of-the-first']]);
  });

  async function orders(header = token.header): Promise<readonly [number, readonly string[] | null]> {
    const query = '{ payments(filter: { mode: test }) { edges { node { merchantOrderId } } } }';
    const headers = { 'content-type': 'application/json', authorization: header };
    const body = JSON.stringify({ query });
    const response = await sendGraphql(switchyard, new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body }));
    const { data } = await response.json();
    const edges: { node: { merchantOrderId: string } }[] | undefined = data?.payments.edges;
    return [response.status, edges?.map(({ node }) => node.merchantOrderId) ?? null];
  }

  const revoke = () =>
    switchyard.resources.database.prisma.machineToken.update({ where: { id: token.id }, data: { revokedAt: new Date() } });

  test('a cached token is refused once it is revoked', async () => {
    await revoke();
    expect(await orders()).toEqual([401, null]);
    expect(await orders()).toEqual([401, null]);
  });

  test('a cached token reaches no further than its creator does now', async () => {
    const { prisma } = switchyard.resources.database;
    const grant = await prisma.staffGrant.findFirstOrThrow({ where: { staffId, merchantId: second } });
    await prisma.staffGrant.deleteMany({ where: { staffId, merchantId: second } });
    expect(await orders()).toEqual([200, ['of-the-first']]);
    expect(await orders()).toEqual([200, ['of-the-first']]);
    await prisma.staffGrant.create({ data: grant });
    expect(await orders()).toEqual([200, ['of-the-second', 'of-the-first']]);
  });

  test('a token that differs by one character from a cached one is refused', async () => {
    const last = token.header.at(-1) === 'x' ? 'y' : 'x';
    expect(await orders(`${token.header.slice(0, -1)}${last}`)).toEqual([401, null]);
  });
});
