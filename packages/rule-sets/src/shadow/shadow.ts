import type { ShadowRun } from '@switchyard/db/client';
import { newMovesTally, type WhatMoves } from '@switchyard/routing/replay';
import { changeConfiguration, type FieldProblem } from '@switchyard/runtime';
import { inSnapshot } from '@switchyard/runtime/in-snapshot';
import type { RuleSetsContext } from '../context.ts';
import { checkDocument, storableDocument } from '../document/check-document.ts';
import { readRoutableAccounts } from '../document/named-accounts.ts';
import { type DraftKey, type DraftRefusal, findOpenDraft } from '../drafts/create-draft.ts';
import {
  countOpenShadowRuns,
  endShadowRun,
  findLastShadowRun,
  insertShadowRun,
  listShadowDifferenceRows,
  type MovedPayment,
  type MovedPaymentKey,
  readShadowComparisons,
  type ShadowComparisons,
} from '../rows/shadow.ts';

export { ageOutShadowRuns } from '../rows/shadow.ts';
export { recordShadowDecisions } from './record-shadow-decisions.ts';

const HOUR_MS = 3_600_000;

/** The longest a draft runs in shadow at a time, in hours. */
export const SHADOW_HOURS_MAX = 14 * 24;

/** Most drafts of one merchant and mode in shadow at once. */
export const SHADOW_RUNS_MAX = 3;

/** Asks to run a draft beside live traffic. */
interface StartShadowCommand extends DraftKey {
  /** The revision that the caller read. */
  readonly revision: number;
  /** From 1 to {@link SHADOW_HOURS_MAX}. */
  readonly hours: number;
  readonly actor: string;
}

/** Result of starting a shadow run, or the reason why it was refused. */
type StartShadowOutcome =
  | { readonly kind: 'started'; readonly endsAt: Date }
  | { readonly kind: 'already_running'; readonly endsAt: Date }
  | { readonly kind: 'too_many'; readonly limit: number }
  /** The draft is not complete, or names accounts that the merchant does not have. */
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | DraftRefusal;

/**
 * Runs a draft beside live traffic for a set time: the worker decides each new payment by it a second time, from the stored inputs of
 * the real decision, which nothing changes. A change of the draft, its publication or its end stops it.
 */
export async function startShadow(context: RuleSetsContext, command: StartShadowCommand): Promise<StartShadowOutcome> {
  const { merchantId, draftId, hours, actor } = command;
  if (!Number.isInteger(hours) || hours < 1 || hours > SHADOW_HOURS_MAX) {
    const message = `must be a whole number of hours from 1 to ${SHADOW_HOURS_MAX}`;
    return { kind: 'invalid', problems: [{ field: 'hours', message }] };
  }
  return changeConfiguration<StartShadowOutcome>(context, command, async (transaction, now) => {
    const found = await findOpenDraft(transaction, command);
    if (found.kind !== 'found') return { outcome: found, audit: null };
    const { row } = found;
    const running = await findLastShadowRun(transaction, merchantId, draftId);
    if (running !== null && running.endedAt === null) {
      return { outcome: { kind: 'already_running', endsAt: running.endsAt }, audit: null };
    }
    if ((await countOpenShadowRuns(transaction, row)) >= SHADOW_RUNS_MAX) {
      return { outcome: { kind: 'too_many', limit: SHADOW_RUNS_MAX }, audit: null };
    }
    const { problems } = checkDocument(row.document, await readRoutableAccounts(transaction, row));
    const stored = storableDocument(row.document);
    if (problems.length > 0 || !stored.ok) {
      return { outcome: { kind: 'invalid', problems: stored.ok ? problems : stored.problems }, audit: null };
    }
    const { mode, revision } = row;
    const endsAt = new Date(now.getTime() + hours * HOUR_MS);
    const run = { merchantId, id: context.newId(), mode, draftId, draftRevision: revision, document: stored.document };
    await insertShadowRun(transaction, { ...run, startedBy: actor, startedAt: now, endsAt });
    return {
      outcome: { kind: 'started', endsAt },
      audit: {
        action: 'rule_set.shadow_started',
        objectType: 'rule_set_version',
        objectId: draftId,
        before: null,
        after: { mode, name: row.name, revision, endsAt: endsAt.toISOString() },
      },
      inForce: false,
    };
  });
}

/** Asks to stop a draft's shadow run before its time. */
interface StopShadowCommand extends DraftKey {
  readonly actor: string;
}

/** Result of stopping a run; `not_running` when it had ended, or never started. */
type StopShadowOutcome = { readonly kind: 'stopped' } | { readonly kind: 'not_running' } | { readonly kind: 'not_found' };

/** Stops a draft's shadow run. What it recorded stays. */
export async function stopShadow(context: RuleSetsContext, command: StopShadowCommand): Promise<StopShadowOutcome> {
  const { draftId } = command;
  return changeConfiguration<StopShadowOutcome>(context, command, async (transaction, now) => {
    const run = await findLastShadowRun(transaction, command.merchantId, draftId);
    if (run === null || run.endedAt !== null) return { outcome: { kind: 'not_running' }, audit: null };
    await endShadowRun(transaction, command, { ended: 'STOPPED', endedAt: now });
    const before = { mode: run.mode, revision: run.draftRevision, endsAt: run.endsAt.toISOString() };
    return {
      outcome: { kind: 'stopped' },
      audit: { action: 'rule_set.shadow_stopped', objectType: 'rule_set_version', objectId: draftId, before, after: null },
      inForce: false,
    };
  });
}

/** A draft's shadow run, under way or ended, with what it would have changed. */
export interface DescribedShadow {
  readonly startedBy: string;
  readonly startedAt: Date;
  readonly endsAt: Date;
  /** Null while it runs. */
  readonly endedAt: Date | null;
  readonly ended: ShadowRun['ended'];
  /** The revision of the draft that ran. */
  readonly draftRevision: number;
  readonly summary: ShadowSummary;
}

/** The draft's last shadow run; null when it never ran. */
export function describeShadow(context: RuleSetsContext, key: DraftKey): Promise<DescribedShadow | null> {
  return inSnapshot(context, (snapshot) => readShadow(snapshot, key));
}

async function readShadow(
  { resources: { database } }: RuleSetsContext,
  { merchantId, draftId }: DraftKey,
): Promise<DescribedShadow | null> {
  const run = await findLastShadowRun(database.prisma, merchantId, draftId);
  if (run === null) return null;
  const { startedBy, startedAt, endsAt, endedAt, ended, draftRevision } = run;
  const summary = summariseShadow(await readShadowComparisons(database, run));
  return { startedBy, startedAt, endsAt, endedAt, ended, draftRevision, summary };
}

/** A page of payments that would have gone elsewhere. */
interface ShadowDifferencePage {
  readonly items: readonly MovedPayment[];
  /** Cursor of the next page; null at the end. */
  readonly next: MovedPaymentKey | null;
}

const PAGE_MAX = 200;

/** The payments that the draft's last run would have sent to another account first, newest first; none when it never ran. */
export async function listShadowDifferences(
  { resources: { database } }: RuleSetsContext,
  query: DraftKey & {
    /** `next` of the page before. */
    readonly after: MovedPaymentKey | null;
    /** 1 to 200. */
    readonly limit: number;
  },
): Promise<ShadowDifferencePage> {
  const run = await findLastShadowRun(database.prisma, query.merchantId, query.draftId);
  if (run === null) return { items: [], next: null };
  const limit = Math.min(Math.max(1, query.limit), PAGE_MAX);
  const items = await listShadowDifferenceRows(database, run, query.after, limit);
  const last = items.at(-1);
  return {
    items,
    next: last === undefined || items.length < limit ? null : { createdAt: last.createdAt, paymentId: last.paymentId },
  };
}

/** Changes that a draft in shadow would have made so far. */
interface ShadowSummary extends WhatMoves {
  /** Payments whose decision could not be read; no other figure includes them. */
  readonly unreadable: number;
}

/** Adds up a run's decisions as a replay adds up its own. */
function summariseShadow({ compared, unreadable }: ShadowComparisons): ShadowSummary {
  const tally = newMovesTally();
  for (const payments of compared) tally.add(payments);
  return { ...tally.result(), unreadable };
}
