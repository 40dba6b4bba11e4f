import { gunzipSync } from 'node:zlib';
import { NIL_ID } from '@switchyard/db';
import { readSheet } from 'read-excel-file/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { revokeLink } from '../console.ts';
import { eraseReports } from '../customers.ts';
import { failureText, listFailedReports } from '../failures.ts';
import { ageOutReportFiles } from '../files/packed-file.ts';
import { LINK_LIFE_MS, linkToken, openReportFile } from '../links/links.ts';
import {
  pauseSchedule,
  removeSchedule,
  resumeSchedule,
  retryRun,
  sendNow,
  updateSchedule,
} from '../schedules/change-schedules.ts';
import { listRuns, listSchedules } from '../schedules/list-schedules.ts';
import type { ScheduleKey } from '../schedules/queries.ts';
import {
  addPayments,
  addSchedule,
  newMerchant,
  newPerson,
  openTestReports,
  runsOf,
  type TestReports,
} from '../testing/reports.ts';
import { makeReport, RETRY_DELAYS_MS } from './make-report.ts';
import { planRuns } from './runs.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Noon of Wednesday, 25 November 2026, in Lagos. */
const BEGIN = Date.parse('2026-11-25T11:00:00Z');
const FIRST_DUE = Date.parse('2026-11-26T05:00:00Z');

let reports: TestReports;
let merchantId: string;
let staffId: string;

beforeAll(async () => {
  reports = await openTestReports();
});
beforeEach(async () => {
  at(BEGIN);
  merchantId = await newMerchant(reports);
  staffId = await newPerson(reports, 'finance', merchantId);
});
afterEach(async () => {
  expect(reports.errors.splice(0)).toEqual([]);
  reports.mailbox.emails.splice(0);
  await reports.context.database.pool.query('DELETE FROM report_file; DELETE FROM report_run; DELETE FROM report_schedule');
});
afterAll(() => reports.close());

const at = (time: number) => reports.context.setClock(new Date(time));
const days = (runs: readonly { readonly firstDay: Date }[]) => runs.map(({ firstDay }) => firstDay.toISOString().slice(0, 10));
const keyOf = (run: { readonly merchantId: string; readonly id: string }) => ({ merchantId: run.merchantId, runId: run.id });

/** Does what the worker does until nothing is due. */
async function work(context = reports.runs): Promise<void> {
  await planRuns(context);
  const due = { nextAttemptAt: { lte: context.now() } };
  for (;;) {
    const run = await reports.context.database.prisma.reportRun.findFirst({ where: due, orderBy: { firstDay: 'asc' } });
    if (run === null) return;
    await makeReport(context, keyOf(run));
  }
}

async function textOf(key: ScheduleKey): Promise<string> {
  const [run] = await runsOf(reports, key);
  const file = await reports.context.database.prisma.reportFile.findFirstOrThrow({ where: { runId: run?.id ?? '' } });
  return gunzipSync(file.content).toString();
}

describe('a period', () => {
  test('is whole: exactly the rows that were recorded in it by the calendar of the zone', async () => {
    const key = await addSchedule(reports, { merchantId, staffId });
    // In Lagos it is an hour later: the first and last moment of the 25th, and what is beside them.
    await addPayments(reports, merchantId, [
      '2026-11-24T22:59:59.999Z',
      '2026-11-24T23:00:00Z',
      '2026-11-25T22:59:59.999Z',
      '2026-11-25T23:00:00Z',
    ]);
    at(FIRST_DUE - 1);
    await work();
    expect(await runsOf(reports, key)).toEqual([]);
    at(FIRST_DUE);
    await work();
    const [run] = await runsOf(reports, key);
    expect(run).toMatchObject({ state: 'SENT', rows: 2, attempts: 1, error: null, merchantIds: [merchantId] });
    const created = (await textOf(key))
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[1]);
    expect(created.toSorted()).toEqual(['2026-11-24T23:00:00.000Z', '2026-11-25T22:59:59.999Z']);
  });

  test('holds what the filter of the schedule names, and nothing else of the period', async () => {
    const key = await addSchedule(reports, { merchantId, staffId, filter: { customer: 'ada@example.com' } });
    const other = await addSchedule(reports, { merchantId, staffId, filter: { statuses: ['FAILED'] } });
    const moments = ['2026-11-25T12:00:00Z', '2026-11-25T13:00:00Z'];
    await addPayments(reports, merchantId, moments, 'ada@example.com');
    await addPayments(reports, merchantId, ['2026-11-25T14:00:00Z'], 'bola@example.com');
    at(FIRST_DUE);
    await work();
    expect((await runsOf(reports, key))[0]).toMatchObject({ rows: 2 });
    expect(await textOf(key)).not.toContain('bola@example.com');
    expect((await runsOf(reports, other))[0]).toMatchObject({ rows: 0 });
  });

  test('is made once, whatever number of workers plan and make it at the same time', async () => {
    const key = await addSchedule(reports, { merchantId, staffId });
    at(FIRST_DUE + 2 * DAY_MS);
    await Promise.all(Array.from({ length: 6 }, () => planRuns(reports.runs)));
    const planned = await runsOf(reports, key);
    expect(days(planned)).toEqual(['2026-11-25', '2026-11-26', '2026-11-27']);
    await Promise.all(planned.flatMap((run) => Array.from({ length: 4 }, () => makeReport(reports.runs, keyOf(run)))));
    expect((await runsOf(reports, key)).map(({ state, attempts }) => [state, attempts])).toEqual(Array(3).fill(['SENT', 1]));
    expect(reports.mailbox.emails).toHaveLength(3);
    await work();
    expect(reports.mailbox.emails).toHaveLength(3);
    const jobs = await reports.context.database.pool.query(
      `SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE task_identifier = 'make-report' AND key = ANY ($1)`,
      [planned.map(({ id }) => `report ${id}`)],
    );
    expect(jobs.rows).toEqual([{ count: 3 }]);
  });

  test('that was missed is made when the worker is back, of many the latest seven', async () => {
    const key = await addSchedule(reports, { merchantId, staffId });
    at(FIRST_DUE + 2 * DAY_MS);
    await work();
    expect(days(await runsOf(reports, key))).toEqual(['2026-11-25', '2026-11-26', '2026-11-27']);
    at(FIRST_DUE + 20 * DAY_MS);
    await work();
    const made = days(await runsOf(reports, key));
    expect(made.slice(3)).toEqual([
      '2026-12-09',
      '2026-12-10',
      '2026-12-11',
      '2026-12-12',
      '2026-12-13',
      '2026-12-14',
      '2026-12-15',
    ]);
    const skipped = await reports.context.database.prisma.auditEntry.findFirstOrThrow({
      where: { action: 'report_schedule.periods_skipped' },
    });
    expect(skipped.after).toEqual({ skipped: 11 });
  });

  test('stays made when the hour changes, and none is left out', async () => {
    const key = await addSchedule(reports, { merchantId, staffId });
    at(FIRST_DUE);
    await work();
    const fields = { name: 'x', format: 'csv', frequency: 'daily', timeZone: 'Africa/Lagos', recipients: [] };
    await updateSchedule(reports.context, { ...key, staffId, fields: { ...fields, hour: 18 } });
    at(FIRST_DUE + 13 * HOUR_MS);
    await work();
    await updateSchedule(reports.context, { ...key, staffId, fields: { ...fields, hour: 3 } });
    at(FIRST_DUE + DAY_MS);
    await work();
    expect(days(await runsOf(reports, key))).toEqual(['2026-11-25', '2026-11-26']);
  });
});

describe('a worker that dies', () => {
  test('before the file is stored leaves the run to another, once its lease is over', async () => {
    const key = await addSchedule(reports, { merchantId, staffId });
    at(FIRST_DUE);
    await planRuns(reports.runs);
    const [run] = await runsOf(reports, key);
    const never = new Promise<never>(() => undefined);
    const dying = {
      ...reports.runs,
      resources: { ...reports.runs.resources, reports: { ...reports.runs.resources.reports, read: () => never } },
    };
    void makeReport(dying, keyOf(run ?? expect.fail()));
    await expect.poll(async () => (await runsOf(reports, key))[0]?.attempts).toBe(1);
    at(FIRST_DUE + 14 * 60_000);
    await work();
    expect((await runsOf(reports, key))[0]?.state).toBe('PENDING');
    at(FIRST_DUE + 15 * 60_000);
    await work();
    expect((await runsOf(reports, key))[0]).toMatchObject({ state: 'SENT', attempts: 2 });
    expect(reports.mailbox.emails).toHaveLength(1);
  });

  test('between handing the e-mail over and recording it sends it twice, the same bytes under the same subject and id', async () => {
    const key = await addSchedule(reports, { merchantId, staffId });
    await addPayments(reports, merchantId, ['2026-11-25T10:00:00Z']);
    at(FIRST_DUE);
    await planRuns(reports.runs);
    const [run] = await runsOf(reports, key);
    const never = new Promise<never>(() => undefined);
    const dying = {
      ...reports.runs,
      mailer: { send: (email: Parameters<typeof reports.mailer.send>[0]) => reports.mailer.send(email).then(() => never) },
    };
    void makeReport(dying, keyOf(run ?? expect.fail()));
    await expect.poll(() => reports.mailbox.emails.length).toBe(1);
    // Rows recorded after it was announced change nothing of it.
    await addPayments(reports, merchantId, ['2026-11-25T11:00:00Z']);
    at(FIRST_DUE + 15 * 60_000);
    await work();
    expect((await runsOf(reports, key))[0]).toMatchObject({ state: 'SENT', rows: 1 });
    const [first = '', second = ''] = reports.mailbox.emails.map((email) =>
      email.replaceAll(/boundary="[^"]*"|--[-_\w.]+(Part_\w+)?|^Date:.*$/gm, ''),
    );
    expect(second).toBe(first);
    expect(first).toMatch(/^Subject: \[Switchyard\] Payments of 25 Nov 2026: /m);
    expect(first).toMatch(new RegExp(`^Message-ID: <report-${run?.id}@`, 'm'));
  });

  test('and comes back after another took over stores nothing and sends nothing', async () => {
    const key = await addSchedule(reports, { merchantId, staffId });
    at(FIRST_DUE);
    await planRuns(reports.runs);
    const [run] = await runsOf(reports, key);
    const { reports: pool } = reports.runs.resources;
    let goOn = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow = {
      ...reports.runs,
      resources: {
        ...reports.runs.resources,
        reports: { ...pool, read: ((...of) => waiting.then(() => pool.read(...of))) as typeof pool.read },
      },
    };
    const first = makeReport(slow, keyOf(run ?? expect.fail()));
    await expect.poll(async () => (await runsOf(reports, key))[0]?.attempts).toBe(1);
    at(FIRST_DUE + 15 * 60_000);
    await work();
    const made = await runsOf(reports, key);
    goOn();
    await first;
    expect(await runsOf(reports, key)).toEqual(made);
    expect(reports.mailbox.emails).toHaveLength(1);
  });
});

describe('a failure', () => {
  test('is tried again later each time with its reason shown, then needs a person, and ends when it is sent', async () => {
    const key = await addSchedule(reports, { merchantId, staffId });
    const refusing = {
      ...reports.runs,
      mailer: { send: () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNECTION', command: 'CONN' })) },
    };
    let time = FIRST_DUE;
    for (const delayMs of RETRY_DELAYS_MS) {
      at(time);
      await work(refusing);
      const [run] = await runsOf(reports, key);
      expect(run).toMatchObject({ state: 'MADE', error: 'email ECONNECTION', nextAttemptAt: new Date(time + delayMs) });
      expect(await listFailedReports(reports.context.database, null)).toEqual([]);
      time += delayMs;
    }
    at(time);
    await work(refusing);
    const [failed] = await runsOf(reports, key);
    expect(failed).toMatchObject({ state: 'FAILED', attempts: RETRY_DELAYS_MS.length + 1, nextAttemptAt: null });
    const found = { merchantId, scheduleId: key.scheduleId, mode: 'live', name: 'Morning payments', error: 'email ECONNECTION' };
    expect(await listFailedReports(reports.context.database, [merchantId])).toEqual([{ ...found, since: new Date(time) }]);
    expect(await listFailedReports(reports.context.database, [NIL_ID])).toEqual([]);
    at(time + 30 * DAY_MS);
    expect(failureText('email ECONNECTION')).toBe('The mail server could not be reached (ECONNECTION).');
    expect(failureText('email 550')).toBe('The mail server refused the e-mail with status 550.');
    expect(await retryRun(reports.context, { ...keyOf(failed ?? expect.fail()), staffId })).toEqual({ kind: 'queued' });
    await makeReport(reports.runs, keyOf(failed ?? expect.fail()));
    const linkExpiresAt = new Date(time + 30 * DAY_MS + LINK_LIFE_MS);
    expect((await runsOf(reports, key))[0]).toMatchObject({ state: 'SENT', error: null, linkExpiresAt });
    expect(await listFailedReports(reports.context.database, null)).toEqual([]);
  });

  test.each([
    [
      'a mailbox that does not exist',
      { send: () => Promise.reject(Object.assign(new Error('x'), { responseCode: 550, code: 'EENVELOPE' })) },
      'email 550',
    ],
    ['no mail server', null, 'email_not_set_up'],
  ])('that no other try helps, such as %s, is final at once', async (_, mailer, error) => {
    const key = await addSchedule(reports, { merchantId, staffId });
    at(FIRST_DUE);
    await work({ ...reports.runs, mailer });
    expect((await runsOf(reports, key))[0]).toMatchObject({ state: 'FAILED', error, attempts: 1 });
    // The file is there: its link works.
    const [run] = await listRuns(reports.context, key);
    expect(run?.link).toMatchObject({ state: 'active' });
  });
});

describe('what a schedule may see is what its owner may see when it is made', () => {
  test.each(['owner_disabled', 'rights_lost'] as const)('%s pauses it, which needs a person', async (pause) => {
    const key = await addSchedule(reports, { merchantId, staffId });
    const { prisma } = reports.context.database;
    if (pause === 'owner_disabled')
      await prisma.staffUser.update({ where: { id: staffId }, data: { disabledAt: new Date(BEGIN) } });
    else await prisma.staffGrant.updateMany({ where: { staffId }, data: { role: 'viewer' } });
    at(FIRST_DUE);
    await work();
    expect((await runsOf(reports, key))[0]).toMatchObject({ state: 'FAILED', error: pause, rows: null });
    const [shown] = await listSchedules(reports.context, { mode: 'live', merchantIds: [merchantId], staffId });
    expect(shown).toMatchObject({ pause, pausedAt: new Date(FIRST_DUE) });
    expect(await prisma.reportFile.count()).toBe(0);
    expect(await listFailedReports(reports.context.database, null)).toMatchObject([{ error: pause }]);
    at(FIRST_DUE + DAY_MS);
    await work();
    expect(await runsOf(reports, key)).toHaveLength(1);
    // A colleague who may takes it over.
    const other = await newPerson(reports, 'finance', merchantId);
    await resumeSchedule(reports.context, { ...key, staffId: other });
    at(FIRST_DUE + 2 * DAY_MS);
    await work();
    expect((await runsOf(reports, key)).at(-1)).toMatchObject({ state: 'SENT', firstDay: new Date('2026-11-27') });
    expect(await listFailedReports(reports.context.database, null)).toEqual([]);
  });

  test('one for all merchants has those of its owner at that moment', async () => {
    const second = await newMerchant(reports);
    const third = await newMerchant(reports);
    for (const each of [merchantId, second, third]) await addPayments(reports, each, ['2026-11-25T10:00:00Z']);
    await reports.context.database.prisma.staffGrant.create({
      data: { staffId, merchantId: second, role: 'finance', grantedBy: 'system:test', createdAt: new Date() },
    });
    const key = await addSchedule(reports, { merchantId: NIL_ID, staffId });
    await reports.context.database.prisma.staffGrant.deleteMany({ where: { staffId, merchantId } });
    at(FIRST_DUE);
    await work();
    const [run] = await runsOf(reports, key);
    expect(run).toMatchObject({ state: 'SENT', rows: 1, merchantIds: [second] });
    const text = await textOf(key);
    expect([text.includes(second), text.includes(third), text.includes(merchantId)]).toEqual([true, false, false]);
  });

  test('a person who saves it makes it see what they may see', async () => {
    const owner = await newPerson(reports, 'owner', null);
    const key = await addSchedule(reports, { merchantId: NIL_ID, staffId: owner });
    const fields = { name: 'x', format: 'csv', frequency: 'daily', hour: 6, timeZone: 'Africa/Lagos', recipients: [] };
    await updateSchedule(reports.context, { ...key, staffId, fields });
    at(FIRST_DUE);
    await work();
    expect((await runsOf(reports, key))[0]?.merchantIds).toEqual([merchantId]);
  });
});

describe('a link', () => {
  const download = async (token: string) => {
    const file = await openReportFile(reports.context, token);
    if (file === null) return null;
    const chunks: Uint8Array[] = [];
    for await (const chunk of file.content) chunks.push(chunk);
    return { ...file, content: Buffer.concat(chunks) };
  };
  const tokenOf = async (key: ScheduleKey) =>
    linkToken(reports.context.resources.keyPepper, (await runsOf(reports, key))[0]?.id ?? '');
  const made = async (fields: object = {}): Promise<ScheduleKey> => {
    await addPayments(reports, merchantId, ['2026-11-25T10:00:00Z']);
    const key = await addSchedule(reports, { merchantId, staffId }, { recipients: [], ...fields });
    at(FIRST_DUE);
    await work();
    return key;
  };

  test('gives the file as it was made, and each download is audited', async () => {
    const key = await made({ format: 'xlsx' });
    expect(reports.mailbox.emails).toEqual([]);
    await addPayments(reports, merchantId, ['2026-11-25T12:00:00Z']);
    const [run] = await listRuns(reports.context, key);
    expect(run?.link?.url).toBe(`http://127.0.0.1:3000/report-files/${await tokenOf(key)}`);
    const file = await download(await tokenOf(key));
    expect(file).toMatchObject({ name: 'payments-2026-11-25.xlsx', format: 'xlsx', bytes: file?.content.length });
    const rows = await readSheet(file?.content ?? expect.fail());
    expect([rows[0]?.[0], rows.length]).toEqual(['merchant_id', 2]);
    await download(await tokenOf(key));
    expect((await listRuns(reports.context, key))[0]?.downloads).toBe(2);
    const entries = await reports.context.database.prisma.auditEntry.findMany({
      where: { tenantId: merchantId, action: 'report.downloaded' },
    });
    expect(entries.map(({ actor, after }) => [actor, after])).toEqual(
      Array(2).fill(['system:report-link', { runId: run?.runId, firstDay: '2026-11-25', lastDay: '2026-11-25' }]),
    );
  });

  test('is open until seven days after the file was made, to the millisecond, and while its schedule is there', async () => {
    const key = await made();
    const token = await tokenOf(key);
    at(FIRST_DUE + LINK_LIFE_MS - 1);
    expect(await openReportFile(reports.context, token)).not.toBeNull();
    at(FIRST_DUE + LINK_LIFE_MS);
    expect(await openReportFile(reports.context, token)).toBeNull();
    at(FIRST_DUE);
    const where = { id: key.scheduleId };
    await reports.context.database.prisma.reportSchedule.updateMany({ where, data: { removedAt: reports.context.now() } });
    expect(await openReportFile(reports.context, token)).toBeNull();
  });

  test('stays as it was made when the schedule has another format and another frequency', async () => {
    const key = await made();
    const planned = { firstDay: new Date('2026-11-24'), lastDay: new Date('2026-11-24'), state: 'PENDING' } as const;
    const times = { nextAttemptAt: new Date(FIRST_DUE), createdAt: new Date(FIRST_DUE - 1), updatedAt: new Date(FIRST_DUE) };
    const id = reports.context.newId();
    const of = { merchantId, id, scheduleId: key.scheduleId, requestId: NIL_ID };
    await reports.context.database.prisma.reportRun.create({ data: { ...of, ...planned, ...times } });
    await addPayments(reports, merchantId, ['2026-11-24T10:00:00Z']);
    const fields = { name: 'x', format: 'xlsx', frequency: 'monthly', hour: 6, timeZone: 'Africa/Lagos', recipients: [] };
    await updateSchedule(reports.context, { ...key, staffId, fields });
    await work();
    const shown = await listRuns(reports.context, key);
    expect(shown.map(({ fileName, rows }) => [fileName, rows])).toEqual([
      ['payments-2026-11-25.csv', 1],
      ['payments-2026-11-24.xlsx', 1],
    ]);
    const first = await download(linkToken(reports.context.resources.keyPepper, shown[0]?.runId ?? ''));
    expect(first?.format).toBe('csv');
    expect(first?.content.toString()).toMatch(/^\uFEFFmerchant_id,/);
  });

  test('holds nothing in the database that opens it', async () => {
    const key = await made();
    const token = await tokenOf(key);
    const { rows } = await reports.context.database.pool.query('SELECT to_json(r)::text AS row FROM report_run AS r');
    expect(rows.some(({ row }) => row.includes(token) || row.includes(Buffer.from(token).toString('hex')))).toBe(false);
  });

  test.each(['wrong', 'malformed', 'expired', 'revoked', 'removed', 'aged out', 'erased'])(
    'that is %s opens nothing',
    async (how) => {
      const key = await made();
      const token = await tokenOf(key);
      const [run] = await runsOf(reports, key);
      const { database } = reports.context;
      expect(await download(token)).not.toBeNull();
      if (how === 'expired') at(FIRST_DUE + LINK_LIFE_MS);
      if (how === 'revoked') await revokeLink(reports.context, { ...keyOf(run ?? expect.fail()), actor: `staff:${staffId}` });
      if (how === 'removed') await removeSchedule(reports.context, { ...key, staffId });
      if (how === 'aged out') expect(await ageOutReportFiles(database, merchantId, new Date(FIRST_DUE + 1), 10)).toBe(1);
      if (how === 'erased')
        await database.prisma.$transaction((transaction) =>
          eraseReports(transaction, { merchantId, mode: 'live', texts: [] }, new Date(FIRST_DUE)),
        );
      const tried =
        how === 'wrong' ? `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}` : how === 'malformed' ? '../x' : token;
      expect(await download(tried)).toBeNull();
    },
  );
});

describe('erasing a customer', () => {
  const erase = (mode: 'test' | 'live', of = merchantId) =>
    reports.context.database.prisma.$transaction((transaction) =>
      eraseReports(transaction, { merchantId: of, mode, texts: ['canary@example.com'] }, reports.context.now()),
    );

  test('drops the files of the merchant in that mode, of its own schedules and of those for all, and no other', async () => {
    const other = await newMerchant(reports);
    const owner = await newPerson(reports, 'owner', null);
    await addSchedule(reports, { merchantId, staffId: owner });
    await addSchedule(reports, { merchantId: NIL_ID, staffId: owner });
    const kept = await addSchedule(reports, { merchantId: other, staffId: owner });
    at(FIRST_DUE);
    await work();
    const erased = [await erase('test'), await erase('live'), await erase('live')];
    expect(erased.map(({ reportFiles }) => reportFiles)).toEqual([0, 2, 0]);
    const files = await reports.context.database.prisma.reportFile.findMany();
    expect(files.map((file) => file.merchantId)).toEqual([kept.merchantId]);
  });

  test('removes the schedules that name them, whose filter was never in the audit log', async () => {
    const filter = { customer: 'Canary@Example.com', statuses: ['SUCCESS'] };
    await addSchedule(reports, { merchantId, staffId, filter });
    const other = await addSchedule(reports, { merchantId, staffId, filter: { statuses: ['SUCCESS'] } });
    expect((await erase('live')).reportSchedules).toBe(1);
    const left = await reports.context.database.prisma.reportSchedule.findMany({ where: { merchantId, removedAt: null } });
    expect(left.map(({ id }) => id)).toEqual([other.scheduleId]);
    const { rows } = await reports.context.database.pool.query(
      `SELECT count(*)::int AS count FROM (SELECT to_jsonb(s)::text AS row FROM report_schedule AS s
         UNION ALL SELECT to_jsonb(a)::text FROM audit_entry AS a) AS rows WHERE row ILIKE '%canary@example.com%'`,
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  test('leaves nothing of it to a report that is being made, which is made again', async () => {
    const key = await addSchedule(reports, { merchantId, staffId });
    await addPayments(reports, merchantId, ['2026-11-25T10:00:00Z'], 'canary@example.com');
    at(FIRST_DUE);
    await planRuns(reports.runs);
    const { reports: pool } = reports.runs.resources;
    const erasing: typeof pool = {
      ...pool,
      async read(...of) {
        const rows = await pool.read(...of);
        await reports.context.database.pool.query(`UPDATE payment SET customer_email = 'erased' WHERE merchant_id = $1`, [
          merchantId,
        ]);
        await erase('live');
        return rows;
      },
    };
    const [run] = await runsOf(reports, key);
    await makeReport(
      { ...reports.runs, resources: { ...reports.runs.resources, reports: erasing } },
      keyOf(run ?? expect.fail()),
    );
    expect((await runsOf(reports, key))[0]?.state).toBe('PENDING');
    await work();
    expect(await textOf(key)).not.toContain('canary');
    expect(reports.mailbox.emails.join('')).not.toContain(Buffer.from('canary@example.com').toString('base64').slice(0, 20));
    expect((await runsOf(reports, key))[0]).toMatchObject({ state: 'SENT', rows: 1 });
  });
});

test('a file of more than 5 MB comes as a link, a smaller one attached', async () => {
  const key = await addSchedule(reports, { merchantId, staffId });
  await addPayments(reports, merchantId, ['2026-11-25T10:00:00Z']);
  at(FIRST_DUE);
  await work();
  expect(reports.mailbox.emails[0]).toMatch(/filename=payments-2026-11-25\.csv/);
  expect(reports.mailbox.emails[0]).not.toContain('/report-files/');
  const [run] = await runsOf(reports, key);
  await reports.context.database.prisma.reportRun.updateMany({
    where: { id: run?.id ?? '' },
    data: { state: 'MADE', bytes: 5_000_001, nextAttemptAt: new Date(FIRST_DUE) },
  });
  await makeReport(reports.runs, keyOf(run ?? expect.fail()));
  const plain = (reports.mailbox.emails[1] ?? '').replaceAll('=\n', '').replaceAll('=3D', '=');
  expect(plain).toContain(linkToken(reports.context.resources.keyPepper, run?.id ?? ''));
  expect(plain).not.toContain('filename=');
  expect(plain).toContain('5.0 MB');
});

test('a pause ends what waits for another try, which needs no person, and a person may still send it', async () => {
  const key = await addSchedule(reports, { merchantId, staffId });
  const failing = { send: () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNECTION', command: 'CONN' })) };
  at(FIRST_DUE);
  await work({ ...reports.runs, mailer: failing });
  expect(await runsOf(reports, key)).toMatchObject([{ state: 'MADE', error: 'email ECONNECTION' }]);
  await pauseSchedule(reports.context, { ...key, staffId });
  at(FIRST_DUE + HOUR_MS);
  await work();
  const [run = expect.fail()] = await runsOf(reports, key);
  expect(run).toMatchObject({ state: 'FAILED', error: 'paused', nextAttemptAt: null });
  expect(reports.mailbox.emails).toEqual([]);
  await resumeSchedule(reports.context, { ...key, staffId });
  expect(await listFailedReports(reports.context.database, null)).toEqual([]);
  expect(failureText('paused')).toBe('Its schedule was paused before it was sent.');
  await work();
  expect(reports.mailbox.emails).toEqual([]);
  expect(await retryRun(reports.context, { ...keyOf(run), staffId })).toEqual({ kind: 'queued' });
  await work();
  expect(await runsOf(reports, key)).toMatchObject([{ state: 'SENT', error: null }]);
  expect(reports.mailbox.emails).toHaveLength(1);
});

test('a schedule that is removed makes no reports, and sends none that waits for another try', async () => {
  const key = await addSchedule(reports, { merchantId, staffId });
  const other = await addSchedule(reports, { merchantId, staffId });
  const failing = { send: () => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNECTION', command: 'CONN' })) };
  await removeSchedule(reports.context, { ...other, staffId });
  at(FIRST_DUE);
  await work({ ...reports.runs, mailer: failing });
  expect(await runsOf(reports, other)).toEqual([]);
  await removeSchedule(reports.context, { ...key, staffId });
  at(FIRST_DUE + DAY_MS);
  await work();
  expect(await runsOf(reports, key)).toMatchObject([{ state: 'FAILED', error: 'schedule_removed' }]);
  expect(reports.mailbox.emails).toEqual([]);
});

test('sending now makes the last period that is over beside the one of the schedule; a pause makes none', async () => {
  const key = await addSchedule(reports, { merchantId, staffId });
  await sendNow(reports.context, { ...key, staffId });
  await work();
  await pauseSchedule(reports.context, { ...key, staffId });
  at(FIRST_DUE + DAY_MS);
  await work();
  expect(days(await runsOf(reports, key))).toEqual(['2026-11-24']);
  await resumeSchedule(reports.context, { ...key, staffId });
  at(FIRST_DUE + 2 * DAY_MS);
  await work();
  expect((await runsOf(reports, key)).map(({ firstDay, requestedBy }) => [days([{ firstDay }])[0], requestedBy])).toEqual([
    ['2026-11-24', `staff:${staffId}`],
    ['2026-11-27', null],
  ]);
});
