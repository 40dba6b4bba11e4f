import { gunzipSync } from 'node:zlib';
import { makeReport } from '@switchyard/scheduled-reports/runs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { createStaffWithGrants, createTestMerchant, ORIGIN, openTestSwitchyard, recordPayment } from '../testing/switchyard.ts';
import { createCallerFactory } from '../trpc/procedure.ts';
import { appRouter } from '../trpc/router.ts';
import { answerReportFile } from './report-file.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;
let merchantId = '';

const FIELDS = {
  ...({ name: 'Payments', format: 'csv', frequency: 'daily', hour: 6, timeZone: 'Africa/Lagos' } as const),
  recipients: [],
};

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  await recordPayment(switchyard, merchantId, '=order-1');
  // The last period that is over is yesterday.
  await switchyard.resources.database.pool.query(`UPDATE payment SET created_at = now() - interval '1 day'`);
});
afterAll(() => close());

let people = 0;

/** Calls of a staff user with a role for a merchant, or for all with null. */
async function callerOf(role: 'owner' | 'finance', of: string | null) {
  const email = await createStaffWithGrants(switchyard, `person-${++people}@example.com`, [{ merchantId: of, role }]);
  const { id: staffId } = await switchyard.resources.database.prisma.staffUser.findUniqueOrThrow({ where: { email } });
  const signedInAt = new Date();
  const session = {
    sessionId: staffId,
    staffId,
    name: 'Ada',
    email,
    twoFactorEnabled: true,
    mustSetUpTwoFactor: false,
    timeZone: null,
    grants: [{ merchantId: of, role }],
    signedInAt,
    endsAt: new Date(signedInAt.getTime() + 3_600_000),
  };
  return createCallerFactory(appRouter)({ switchyard, session });
}

async function made(caller: Awaited<ReturnType<typeof callerOf>>, of: string | null = merchantId) {
  const created = await caller.scheduledReports.create({
    merchantId: of,
    mode: 'test',
    list: 'payments',
    filter: {},
    fields: FIELDS,
  });
  if (created.kind !== 'created') throw new Error(JSON.stringify(created));
  const { scheduleId } = created;
  const { runId } = await caller.scheduledReports.sendNow({ scheduleId });
  const { resources, now, newId } = switchyard;
  const run = await resources.database.prisma.reportRun.findFirstOrThrow({ where: { id: runId } });
  const fail = (error: unknown): never => {
    throw error;
  };
  await makeReport({ resources, now, newId, mailer: null, report: fail }, { merchantId: run.merchantId, runId });
  const [shown] = await caller.scheduledReports.runs({ scheduleId });
  return { scheduleId, runId, url: shown?.link?.url ?? '' };
}

const open = (url: string) => answerReportFile(switchyard, url.slice(`${ORIGIN}/report-files/`.length));

describe('the link to a file', () => {
  test('gives it without a session, and leaves no copy and no trace', async () => {
    const { url } = await made(await callerOf('finance', merchantId));
    const response = await open(url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store, private',
      'referrer-policy': 'no-referrer',
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="payments-\d{4}-\d\d-\d\d\.csv"$/),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    expect(bytes.toString().split('\r\n')[1]).toContain("'=order-1");
    const file = await switchyard.resources.database.prisma.reportFile.findFirstOrThrow();
    expect(gunzipSync(file.content)).toEqual(bytes);
  });

  test('that is wrong, revoked or expired is answered in the same way', async () => {
    const caller = await callerOf('finance', merchantId);
    const [revoked, expired] = [await made(caller), await made(caller)];
    await caller.scheduledReports.revokeLink(revoked);
    await switchyard.resources.database.prisma.reportRun.updateMany({
      where: { id: expired.runId },
      data: { linkExpiresAt: new Date() },
    });
    const answers = await Promise.all(
      [revoked.url, expired.url, `${revoked.url.slice(0, -3)}abc`, `${ORIGIN}/report-files/x`].map(async (url) => {
        const response = await open(url);
        return [response.status, Object.fromEntries(response.headers), await response.text()];
      }),
    );
    expect(answers[0]?.[0]).toBe(404);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });
});

describe('a schedule for all merchants', () => {
  test('is seen by its owner and by who may export all, and by nobody else', async () => {
    const owner = await callerOf('finance', merchantId);
    const { scheduleId } = await made(owner, null);
    const everywhere = await callerOf('owner', null);
    const colleague = await callerOf('finance', merchantId);
    const listed = async (caller: typeof owner) => {
      const schedules = await caller.scheduledReports.list({ merchantId: null, mode: 'test' });
      return schedules.some((one) => one.scheduleId === scheduleId);
    };
    expect([await listed(owner), await listed(everywhere), await listed(colleague)]).toEqual([true, true, false]);
    for (const call of ['runs', 'sendNow', 'pause', 'resume', 'remove'] as const) {
      await expect(colleague.scheduledReports[call]({ scheduleId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

test('what cannot be scheduled is refused with its reason', async () => {
  const caller = await callerOf('finance', merchantId);
  const of = { merchantId, mode: 'test', list: 'payments' } as const;
  expect(await caller.scheduledReports.create({ ...of, filter: { nonsense: 1 }, fields: FIELDS })).toMatchObject({
    kind: 'invalid',
    problems: [{ field: 'filter' }],
  });
  const fields = { ...FIELDS, hour: 24, timeZone: 'Mars/Olympus', recipients: ['x'] };
  const refused = await caller.scheduledReports.create({ ...of, filter: {}, fields });
  expect(refused.kind === 'invalid' && refused.problems.map(({ field }) => field)).toEqual(['hour', 'timeZone', 'recipients.0']);
  const other = await createTestMerchant(switchyard, 'Ade Fabrics');
  await expect(caller.scheduledReports.create({ ...of, merchantId: other, filter: {}, fields: FIELDS })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});
