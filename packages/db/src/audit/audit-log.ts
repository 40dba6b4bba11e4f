import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, createHmac } from 'node:crypto';
import type { Prisma } from '../generated/client.ts';
import type { JsonValue } from '../json.ts';
import { toPrismaJson } from '../json.ts';
import { newId } from '../uuid-v7.ts';
import type { AuditKey, AuditKeys } from './audit-keys.ts';

/** Previous hash of the first entry of a chain. */
export const FIRST_PREVIOUS: Uint8Array = new Uint8Array(32);

/** An audit log entry: which actor did what to which object, with its state before and after. */
export interface NewAuditEntry {
  readonly tenantId: string;
  readonly entryId: string;
  readonly actor: string;
  /** `merchant.created`, `api_key.revoked`, … */
  readonly action: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly before: JsonValue;
  readonly after: JsonValue;
}

const tokenInUse = new AsyncLocalStorage<string>();
const THROUGH_AGENT = ' through agent:';

/**
 * Runs work of an agent with a machine token: every audit entry written meanwhile names the token beside the staff user that it belongs to.
 * The records themselves name the staff user alone, so that a person does not approve what their own agent wrote.
 */
export function withMachineToken<Result>(tokenId: string, work: () => Promise<Result>): Promise<Result> {
  return tokenInUse.run(tokenId, work);
}

/** The actor of an audit entry taken apart; `tokenId` is null for what no agent did. */
export function splitAuditActor(actor: string): { readonly actor: string; readonly tokenId: string | null } {
  const [who = actor, tokenId = null] = actor.split(THROUGH_AGENT);
  return { actor: who, tokenId };
}

/** The last link of a chain: what the next entry continues. */
interface LastLink {
  readonly position: number;
  readonly hash: Uint8Array;
  readonly isKeyed: boolean;
}

/**
 * Appends to the tenant's hash chain inside the caller's transaction. Each entry's keyed hash covers the one before, so that a change,
 * a gap or a reordering is detected; the sealed head records the length of the chain. A chain that was begun without a key gets an entry
 * that records the change first. Writers of one tenant wait for each other.
 */
export async function appendAuditEntry(
  transaction: Prisma.TransactionClient,
  keys: AuditKeys,
  entry: NewAuditEntry,
  now: Date,
): Promise<void> {
  const { tenantId } = entry;
  let last = await lockChain(transaction, tenantId);
  if (isUnkeyed(last)) last = await link(transaction, keys, startOfKey(tenantId, keys, last), last, now);
  await link(transaction, keys, withToken(entry), last, now);
}

/** {@link appendAuditEntry} of many entries of one tenant, in a few statements. */
export async function appendAuditEntries(
  transaction: Prisma.TransactionClient,
  keys: AuditKeys,
  [first, ...others]: readonly NewAuditEntry[],
  now: Date,
): Promise<void> {
  if (first === undefined) return;
  const { tenantId } = first;
  await appendAuditEntry(transaction, keys, first, now);
  let last: LastLink = await lockChain(transaction, tenantId);
  const rows = others.map((entry) => {
    const row = linkedRow(keys.writer, withToken(entry), last, now);
    last = { position: row.position, hash: row.hash, isKeyed: true };
    return row;
  });
  if (rows.length === 0) return;
  await transaction.auditEntry.createMany({ data: rows });
  const { position } = last;
  const hash = new Uint8Array(last.hash);
  const seal = new Uint8Array(sealAuditHead(tenantId, last, keys.writer));
  await transaction.auditHead.update({
    where: { tenantId },
    data: { position, hash, keyId: keys.writer.id, seal, updatedAt: now },
  });
}

/** An entry whose actor names the machine token in use. */
function withToken(entry: NewAuditEntry): NewAuditEntry {
  const tokenId = tokenInUse.getStore();
  return tokenId === undefined ? entry : { ...entry, actor: `${entry.actor}${THROUGH_AGENT}${tokenId}` };
}

/**
 * Records that a tenant's chain is keyed from here on, inside the caller's transaction. Returns whether that was missing: nothing is
 * written to an empty chain or a keyed one.
 */
export async function keyAuditChain(
  transaction: Prisma.TransactionClient,
  keys: AuditKeys,
  tenantId: string,
  now: Date,
): Promise<boolean> {
  const last = await lockChain(transaction, tenantId);
  if (!isUnkeyed(last)) return false;
  await link(transaction, keys, startOfKey(tenantId, keys, last), last, now);
  return true;
}

function isUnkeyed({ position, isKeyed }: LastLink): boolean {
  return position > 0 && !isKeyed;
}

/** The entry that ends the part of a chain without a key. */
function startOfKey(tenantId: string, keys: AuditKeys, last: LastLink): NewAuditEntry {
  return {
    tenantId,
    entryId: newId(),
    actor: 'system:audit',
    action: 'audit.keyed',
    objectType: 'audit_log',
    objectId: tenantId,
    before: { position: last.position, hash: Buffer.from(last.hash).toString('hex') },
    after: { keyId: keys.writer.id },
  };
}

async function link(
  transaction: Prisma.TransactionClient,
  { writer }: AuditKeys,
  entry: NewAuditEntry,
  last: LastLink,
  now: Date,
): Promise<LastLink> {
  const { position, hash, ...row } = linkedRow(writer, entry, last, now);
  await transaction.auditEntry.create({ data: { position, hash, ...row } });
  const { tenantId } = entry;
  const seal = new Uint8Array(sealAuditHead(tenantId, { position, hash }, writer));
  const head = { position, hash, keyId: writer.id, seal, updatedAt: now };
  await transaction.auditHead.upsert({ where: { tenantId }, create: { tenantId, ...head }, update: head });
  return { position, hash, isKeyed: true };
}

/** The row of the entry after `last`. */
function linkedRow(writer: AuditKey, entry: NewAuditEntry, last: LastLink, now: Date) {
  const position = last.position + 1;
  const hash = new Uint8Array(hashAuditEntry({ ...entry, position, createdAt: now }, last.hash, writer));
  const { entryId: id, before, after, ...rest } = entry;
  const states = { before: toPrismaJson(before), after: toPrismaJson(after) };
  const chain = { position, hash, previous: new Uint8Array(last.hash), version: 2, keyId: writer.id };
  return { ...rest, ...states, ...chain, id, createdAt: now };
}

/** The link the next entry continues: the recorded head where later entries are missing, so that truncation stays detectable. */
async function lockChain(transaction: Prisma.TransactionClient, tenantId: string): Promise<LastLink> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`audit:${tenantId}`}, 0))`;
  const select = { position: true, hash: true, keyId: true };
  const [entry, head] = await Promise.all([
    transaction.auditEntry.findFirst({ where: { tenantId }, orderBy: { position: 'desc' }, select }),
    transaction.auditHead.findUnique({ where: { tenantId }, select }),
  ]);
  const last = head !== null && head.position > (entry?.position ?? 0) ? head : entry;
  if (last === null) return { position: 0, hash: FIRST_PREVIOUS, isKeyed: false };
  return { position: last.position, hash: last.hash, isKeyed: last.keyId !== null };
}

/**
 * The hash of an entry over the previous hash and the entry's fields in a fixed order: HMAC-SHA-256 with a key, whose id is covered too;
 * for entries from before there were keys, null and SHA-256.
 */
export function hashAuditEntry(
  entry: NewAuditEntry & { position: number; createdAt: Date },
  previous: Uint8Array,
  key: AuditKey | null,
): Buffer {
  const { tenantId, entryId, position, actor, action, objectType, objectId, before, after, createdAt } = entry;
  const text = JSON.stringify([
    ...(key === null ? [] : [2, key.id]),
    tenantId,
    entryId,
    position,
    actor,
    action,
    objectType,
    objectId,
    before,
    after,
    createdAt.toISOString(),
  ]);
  const hash = key === null ? createHash('sha256') : createHmac('sha256', key.secret);
  return hash.update(previous).update(text).digest();
}

/** The seal of a chain's recorded head: without the key, no other head can be put in its place. */
export function sealAuditHead(
  tenantId: string,
  { position, hash }: { readonly position: number; readonly hash: Uint8Array },
  key: AuditKey,
): Buffer {
  return createHmac('sha256', key.secret)
    .update(JSON.stringify(['head', key.id, tenantId, position]))
    .update(hash)
    .digest();
}
