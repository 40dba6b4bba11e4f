import type { StaffSession } from '@switchyard/staff/permissions';
import superjson from 'superjson';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Switchyard } from '../process.ts';
import {
  Browser,
  createStaffWithGrants,
  createTestMerchant,
  ORIGIN,
  openTestSwitchyard,
  recordPayment,
} from '../testing/switchyard.ts';
import { createCallerFactory } from './procedure.ts';
import { appRouter } from './router.ts';
import { handleTrpc } from './trpc.ts';

let switchyard: Switchyard;
let lines: string[];
let close: () => Promise<void>;
let first: string;
let second: string;

beforeAll(async () => {
  ({ switchyard, lines, close } = await openTestSwitchyard());
  first = await createTestMerchant(switchyard, 'Balogun Books');
  second = await createTestMerchant(switchyard, 'Ade Fabrics');
});
afterEach(() => vi.useRealTimers());
afterAll(() => close());

function sessionWith(grants: StaffSession['grants']): StaffSession {
  const now = new Date();
  const who = {
    sessionId: 's',
    staffId: 'p',
    name: 'Ada',
    email: 'ada@example.com',
    twoFactorEnabled: true,
    mustSetUpTwoFactor: false,
    timeZone: null,
  };
  return { ...who, grants, signedInAt: now, endsAt: now };
}

const callerFor = (grants: StaffSession['grants'] | null) =>
  createCallerFactory(appRouter)({ switchyard, session: grants === null ? null : sessionWith(grants) });

describe('a caller with access to one merchant', () => {
  const mine = () => callerFor([{ merchantId: first, role: 'owner' }]);

  test('sees no other in any list', async () => {
    // So that the day does not end before it is asked about.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:00Z') });
    await recordPayment(switchyard, first, 'mine-1');
    await recordPayment(switchyard, second, 'theirs-1');
    expect((await mine().merchants.list()).map(({ merchantId }) => merchantId)).toEqual([first]);
    const { items } = await mine().payments.list({ mode: 'test' });
    expect(new Set(items.map(({ merchantId }) => merchantId))).toEqual(new Set([first]));
    const { today } = await mine().payments.today({ mode: 'test' });
    expect(today.reduce((sum, { count }) => sum + count, 0)).toBe(items.length);
    const { gateways } = await mine().system.health();
    expect(gateways).toEqual([{ gateway: 'paystack', mode: 'test', accounts: 1, enabled: 1 }]);
  });

  test('is refused another merchant, without any detail of its payments', async () => {
    const theirs = await recordPayment(switchyard, second, 'theirs-2');
    await expect(mine().payments.list({ mode: 'test', merchantIds: [second] })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const foreign = await mine()
      .payments.byId({ paymentId: theirs })
      .catch((error: unknown) => error);
    const unknown = await mine()
      .payments.byId({ paymentId: '0190a000-0000-7000-8000-000000000000' })
      .catch((error: unknown) => error);
    expect(foreign).toMatchObject({ code: 'NOT_FOUND' });
    expect(String(foreign)).toBe(String(unknown));
  });

  test('sees everything with a role for all merchants', async () => {
    const everywhere = callerFor([{ merchantId: null, role: 'viewer' }]);
    expect((await everywhere.merchants.list()).map(({ name }) => name)).toEqual(['Ade Fabrics', 'Balogun Books']);
    const theirs = await recordPayment(switchyard, second, 'theirs-3');
    expect(await everywhere.payments.byId({ paymentId: theirs })).toMatchObject({ merchantName: 'Ade Fabrics', amount: 2_500n });
  });

  test('reads a decision with the times of a zone, which must exist', async () => {
    const paymentId = await recordPayment(switchyard, first, 'mine-in-a-zone');
    const { decision } = await mine().payments.byId({ paymentId });
    expect((await mine().payments.byId({ paymentId, zone: 'Africa/Lagos' })).decision).toEqual(decision);
    await expect(mine().payments.byId({ paymentId, zone: 'Lagos' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('a stream', () => {
  test('ends within seconds of sign-out or a change of roles', async () => {
    for (const change of ['signed out', 'another role']) {
      const browser = new Browser(switchyard);
      const email = await createStaffWithGrants(switchyard, `watcher-${change.length}@example.com`, [
        { merchantId: null, role: 'operator' },
      ]);
      await browser.signIn(email);
      const input = encodeURIComponent(superjson.stringify({ mode: 'test' }));
      const url = `${ORIGIN}/api/trpc/health.live?input=${input}`;
      const stream = await handleTrpc(
        switchyard,
        new Request(url, { headers: browser.headers({ accept: 'text/event-stream' }) }),
      );
      expect(stream.status).toBe(200);
      const read = async () => {
        const reader = stream.body?.getReader();
        let text = '';
        for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
          text += String(part.value.length);
        return text;
      };
      const done = read().catch(() => 'cut');
      if (change === 'signed out') await browser.post('/sign-out', {});
      else {
        const { prisma } = switchyard.resources.database;
        const { id: staffId } = await prisma.staffUser.findUniqueOrThrow({ where: { email } });
        await prisma.staffGrant.updateMany({ where: { staffId }, data: { role: 'viewer' } });
      }
      let over = false;
      void done.then(() => {
        over = true;
      });
      await expect.poll(() => over).toBe(true);
    }
  }, 30_000);
});

describe('the endpoint', () => {
  const get = (path: string, headers: Headers, input?: unknown) => {
    const query = input === undefined ? '' : `?input=${encodeURIComponent(superjson.stringify(input))}`;
    return handleTrpc(switchyard, new Request(`${ORIGIN}/api/trpc/${path}${query}`, { headers }));
  };

  test('answers a signed-in staff user, and is never cached', async () => {
    const browser = new Browser(switchyard);
    await browser.signIn(await createStaffWithGrants(switchyard, 'door@example.com', [{ merchantId: null, role: 'viewer' }]));
    const response = await get('payments.list', browser.headers(), { mode: 'test' });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect((await get('me', new Headers())).status).toBe(401);
  });

  test.each([
    ['another site', { origin: 'https://evil.example', 'content-type': 'application/json' }, 403],
    ['a form', { origin: ORIGIN, 'content-type': 'text/plain' }, 415],
    ['no origin', { 'content-type': 'application/json' }, 403],
  ])('refuses what is posted from %s', async (_, headers, status) => {
    const request = new Request(`${ORIGIN}/api/trpc/me`, { method: 'POST', headers, body: '{}' });
    expect((await handleTrpc(switchyard, request)).status).toBe(status);
  });

  test('hides internal errors', async () => {
    const browser = new Browser(switchyard);
    await browser.signIn(await createStaffWithGrants(switchyard, 'curious@example.com', [{ merchantId: null, role: 'viewer' }]));
    const broken = {
      ...switchyard,
      now: () => {
        throw new Error('secret-detail of SELECT 1');
      },
    };
    const response = await handleTrpc(broken, new Request(`${ORIGIN}/api/trpc/system.health`, { headers: browser.headers() }));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/secret-detail|stack|\.ts/);
    expect(lines.join('')).toContain('secret-detail');
  });

  test('refuses invalid input, naming every field', async () => {
    const browser = new Browser(switchyard);
    await browser.signIn(await createStaffWithGrants(switchyard, 'typo@example.com', [{ merchantId: null, role: 'viewer' }]));
    const response = await get('payments.list', browser.headers(), { mode: 'both', limit: 10_000, search: 'a\u0000b' });
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/"problems":.*mode.*/);
  });
});
