// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { ReportRun, Schedule } from '#/copy/scheduled-reports.ts';
import { button, expectCalls, expectProblem, field, openDashboard, tableOf } from '#/testing/dashboard.tsx';
import { SchedulesPage } from './schedules-page.tsx';

const filter = { statuses: ['FAILED'], gateways: [], createdFrom: '2026-11-01T00:00:00Z', mode: 'live' };
const page = openDashboard(`?mode=live&merchant=m-1&do=add&list=payments&filter=${encodeURIComponent(JSON.stringify(filter))}`);

const RUN: ReportRun = {
  runId: 'r-1',
  period: '25 Nov 2026',
  firstDay: '2026-11-25',
  lastDay: '2026-11-25',
  state: 'SENT',
  requesterName: null,
  attempts: 1,
  nextAttemptAt: null,
  error: null,
  rows: 1_204,
  bytes: 310_000,
  fileName: 'payments-2026-11-25.xlsx',
  downloads: 2,
  madeAt: new Date(),
  sentAt: new Date(),
  createdAt: new Date(),
  link: { state: 'active', url: 'http://localhost/report-files/x', expiresAt: new Date('2026-12-03') },
};
const SCHEDULE: Schedule = {
  scheduleId: 's-1',
  merchantId: 'm-1',
  merchantName: 'Balogun Books',
  mode: 'live',
  name: 'Morning payments',
  list: 'payments',
  listTitle: 'Payments',
  filter: { statuses: ['FAILED'] },
  format: 'xlsx',
  frequency: 'daily',
  hour: 6,
  timeZone: 'Africa/Lagos',
  recipients: ['books@example.com'],
  ownerId: 'p-1',
  ownerName: 'Ada',
  nextPeriod: '26 Nov 2026',
  nextDueAt: new Date('2026-11-27'),
  pausedAt: null,
  pause: null,
  createdAt: new Date(),
  updatedAt: new Date(),
  lastRun: RUN,
};

beforeEach(() => {
  page.allow('report:export');
  page.on('scheduledReports.lists', () => [
    { name: 'payments', title: 'Payments' },
    { name: 'fees', title: 'Fees' },
  ]);
  page.on('scheduledReports.list', () => [SCHEDULE]);
  page.on('scheduledReports.runs', () => [RUN]);
  page.on('scheduledReports.preview', () => [{ period: '26 Nov 2026', dueAt: new Date('2026-11-27T05:00:00Z') }]);
});

test('a list is scheduled with the filters it was exported with, and shows when it is made', async () => {
  page.on('scheduledReports.create', () => ({ kind: 'created', scheduleId: 's-2' }));
  const user = page.show(<SchedulesPage />);
  await screen.findByRole('dialog', { name: 'Schedule a report' });
  expect(screen.getByText(/Rows of the period with statuses: FAILED\./)).toBeDefined();
  expect(await screen.findByText('Fri 27 Nov 2026, 06:00')).toBeDefined();
  await user.click(screen.getByRole('radio', { name: 'Weekly' }));
  await waitFor(() => expect(page.calls('scheduledReports.preview').at(-1)).toMatchObject({ frequency: 'weekly', hour: 6 }));
  await user.type(field('E-mail addresses'), 'books@example.com; cfo@example.com');
  await user.click(button('Schedule report'));
  await expectCalls(page, 'scheduledReports.create', [
    {
      merchantId: 'm-1',
      mode: 'live',
      list: 'payments',
      filter,
      fields: {
        name: 'Payments',
        format: 'xlsx',
        frequency: 'weekly',
        hour: 6,
        timeZone: 'Africa/Lagos',
        recipients: ['books@example.com', 'cfo@example.com'],
      },
    },
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('an address that is none is not sent', async () => {
  const user = page.show(<SchedulesPage />);
  await screen.findByRole('dialog', { name: 'Schedule a report' });
  await user.type(field('E-mail addresses'), 'books');
  await user.click(button('Schedule report'));
  await expectProblem('textbox', 'E-mail addresses', 'Must be e-mail addresses.');
  expect(page.calls('scheduledReports.create')).toEqual([]);
});

test('a schedule shows its runs, whose links are copied and revoked', async () => {
  page.on('scheduledReports.revokeLink', () => ({ kind: 'revoked' }));
  page.on('scheduledReports.sendNow', () => ({ kind: 'queued', runId: 'r-2' }));
  const user = page.show(<SchedulesPage />);
  await screen.findByRole('dialog', { name: 'Schedule a report' });
  await user.click(button('Cancel'));
  const [, row] = await tableOf('Schedules');
  expect(row?.join(' ')).toMatch(
    /Morning payments.*Payments, XLSX · Balogun Books.*Sent.*25 Nov 2026.*Daily at 06:00.*books@example.com/,
  );
  await user.click(screen.getByRole('button', { name: 'Morning payments' }));
  expect(await screen.findByText(/1,204 rows, 310 kB · downloaded 2 times/)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Download' }).getAttribute('href')).toBe('http://localhost/report-files/x');
  await user.click(button('Revoke link to payments-2026-11-25.xlsx'));
  await expectCalls(page, 'scheduledReports.revokeLink', [{ scheduleId: 's-1', runId: 'r-1' }]);
  await user.click(button('Send now'));
  await expectCalls(page, 'scheduledReports.sendNow', [{ scheduleId: 's-1' }]);
});

test('a failure shows its reason and is tried again; a schedule that lost its rights says so and is resumed', async () => {
  const failed = { ...RUN, state: 'FAILED' as const, error: 'The mail server refused the e-mail with status 550.', sentAt: null };
  page.on('scheduledReports.runs', () => [failed]);
  page.on('scheduledReports.list', () => [{ ...SCHEDULE, pause: 'rights_lost', pausedAt: new Date(), lastRun: failed }]);
  page.on('scheduledReports.retry', () => ({ kind: 'queued' }));
  page.on('scheduledReports.resume', () => ({ kind: 'changed' }));
  const user = page.show(<SchedulesPage />);
  await screen.findByRole('dialog', { name: 'Schedule a report' });
  await user.click(button('Cancel'));
  await user.click(await screen.findByRole('button', { name: 'Morning payments' }));
  expect(await screen.findByText('The mail server refused the e-mail with status 550.')).toBeDefined();
  expect(screen.getByText(/may no longer export this list/)).toBeDefined();
  await user.click(button('Try 25 Nov 2026 again'));
  await expectCalls(page, 'scheduledReports.retry', [{ scheduleId: 's-1', runId: 'r-1' }]);
  await user.click(button('Resume'));
  await expectCalls(page, 'scheduledReports.resume', [{ scheduleId: 's-1' }]);
});
