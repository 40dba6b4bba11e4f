import type { Resources } from '@switchyard/runtime';
import type { StaffContext } from '../context.ts';
import {
  CHAIN_START,
  type ChainBreak,
  type ChainHead,
  type ChainPoint,
  type ChainState,
  checkChain,
  checkChainEnd,
} from './hash-chain.ts';
import { readAuditChain, readAuditHeads } from './queries.ts';

const PAGE = 5_000;
/** Entries verified per call; a longer chain takes several calls. */
const ENTRIES_PER_CALL = 20_000;

/** Dependencies of verifying: the database, the keys of the audit log and the clock. */
export interface AuditReader {
  readonly resources: Pick<Resources, 'database' | 'auditKeys'>;
  readonly now: () => Date;
}

/** A position in a chain, with its hash in hexadecimal for people to copy and compare. */
export interface HexChainHead {
  readonly position: number;
  readonly hash: string;
}

/** A chain of the audit log, and the position to verify from. */
export interface VerifyAuditQuery {
  /** The chain: a merchant's, or the nil UUID for the workspace's. */
  readonly tenantId: string;
  /** The end of the previous call; null to start. */
  readonly from: HexChainHead | null;
  /** A head recorded outside the database; null for none. */
  readonly kept: HexChainHead | null;
}

/** Result of verifying a part of the chain of limited length. */
export type VerifyAuditOutcome =
  /** Every entry is unchanged, none is missing, and the end is the recorded one. */
  | {
      readonly kind: 'verified';
      readonly count: number;
      readonly head: HexChainHead;
      readonly at: Date;
    }
  /** Valid so far; continue from here. */
  | { readonly kind: 'continues'; readonly to: HexChainHead }
  | { readonly kind: 'broken'; readonly position: number; readonly why: ChainBreak; readonly at: Date };

/** Verifies a chain against edits, removals, reordering, forging and truncation, 20,000 entries a call unless another number is given. */
export async function verifyAudit(
  context: AuditReader,
  query: VerifyAuditQuery,
  entriesPerCall: number = ENTRIES_PER_CALL,
): Promise<VerifyAuditOutcome> {
  const { database, auditKeys } = context.resources;
  const { tenantId } = query;
  const kept = query.kept === null ? null : fromText(query.kept);
  // Read before the entries: later entries lie past this head and are verified next time.
  const head = (await readAuditHeads(database, [tenantId]))[0] ?? null;
  const start = query.from === null ? CHAIN_START : fromText(query.from);
  let at = start;
  let page = readAuditChain(database, tenantId, at.position, PAGE);
  while (at.position - start.position < entriesPerCall) {
    const entries = await page;
    // Read while these are verified.
    const last = entries.at(-1)?.position ?? at.position;
    page = readAuditChain(database, tenantId, last, PAGE);
    // Awaited by the next turn, unless this one is the last.
    page.catch(() => undefined);
    const upToHead = head === null ? entries : entries.filter(({ position }) => position <= head.position);
    const state = checkChain(at, upToHead, kept, auditKeys);
    if (state.kind === 'broken') return toOutcome(context, state);
    at = state.to;
    if (upToHead.length < PAGE) return toOutcome(context, await checkEnd(context, tenantId, at, head, kept));
  }
  return { kind: 'continues', to: toText(at) };
}

/** Entries past the head are valid when they were appended since, together with a new head. */
async function checkEnd(
  { resources: { database, auditKeys } }: AuditReader,
  tenantId: string,
  at: ChainPoint,
  head: ChainHead | null,
  kept: ChainPoint | null,
): Promise<ChainState> {
  const [after, [now]] = await Promise.all([
    readAuditChain(database, tenantId, at.position, 1),
    readAuditHeads(database, [tenantId]),
  ]);
  const hasGrown = (now?.position ?? 0) > (head?.position ?? 0);
  if (after.length > 0 && !hasGrown) return { kind: 'broken', at: at.position + 1, why: 'past_head' };
  return checkChainEnd(at, head, hasGrown && kept !== null && kept.position > at.position ? null : kept, auditKeys);
}

function toOutcome(context: AuditReader, state: ChainState): VerifyAuditOutcome {
  const at = context.now();
  if (state.kind === 'broken') return { kind: 'broken', position: state.at, why: state.why, at };
  return { kind: 'verified', count: state.to.position, head: toText(state.to), at };
}

/** The recorded heads of chains, as text. */
export async function listAuditHeads(
  context: StaffContext,
  tenantIds: readonly string[],
): Promise<(HexChainHead & { readonly tenantId: string; readonly updatedAt: Date })[]> {
  const heads = await readAuditHeads(context.resources.database, tenantIds);
  return heads.map(({ tenantId, updatedAt, ...head }) => ({ tenantId, updatedAt, ...toText(head) }));
}

function toText({ position, hash }: ChainPoint): HexChainHead {
  return { position, hash: Buffer.from(hash).toString('hex') };
}

function fromText({ position, hash }: HexChainHead): ChainPoint {
  return { position, hash: Buffer.from(hash, 'hex') };
}
