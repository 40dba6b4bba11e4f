import type { Database } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { ShadowRun } from '@switchyard/db/client';
import { type CompiledRuleSet, compileRuleSet } from '@switchyard/routing/decide';
import { decideInShadow } from '@switchyard/routing/replay';
import { parseRuleDocument } from '@switchyard/routing/rule-set';
import { z } from 'zod';
import type { RuleSetsContext } from '../context.ts';
import { withPastKeys } from '../past-keys.ts';
import {
  countShadowDecisions,
  listOpenShadowRuns,
  type NewShadowDecision,
  readUndecided,
  type UndecidedPayment,
  writeShadowDecisions,
} from '../rows/shadow.ts';
import { readStoredInputs } from '../snapshot/read-inputs.ts';

/** Most payments that one run decides; it ends there. */
export const SHADOW_PAYMENTS_MAX = 100_000;

const RUNS_MAX = 200;
const BATCH = 200;
/** Time of one call; what is left continues with the next call. */
const BUDGET_MS = 2_000;
/**
 * How far back each look goes. A payment's time is taken before its transaction commits, and machines' clocks differ: one that appears
 * later than this is missed.
 */
const OVERLAP_MS = 60_000;
const ACTOR = 'system:shadow';

/** Limits of a call, for tests. */
export interface ShadowOptions {
  readonly batch?: number;
  readonly limit?: number;
}

const taken = z.object({ candidates: z.array(z.looseObject({ eligible: z.boolean(), subproviderId: z.string() })) });

/**
 * Decides new payments a second time by the drafts that run in shadow, from the stored inputs of their real decisions, and ends the
 * runs whose time is over. It reads payments and writes only what the drafts would have decided, so that no payment waits for it or
 * fails by it. Any number of processes may call it: a payment is recorded once per run. Returns how many decisions were recorded;
 * throws an `AggregateError` at the end when some runs could not be continued, which the next call does.
 */
export async function recordShadowDecisions(context: RuleSetsContext, options: ShadowOptions = {}): Promise<number> {
  const until = performance.now() + BUDGET_MS;
  const errors: unknown[] = [];
  let recorded = 0;
  for (const run of await listOpenShadowRuns(context.resources.database, RUNS_MAX)) {
    try {
      recorded += await continueRun(context, run, options, until);
    } catch (error) {
      errors.push(error);
    }
    if (performance.now() >= until) break;
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} shadow runs could not be continued`);
  return recorded;
}

async function continueRun(context: RuleSetsContext, run: ShadowRun, options: ShadowOptions, until: number): Promise<number> {
  const { database } = context.resources;
  const { batch = BATCH, limit = SHADOW_PAYMENTS_MAX } = options;
  const read = parseRuleDocument(run.document);
  if (!read.ok) throw new Error(`the document of shadow run ${run.id} cannot be read`);
  const draft = compileRuleSet(read.ruleSet);
  await context.resources.configuration.ready();
  const timeZone = context.resources.configuration.merchant(run.merchantId)?.merchant.timeZone ?? 'UTC';
  const now = context.now();
  const to = new Date(Math.min(now.getTime(), run.endsAt.getTime()));
  let left = limit - (await countShadowDecisions(database, run, limit));
  let { scannedTo } = run;
  let recorded = 0;
  while (left > 0) {
    const from = new Date(Math.max(run.startedAt.getTime(), scannedTo.getTime() - OVERLAP_MS));
    const payments = await readUndecided(database, run, { from, to, used: draft.keys }, Math.min(batch, left));
    const isCaughtUp = payments.length < Math.min(batch, left);
    scannedTo = isCaughtUp ? to : (payments.at(-1)?.createdAt ?? to);
    await writeShadowDecisions(
      database,
      run,
      await Promise.all(
        payments.map((payment) => toDecision(database, { merchantId: run.merchantId, timeZone }, payment, draft)),
      ),
      scannedTo,
    );
    recorded += payments.length;
    left -= payments.length;
    if (isCaughtUp || performance.now() >= until) break;
  }
  if (left <= 0) await endRun(context, run, 'LIMIT', now);
  else if (scannedTo >= run.endsAt && now.getTime() >= run.endsAt.getTime() + OVERLAP_MS) {
    await endRun(context, run, 'TIME', run.endsAt);
  }
  return recorded;
}

async function toDecision(
  database: Database,
  { merchantId, timeZone }: { readonly merchantId: string; readonly timeZone: string },
  { paymentId, createdAt, currency, method, routing, inputs: kept, payment, metadata, hasPaidBefore }: UndecidedPayment,
  draft: CompiledRuleSet,
): Promise<NewShadowDecision> {
  const decided = { paymentId, createdAt, currency, method };
  const stored = await readStoredInputs(database, { merchantId, inputs: kept, payment });
  const inputs = stored && withPastKeys(stored, draft.keys, { metadata, hasPaidBefore, createdAt }, timeZone);
  const order = taken.safeParse(routing);
  if (inputs === null || !order.success) {
    const nothing = { ruleId: null, liveAccountId: null, accountId: null, liveFee: null, fee: null };
    return { ...decided, result: 'UNREADABLE', ...nothing };
  }
  return { ...decided, ...decideInShadow({ inputs, taken: order.data }, draft) };
}

/** Ends a run by itself, once, even if a person ends it at the same moment. */
async function endRun(context: RuleSetsContext, run: ShadowRun, ended: 'TIME' | 'LIMIT', endedAt: Date): Promise<void> {
  const { merchantId, id, mode, draftId, draftRevision } = run;
  const { database, auditKeys } = context.resources;
  await database.prisma.$transaction(async (transaction) => {
    const open = { merchantId, id, endedAt: null };
    const { count } = await transaction.shadowRun.updateMany({ where: open, data: { ended, endedAt } });
    if (count === 0) return;
    const entry = { action: 'rule_set.shadow_ended', objectType: 'rule_set_version', objectId: draftId, actor: ACTOR };
    const about = { before: { mode, revision: draftRevision }, after: { mode, ended, endedAt: endedAt.toISOString() } };
    const key = { tenantId: merchantId, entryId: context.newId() };
    await appendAuditEntry(transaction, auditKeys, { ...key, ...entry, ...about }, context.now());
  });
}
