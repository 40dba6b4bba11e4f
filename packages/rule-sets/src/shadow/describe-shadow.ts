import type { ShadowRun } from '@switchyard/db/client';
import { inSnapshot } from '@switchyard/runtime/in-snapshot';
import type { RuleSetsContext } from '../context.ts';
import type { DraftKey } from '../drafts/draft.ts';
import {
  countShadowGroups,
  findLastShadowRun,
  listShadowDifferenceRows,
  type ShadowDifference,
  type ShadowDifferenceKey,
} from './queries.ts';
import { type ShadowSummary, summariseShadow } from './summarise-shadow.ts';

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
  const summary = summariseShadow(await countShadowGroups(database, run));
  return { startedBy, startedAt, endsAt, endedAt, ended, draftRevision, summary };
}

/** A page of payments that would have gone elsewhere. */
export interface ShadowDifferencePage {
  readonly items: readonly ShadowDifference[];
  /** Cursor of the next page; null at the end. */
  readonly next: ShadowDifferenceKey | null;
}

const PAGE_MAX = 200;

/** The payments that the draft's last run would have sent to another account first, newest first; none when it never ran. */
export async function listShadowDifferences(
  { resources: { database } }: RuleSetsContext,
  query: DraftKey & {
    /** `next` of the page before. */
    readonly after: ShadowDifferenceKey | null;
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
