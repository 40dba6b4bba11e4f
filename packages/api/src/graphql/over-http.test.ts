import { issueToken } from '@switchyard/staff/machine-tokens';
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { sendGraphql, serveOverHttp } from '../testing/served.ts';
import { createStaffWithGrants, createTestMerchant, ORIGIN, openTestSwitchyard } from '../testing/switchyard.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;
let token: string;
let served: Awaited<ReturnType<typeof serveOverHttp>>;

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  const merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  const email = await createStaffWithGrants(switchyard, 'ada@example.com', [{ merchantId, role: 'finance' }]);
  const { id: staffId } = await switchyard.resources.database.prisma.staffUser.findUniqueOrThrow({ where: { email } });
  const expiresAt = new Date(Date.now() + 86_400_000);
  const issued = await issueToken(switchyard, {
    scopes: ['reports'],
    name: 'Audit',
    merchantIds: [merchantId],
    modes: ['test'],
    expiresAt,
    staffId,
  });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  ({ token } = issued);
  served = await serveOverHttp(switchyard);
});
afterAll(async () => {
  await served.close();
  await close();
});

/**
 * Optional parts of the protocol ("may") that are not supported: to clients that accept plain JSON only, graphql-yoga answers such
 * requests with 200 and errors in the body.
 */
const OPTIONS_NOT_TAKEN: readonly string[] = [
  'MAY use 400 status code on number {query} parameter',
  'MAY use 400 status code on boolean {query} parameter',
  'MAY use 4xx or 5xx status codes if parameters are invalid',
  'MAY use 400 status code if parameters are invalid',
];

const ENDPOINT = `${ORIGIN}/api/graphql`;

/** The two mounts of the handler: Node's own HTTP server, and web standards as Next's route handlers use them. */
const MOUNTS = {
  node: (url: string, init: RequestInit) => fetch(url.replace(ORIGIN, served.url), init),
  web: (url: string, init: RequestInit) => sendGraphql(switchyard, new Request(url, init)),
} as const;

describe.each(['node', 'web'] as const)('GraphQL over HTTP, by the mount called %s', (mount) => {
  const audits = serverAudits({
    url: ENDPOINT,
    fetchFn: (url: string, init?: RequestInit) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${token}`);
      return MOUNTS[mount](url, { ...init, headers });
    },
  });

  test.each(audits.map((audit) => [audit.name, audit] as const))('%s', async (_, audit) => {
    const result = await audit.fn();
    const held = result.status === 'ok' ? 'ok' : `${audit.id} ${result.reason}`;
    if (OPTIONS_NOT_TAKEN.includes(audit.name)) expect(result.status).not.toBe('ok');
    else expect(held).toBe('ok');
  });

  const post = (body: string) =>
    MOUNTS[mount](ENDPOINT, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    });

  test('accepts a query with any text, counted in bytes', async () => {
    const response = await post(JSON.stringify({ query: '{ systemHealth { checkedAt } } # ₦ and €' }));
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ data: { systemHealth: { checkedAt: expect.any(String) } } });
  });

  test('refuses an oversized body and an unauthenticated caller in the shape of a GraphQL response', async () => {
    const long = await post(JSON.stringify({ query: `{ systemHealth { checkedAt } } #${'x'.repeat(70_000)}` }));
    expect(long.status).toBe(413);
    expect(await long.json()).toMatchObject({ errors: [{ extensions: { code: 'TOO_LARGE' } }] });
    const unknown = await MOUNTS[mount](`${ENDPOINT}?query={__typename}`, { headers: { authorization: 'Bearer nobody' } });
    expect(unknown.status).toBe(401);
    expect(unknown.headers.get('www-authenticate')).toBe('Bearer');
    expect(await unknown.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  });

  test('sends responses that no cache stores and no other site reads', async () => {
    const { headers } = await post(JSON.stringify({ query: '{ __typename }' }));
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });

  test.each(['HEAD', 'PUT', 'DELETE'])('reads nothing for %s', async (method) => {
    const url = `${ENDPOINT}?query={systemHealth{checkedAt}}`;
    const response = await MOUNTS[mount](url, { method, headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toMatch(/GET.*POST/);
    expect(await response.text()).not.toContain('checkedAt');
  });
});

test('supports every optional part of the protocol except these', () => {
  expect(OPTIONS_NOT_TAKEN.filter((name) => !name.startsWith('MAY '))).toEqual([]);
});
