import { detectIncidents } from '@switchyard/alerts/detect';
import { readDisputes, scheduleDisputeReading } from '@switchyard/disputes/intake';
import { sendResponse } from '@switchyard/disputes/responses';
import type { PaymentsContext } from '@switchyard/payments/context';
import { announceRepeatedPayments } from '@switchyard/payments/duplicates';
import type { WebhookFollower } from '@switchyard/payments/gateway-webhooks';
import { followRefunds, refundDuplicate, sendRefund } from '@switchyard/payments/refunds';
import { checkAfterAbsence, settleOverdue } from '@switchyard/payments/sweeping';
import { verifyAttempt } from '@switchyard/payments/verify';
import { ageOut } from '@switchyard/privacy';
import { compactHealthCounts } from '@switchyard/provider-health';
import { type ProbeState, probeAccounts } from '@switchyard/provider-health/console';
import { type ReconcileOutcome, reconcileDay, scheduleReconciliations } from '@switchyard/reconciliation/runs';
import { updateRollups } from '@switchyard/reporting/rollups';
import { takeCanaryUnits } from '@switchyard/rule-sets/canary';
import { takeHoldoutPayments } from '@switchyard/rule-sets/holdout';
import { putBackRecovered } from '@switchyard/rule-sets/overrides';
import { recordShadowDecisions } from '@switchyard/rule-sets/shadow';
import { updateSuccessRates } from '@switchyard/rule-sets/success-rates';
import { publishScheduledRules } from '@switchyard/rule-sets/versions';
import { planRuns } from '@switchyard/scheduled-reports/runs';
import { followBank, requestBankMatch } from '@switchyard/settlements/bank';
import {
  auditFees,
  matchAccount,
  readSettlements,
  scheduleSettlementReading,
  storeAnnouncedSettlement,
} from '@switchyard/settlements/intake';
import type { TaskList } from 'graphile-worker';
import { z } from 'zod';
import type { Recurring } from './recurring.ts';
import type { WorkerContext } from './worker-context.ts';

const attemptSchema = z.object({
  merchantId: z.uuid(),
  attemptId: z.uuid(),
  transactionId: z.string().max(100).nullable().default(null),
});

const absenceSchema = z.object({ since: z.coerce.date() });

const responseSchema = z.object({ merchantId: z.uuid(), responseId: z.uuid() });

const accountSchema = z.object({ merchantId: z.uuid(), accountId: z.uuid() });

const bankSchema = z.object({ merchantId: z.uuid(), mode: z.enum(['test', 'live']) });

const announcedSchema = accountSchema.extend({
  settlement: z.object({
    settlementId: z.string(),
    currency: z.string(),
    net: z.string(),
    settledOn: z.string().nullable(),
    createdAt: z.coerce.date(),
  }),
});

/** Tasks of the queue, by name. */
export function tasks({ payments }: WorkerContext): TaskList {
  return {
    'check-attempt': (payload) => verifyAttempt(payments, attemptSchema.parse(payload)),
    'check-after-absence': async (payload) => {
      await checkAfterAbsence(payments, absenceSchema.parse(payload));
    },
    'reconcile-day': (payload) => reconcileDayTask(payload, (key) => reconcileDay(payments, key)),
    'read-settlements': (payload) => followSettlements(payments, accountSchema.parse(payload)),
    'match-bank': async (payload) => {
      await followBank(payments, bankSchema.parse(payload));
    },
    'store-announced-settlement': async (payload) => {
      await storeAnnouncedSettlement(payments, announcedSchema.parse(payload));
    },
    'read-disputes': (payload) => followDisputes(payments, accountSchema.parse(payload)),
    'answer-dispute': (payload) => sendResponse(payments, responseSchema.parse(payload)),
    ...refundTasks(payments),
  };
}

/** Reads an account's settlements where its gateway lists or announces them, else matches those that came by other roads; then audits its fees. */
async function followSettlements(payments: WorkerContext['payments'], key: z.output<typeof accountSchema>): Promise<void> {
  const outcome = await readSettlements(payments, key);
  if (outcome.kind === 'unavailable') await matchAccount(payments, key);
  await auditFees(payments, key);
  await requestBankMatch(payments, key);
}

/** Reads an account's disputes. Why it failed is at the account, and a list that cannot be read is read again within a minute. */
async function followDisputes(payments: WorkerContext['payments'], key: z.output<typeof accountSchema>): Promise<void> {
  await readDisputes(payments, key);
}

/** Recurring work of every process: due rows are claimed one by one. */
export function sweeps({ payments, report }: WorkerContext, followUps: WebhookFollower): readonly Recurring[] {
  return [
    { name: 'settle-overdue', intervalMs: 2_000, work: () => settleOverdue(payments, report) },
    { name: 'follow-refunds', intervalMs: 2_000, work: () => followRefunds(payments, report) },
    { name: 'follow-webhooks', intervalMs: 2_000, work: () => followUps.sweep() },
  ];
}

/** Recurring work of one process at a time. */
export function recurringWork(context: WorkerContext): readonly Recurring[] {
  const { payments, resources } = context;
  const probeState: ProbeState = new Map();
  return [
    { name: 'update-rollups', intervalMs: 1_000, work: () => updateRollups(payments) },
    { name: 'probe-accounts', intervalMs: 5_000, work: () => probeAccounts(payments, probeState) },
    { name: 'put-back-recovered', intervalMs: 10_000, work: () => putBackRecovered(payments) },
    { name: 'detect-incidents', intervalMs: 10_000, work: () => detectIncidents({ ...payments, resources }) },
    { name: 'find-repeated-payments', intervalMs: 60_000, work: repeatedPayments(payments) },
    { name: 'schedule-reconciliations', intervalMs: 300_000, work: () => scheduleReconciliations(payments) },
    { name: 'schedule-disputes', intervalMs: 60_000, work: () => scheduleDisputeReading(payments) },
    { name: 'schedule-settlements', intervalMs: 60_000, work: () => scheduleSettlementReading(payments) },
    { name: 'plan-reports', intervalMs: 30_000, work: () => planRuns(context) },
    { name: 'compact-health-counts', intervalMs: 60_000, work: () => compactHealthCounts(payments) },
    { name: 'age-out', intervalMs: 60_000, work: () => ageOut(context) },
    { name: 'publish-due-rules', intervalMs: 3_000, work: () => publishScheduledRules(context, context.now()) },
    { name: 'take-canary-units', intervalMs: 10_000, work: () => takeCanaryUnits(context) },
    { name: 'take-holdout-payments', intervalMs: 60_000, work: () => takeHoldoutPayments(context) },
    { name: 'record-shadow-decisions', intervalMs: 5_000, work: () => recordShadowDecisions(context) },
    { name: 'update-success-rates', intervalMs: 3_600_000, work: () => updateSuccessRates(context) },
  ];
}

/** A process looks back over a day first, which covers the time in which no worker ran, and then over what is new. */
const LOOK_BACK_FIRST_MS = 24 * 3_600_000;
/** More than one run and the longest transaction: an event is of a moment before its commit. */
const LOOK_BACK_MS = 300_000;

function repeatedPayments(payments: WorkerContext['payments']): () => Promise<void> {
  let lookedUntil: number | null = null;
  return async () => {
    const at = payments.now().getTime();
    const since = lookedUntil === null ? at - LOOK_BACK_FIRST_MS : lookedUntil - LOOK_BACK_MS;
    await announceRepeatedPayments(payments, new Date(since));
    lookedUntil = at;
  };
}

const payloadSchema = z.object({ merchantId: z.uuid(), accountId: z.uuid(), day: z.iso.date() });

/** Task `reconcile-day`: reconciles one account's day, on request or on schedule. Throws where a retry may succeed. */
async function reconcileDayTask(
  payload: unknown,
  reconcile: (key: z.output<typeof payloadSchema>) => Promise<ReconcileOutcome>,
): Promise<void> {
  const outcome = await reconcile(payloadSchema.parse(payload));
  if (outcome.kind === 'failed' && outcome.again) throw new Error(outcome.why);
}

const refundSchema = z.object({ merchantId: z.uuid(), refundId: z.uuid() });
const duplicateSchema = z.object({ merchantId: z.uuid(), duplicateChargeId: z.uuid() });

/** Tasks of refunds, by name. */
function refundTasks(payments: PaymentsContext): TaskList {
  return {
    'send-refund': (payload) => sendRefund(payments, refundSchema.parse(payload)),
    'refund-duplicate': async (payload) => {
      await refundDuplicate(payments, duplicateSchema.parse(payload));
    },
  };
}
