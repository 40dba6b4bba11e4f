import { issueToken } from '@switchyard/staff/machine-tokens';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectAgent, issueTestToken, type TestAgent } from './testing/agent.ts';
import { sessionOf } from './testing/dashboard.ts';
import { sendGraphql, serveOverHttp } from './testing/served.ts';
import { createStaffWithGrants, createTestMerchant, ORIGIN, openTestSwitchyard, recordPayment } from './testing/switchyard.ts';
import { createCallerFactory } from './trpc/procedure.ts';
import { appRouter } from './trpc/router.ts';

let opened: Awaited<ReturnType<typeof openTestSwitchyard>>;
let served: Awaited<ReturnType<typeof serveOverHttp>>;
let merchantId: string;
let agent: TestAgent;
let token: string;
beforeAll(async () => {
  opened = await openTestSwitchyard();
  const { switchyard } = opened;
  served = await serveOverHttp(switchyard);
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  const email = await createStaffWithGrants(switchyard, 'ada@example.com', [{ merchantId, role: 'finance' }]);
  const { pool, prisma } = switchyard.resources.database;
  const { id: staffId } = await prisma.staffUser.findUniqueOrThrow({ where: { email } });
  agent = await connectAgent(served.url, (await issueTestToken(switchyard, staffId)).token);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const scope = { scopes: ['reports'], merchantIds: [merchantId], modes: ['test'] } as const;
  const issued = await issueToken(switchyard, { ...scope, name: 'Reports', expiresAt, staffId });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  ({ token } = issued);
  await recordPayment(switchyard, merchantId, 'order-1');
  await pool.query(`CREATE FUNCTION lack(state text) RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the server lacks something' USING ERRCODE = state; END $$`);
  await pool.query('ALTER TABLE payment RENAME TO kept_payment');
});
afterAll(async () => {
  await served.close();
  await opened.close();
});

/** Has every reader of payments meet this SQLSTATE. */
async function setState(state: string): Promise<void> {
  const { pool } = opened.switchyard.resources.database;
  await pool.query(`CREATE OR REPLACE VIEW payment AS SELECT * FROM kept_payment WHERE lack('${state}')`);
}

const askReports = () =>
  sendGraphql(
    opened.switchyard,
    new Request(`${ORIGIN}/api/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: '{ payments(first: 5, filter: { mode: test }) { edges { node { id } } } }' }),
    }),
  );

beforeEach(() => setState('42501'));

// A full disk, no memory, no connections, a limit of the configuration, a fault of input and output.
test.each(['53100', '53200', '53300', '53400', '58030'])(
  'while the database answers %s, the dashboard, reports and agents are told to come back',
  async (state) => {
    await setState(state);
    const { payments } = createCallerFactory(appRouter)({ switchyard: opened.switchyard, session: sessionOf('viewer', null) });
    const list = payments.list({ mode: 'test', merchantIds: [merchantId] });
    await expect(list).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('Trying again') });

    const reports = await askReports();
    expect([reports.status, reports.headers.get('retry-after'), await reports.json()]).toMatchObject([
      503,
      '2',
      { errors: [{ extensions: { code: 'UNAVAILABLE' } }] },
    ]);

    const told = await agent.call('find_payments', { merchantIds: [merchantId], mode: 'test' });
    expect([told.refused, told.text]).toEqual([true, expect.stringContaining('SERVICE_UNAVAILABLE')]);
  },
);

test('a mistake of ours is no reason to come back', async () => {
  const reports = await askReports();
  expect([reports.status, await reports.json()]).toMatchObject([200, { errors: [{ extensions: { code: 'INTERNAL' } }] }]);
  expect((await agent.call('find_payments', { merchantIds: [merchantId], mode: 'test' })).text).toContain(
    'INTERNAL_SERVER_ERROR',
  );
});
