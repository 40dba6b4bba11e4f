import type { MerchantsContext } from '@switchyard/merchants';
import { CHAIN_START, type ChainBreak, type ChainPoint, type ChainState, checkChain, checkChainEnd } from './hash-chain.ts';
import { readAuditChain, readAuditHeads } from './queries.ts';

const PAGE = 1_000;
/** What one call looks through; a longer chain takes several. */
const ENTRIES_PER_CALL = 20_000;

/** A place in a chain, its hash in hexadecimal: what people can copy, keep and compare. */
export interface HeadInText {
  readonly position: number;
  readonly hash: string;
}

export interface VerifyAuditQuery {
  /** The chain: a merchant's, or the nil UUID for the workspace's. */
  readonly tenantId: string;
  /** Where an earlier call got to; null to begin. */
  readonly from: HeadInText | null;
  /** A head that somebody kept; null for none. */
  readonly kept: HeadInText | null;
}

export type VerifyAuditOutcome =
  /** Every entry is as it was written, none is missing, and the end is the recorded one. */
  | { readonly kind: 'verified'; readonly count: number; readonly head: HeadInText; readonly at: Date }
  /** All well so far; go on from here. */
  | { readonly kind: 'going_on'; readonly to: HeadInText }
  | { readonly kind: 'broken'; readonly position: number; readonly why: ChainBreak; readonly at: Date };

/** Looks through a chain for what was changed, taken out, put in another order or cut off, 20,000 entries a call. */
export async function verifyAudit(context: MerchantsContext, query: VerifyAuditQuery): Promise<VerifyAuditOutcome> {
  const { database } = context.resources;
  const { tenantId } = query;
  const kept = query.kept === null ? null : fromText(query.kept);
  // Read before the entries: what is appended meanwhile lies past it, and is left for the next time.
  const head = (await readAuditHeads(database, [tenantId]))[0] ?? null;
  const start = query.from === null ? CHAIN_START : fromText(query.from);
  let at = start;
  while (at.position - start.position < ENTRIES_PER_CALL) {
    const entries = await readAuditChain(database, tenantId, at.position, PAGE);
    const upToHead = head === null ? entries : entries.filter(({ position }) => position <= head.position);
    const state = checkChain(at, upToHead, kept);
    if (state.kind === 'broken') return told(context, state);
    at = state.to;
    if (upToHead.length < PAGE) return told(context, await theEnd(context, tenantId, at, head, kept));
  }
  return { kind: 'going_on', to: toText(at) };
}

/** Entries past the head are in order when somebody has appended them since, and with them a new head. */
async function theEnd(
  context: MerchantsContext,
  tenantId: string,
  at: ChainPoint,
  head: ChainPoint | null,
  kept: ChainPoint | null,
): Promise<ChainState> {
  const { database } = context.resources;
  const [after, [now]] = await Promise.all([
    readAuditChain(database, tenantId, at.position, 1),
    readAuditHeads(database, [tenantId]),
  ]);
  const wentOn = (now?.position ?? 0) > (head?.position ?? 0);
  if (after.length > 0 && !wentOn) return { kind: 'broken', at: at.position + 1, why: 'past_head' };
  return checkChainEnd(at, head, wentOn && kept !== null && kept.position > at.position ? null : kept);
}

function told(context: MerchantsContext, state: ChainState): VerifyAuditOutcome {
  const at = context.now();
  if (state.kind === 'broken') return { kind: 'broken', position: state.at, why: state.why, at };
  return { kind: 'verified', count: state.to.position, head: toText(state.to), at };
}

/** The recorded heads of chains, as text. */
export async function listAuditHeads(
  context: MerchantsContext,
  tenantIds: readonly string[],
): Promise<(HeadInText & { readonly tenantId: string; readonly updatedAt: Date })[]> {
  const heads = await readAuditHeads(context.resources.database, tenantIds);
  return heads.map(({ tenantId, updatedAt, ...point }) => ({ tenantId, updatedAt, ...toText(point) }));
}

function toText({ position, hash }: ChainPoint): HeadInText {
  return { position, hash: Buffer.from(hash).toString('hex') };
}

function fromText({ position, hash }: HeadInText): ChainPoint {
  return { position, hash: Buffer.from(hash, 'hex') };
}
