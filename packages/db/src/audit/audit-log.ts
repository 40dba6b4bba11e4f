import { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import type { Prisma } from '../generated/client.ts';
import { type JsonValue, toPrismaJson } from '../json.ts';
import { parseKeyRing, VaultError } from '../vault.ts';

/** A key that entries of the audit log are hashed with. The database holds its id only. */
export interface AuditKey {
  readonly id: string;
  readonly secret: Uint8Array;
}

/** The keys of the audit log: one that new entries are hashed with, and all that entries may have been hashed with. */
export interface AuditKeys {
  readonly writer: AuditKey;
  /** The key of an id, or undefined when this process does not hold it. */
  find(keyId: string): AuditKey | undefined;
}

/** The rings that keys of the audit log are derived from. */
interface AuditKeySources {
  /** `SWITCHYARD_AUDIT_KEYS`, written as an encryption key ring; undefined or empty when not set. */
  readonly auditKeys: string | undefined;
  /** `SWITCHYARD_ENCRYPTION_KEYS`. */
  readonly encryptionKeys: string;
}

const KEY_BYTES = 32;
const PURPOSE = 'switchyard/audit-chain';
const FROM_ENCRYPTION = 'encryption/';

/**
 * The keys of the audit log. Entries are never written again, so a key is needed for as long as its entries are to be verified, while
 * an encryption key is dropped once what it sealed is sealed anew. A ring of its own, `SWITCHYARD_AUDIT_KEYS`, keeps the two apart: its
 * first key writes. Without one, keys are derived from the encryption keys, and those stay readable after a ring of its own is set.
 * Throws {@link VaultError} when a ring does not parse.
 */
export function openAuditKeys({ auditKeys = '', encryptionKeys }: AuditKeySources): AuditKeys {
  const keys = [
    ...parseKeyRing(auditKeys).map(([id, key]) => deriveKey(id, key)),
    ...parseKeyRing(encryptionKeys).map(([id, key]) => deriveKey(`${FROM_ENCRYPTION}${id}`, key)),
  ];
  const [writer] = keys;
  if (writer === undefined) throw new VaultError('there is no key for the audit log');
  const byId = new Map(keys.map((key) => [key.id, key]));
  return { writer, find: (keyId) => byId.get(keyId) };
}

function deriveKey(id: string, key: KeyObject): AuditKey {
  return { id, secret: new Uint8Array(hkdfSync('sha256', key, new Uint8Array(), PURPOSE, KEY_BYTES)) };
}

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
}

/**
 * Appends to the tenant's hash chain inside the caller's transaction. Each entry's keyed hash covers the one before, so that a change,
 * a gap or a reordering is detected; the sealed head records the length of the chain. Writers of one tenant wait for each other.
 */
export async function appendAuditEntry(
  transaction: Prisma.TransactionClient,
  keys: AuditKeys,
  entry: NewAuditEntry,
  now: Date,
): Promise<void> {
  const { tenantId } = entry;
  const last = await lockChain(transaction, tenantId);
  const { position, hash, ...row } = linkedRow(keys.writer, withToken(entry), last, now);
  await transaction.auditEntry.create({ data: { position, hash, ...row } });
  const seal = new Uint8Array(sealAuditHead(tenantId, { position, hash }, keys.writer));
  const head = { position, hash, keyId: keys.writer.id, seal, updatedAt: now };
  await transaction.auditHead.upsert({ where: { tenantId }, create: { tenantId, ...head }, update: head });
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
    const { position, hash, previous, ...row } = linkedRow(keys.writer, withToken(entry), last, now);
    last = { position, hash };
    const states = { before: JSON.stringify(entry.before), after: JSON.stringify(entry.after) };
    return { ...row, ...states, position, hash: hexOf(hash), previous: hexOf(previous) };
  });
  if (rows.length === 0) return;
  // One parameter: binding a value for each column of thousands of rows takes seconds.
  await transaction.$executeRaw`
    INSERT INTO audit_entry (tenant_id, id, position, actor, action, object_type, object_id, before, after, created_at, previous, hash, key_id)
    SELECT ${tenantId}::uuid, id, position, actor, action, "objectType", "objectId", before::json, after::json, ${now},
      decode(previous, 'hex'), decode(hash, 'hex'), "keyId"
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS row (id uuid, position int, actor text, action text, "objectType" text,
      "objectId" text, before text, after text, previous text, hash text, "keyId" text)`;
  const { position } = last;
  const hash = new Uint8Array(last.hash);
  const seal = new Uint8Array(sealAuditHead(tenantId, last, keys.writer));
  await transaction.auditHead.update({
    where: { tenantId },
    data: { position, hash, keyId: keys.writer.id, seal, updatedAt: now },
  });
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** An entry whose actor names the machine token in use. */
function withToken(entry: NewAuditEntry): NewAuditEntry {
  const tokenId = tokenInUse.getStore();
  return tokenId === undefined ? entry : { ...entry, actor: `${entry.actor}${THROUGH_AGENT}${tokenId}` };
}

/** The row of the entry after `last`. */
function linkedRow(writer: AuditKey, entry: NewAuditEntry, last: LastLink, now: Date) {
  const position = last.position + 1;
  const hash = new Uint8Array(hashAuditEntry({ ...entry, position, createdAt: now }, last.hash, writer));
  const { entryId: id, before, after, ...rest } = entry;
  const states = { before: toPrismaJson(before), after: toPrismaJson(after) };
  const chain = { position, hash, previous: new Uint8Array(last.hash), keyId: writer.id };
  return { ...rest, ...states, ...chain, id, createdAt: now };
}

/** The link the next entry continues: the recorded head where later entries are missing, so that truncation stays detectable. */
async function lockChain(transaction: Prisma.TransactionClient, tenantId: string): Promise<LastLink> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`audit:${tenantId}`}, 0))`;
  const select = { position: true, hash: true };
  const [entry, head] = await Promise.all([
    transaction.auditEntry.findFirst({ where: { tenantId }, orderBy: { position: 'desc' }, select }),
    transaction.auditHead.findUnique({ where: { tenantId }, select }),
  ]);
  const last = head !== null && head.position > (entry?.position ?? 0) ? head : entry;
  return last ?? { position: 0, hash: FIRST_PREVIOUS };
}

/** The hash of an entry over the previous hash, the key's id and the entry's fields in a fixed order: HMAC-SHA-256. */
export function hashAuditEntry(
  entry: NewAuditEntry & { position: number; createdAt: Date },
  previous: Uint8Array,
  key: AuditKey,
): Buffer {
  const { tenantId, entryId, position, actor, action, objectType, objectId, before, after, createdAt } = entry;
  const text = JSON.stringify([
    key.id,
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
  return createHmac('sha256', key.secret).update(previous).update(text).digest();
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
