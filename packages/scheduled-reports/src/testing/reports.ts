import { NIL_ID } from '@switchyard/db';
import type { StaffRole } from '@switchyard/db/client';
import { type Mailer, openMailer } from '@switchyard/runtime/mail';
import {
  createTestMerchant,
  type Mailbox,
  openMailbox,
  openTestContext,
  type TestContext,
  testStaff,
} from '@switchyard/runtime/testing';
import type { RunsContext } from '../context.ts';
import { type CreateScheduleCommand, createSchedule } from '../schedules/change-schedules.ts';
import type { ScheduleKey } from '../schedules/queries.ts';

/** A database with a mail server. */
export interface TestReports {
  readonly context: TestContext;
  readonly runs: RunsContext;
  readonly mailer: Mailer;
  readonly mailbox: Mailbox;
  /** Errors that were reported. */
  readonly errors: unknown[];
  close(): Promise<void>;
}

export async function openTestReports(): Promise<TestReports> {
  const context = await openTestContext();
  const mailbox = await openMailbox();
  const mailer = openMailer({ SWITCHYARD_SMTP_URL: mailbox.url, SWITCHYARD_MAIL_FROM: 'reports@switchyard.example' });
  if (mailer === null) throw new Error('no mailer');
  const errors: unknown[] = [];
  const { resources, now, newId } = context;
  return {
    context,
    runs: { resources, now, newId, mailer, report: (error) => void errors.push(error) },
    mailer,
    mailbox,
    errors,
    async close() {
      await mailbox.close();
      await context.close();
    },
  };
}

/** A merchant's id. */
export async function newMerchant({ context }: TestReports): Promise<string> {
  const { merchantId } = await createTestMerchant(context, { 'paystack-main': {} });
  await context.resources.configuration.refresh();
  return merchantId;
}

/** A staff user with a role for a merchant, or for all with null. */
export async function newPerson({ context }: TestReports, role: StaffRole, merchantId: string | null): Promise<string> {
  const staffId = await testStaff(context);
  const data = { staffId, merchantId: merchantId ?? NIL_ID, role, grantedBy: 'system:test', createdAt: context.now() };
  await context.database.prisma.staffGrant.create({ data });
  return staffId;
}

/** Payments of a merchant at some moments, one each. */
export async function addPayments(
  { context }: TestReports,
  merchantId: string,
  moments: readonly string[],
  email = 'ada@example.com',
) {
  await context.database.pool.query(
    `INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, routing_mode,
      smart_routing_bypassed, rule_set_version, packed_decision, packed_session, recommended_gateway, expires_at, version,
      status_event_id, status_changed_at, created_at, updated_at)
    SELECT $1, gen_random_uuid(), 'live', gen_random_uuid()::text, 'SUCCESS', 2500, 'NGN', $3, 'smart', false, 1, '', '', 'paystack', now(), 1, gen_random_uuid(), now(), moment, now() FROM unnest($2::timestamptz[]) AS moment`,
    [merchantId, moments, email],
  );
}

/** A daily report of payments at 6 in Lagos, by e-mail, unless another is asked for. */
export async function addSchedule(
  { context }: TestReports,
  command: Pick<CreateScheduleCommand, 'merchantId' | 'staffId'> & Partial<CreateScheduleCommand>,
  fields: object = {},
): Promise<ScheduleKey> {
  const timing = { frequency: 'daily', hour: 6, timeZone: 'Africa/Lagos' };
  const entered = { name: 'Morning payments', format: 'csv', ...timing, recipients: ['books@example.com'], ...fields };
  const outcome = await createSchedule(context, { mode: 'live', list: 'payments', filter: {}, fields: entered, ...command });
  if (outcome.kind !== 'created') throw new Error(JSON.stringify(outcome));
  return { merchantId: command.merchantId, scheduleId: outcome.scheduleId };
}

/** The runs of a schedule by their periods. */
export function runsOf({ context }: TestReports, { merchantId, scheduleId }: ScheduleKey) {
  return context.database.prisma.reportRun.findMany({
    where: { merchantId, scheduleId },
    orderBy: [{ firstDay: 'asc' }, { createdAt: 'asc' }],
  });
}
