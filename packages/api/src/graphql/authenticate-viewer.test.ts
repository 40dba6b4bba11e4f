import { issueToken } from '@switchyard/staff/machine-tokens';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { sendGraphql } from '../testing/send-graphql.ts';
import { createStaffWithGrants, createTestMerchant, ORIGIN, openTestSwitchyard, recordPayment } from '../testing/switchyard.ts';

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
