import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type pg from 'pg';

const IV_BYTES = 12;
const KEY_BYTES = 32;

/** Encrypts secrets at rest with AES-256-GCM. Each value names the key it was written with, so that keys can rotate. */
export interface Vault {
  /** Seals a text. The same `boundTo` is needed to open it: a sealed value copied to another row does not open. */
  seal(text: string, boundTo: string): string;
  /** Opens a sealed value; throws {@link VaultError} when the key is unknown, the binding differs or a bit has changed. */
  open(sealed: string, boundTo: string): string;
  /** True if the value was sealed with a key that is no longer the first one. */
  isStale(sealed: string): boolean;
  /** The id of the key that a value was sealed with, which may be one that this ring does not have. */
  keyIdOf(sealed: string): string;
  /** The ids of the ring's keys; the first one writes. */
  readonly keyIds: readonly string[];
}

/** The key ring does not parse, or a sealed value does not open. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
}

/**
 * Reads a key ring `id:base64,id:base64` of 32-byte keys: the first one writes, all of them read.
 * Throws {@link VaultError} when it does not parse.
 */
export function openVault(keyRing: string): Vault {
  const keys = parseKeyRing(keyRing);
  const [writer] = keys;
  if (writer === undefined) throw new VaultError('the encryption key ring is empty');
  const [writerId, writerKey] = writer;
  const byId = new Map(keys);
  return {
    seal(text, boundTo) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', writerKey, iv).setAAD(Buffer.from(`${writerId}|${boundTo}`));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return [
        'v1',
        writerId,
        iv.toString('base64url'),
        cipher.getAuthTag().toString('base64url'),
        body.toString('base64url'),
      ].join('.');
    },
    open(sealed, boundTo) {
      const { keyId, iv, tag, body } = parseSealed(sealed);
      const key = byId.get(keyId);
      if (key === undefined) throw new VaultError(`no encryption key has the id ${keyId}`);
      const decipher = createDecipheriv('aes-256-gcm', key, iv)
        .setAAD(Buffer.from(`${keyId}|${boundTo}`))
        .setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch {
        throw new VaultError('a sealed value was changed, or belongs to another row');
      }
    },
    isStale: (sealed) => parseSealed(sealed).keyId !== writerId,
    keyIdOf: (sealed) => parseSealed(sealed).keyId,
    keyIds: keys.map(([id]) => id),
  };
}

/** Reads a key ring `id:base64,id:base64` of 32-byte keys. Throws {@link VaultError} when it does not parse. */
export function parseKeyRing(keyRing: string): [string, KeyObject][] {
  return keyRing
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map((entry) => {
      const [id, encoded, ...rest] = entry.trim().split(':');
      const key = Buffer.from(encoded ?? '', 'base64');
      if (id === undefined || !/^[A-Za-z0-9_-]{1,32}$/.test(id) || rest.length > 0 || key.length !== KEY_BYTES) {
        throw new VaultError('an encryption key must be written <id>:<base64 of 32 bytes>');
      }
      return [id, createSecretKey(key)];
    });
}

function parseSealed(sealed: string): { keyId: string; iv: Buffer; tag: Buffer; body: Buffer } {
  const [version, keyId, iv, tag, body, ...rest] = sealed.split('.');
  if (version !== 'v1' || keyId === undefined || iv === undefined || tag === undefined || body === undefined || rest.length > 0) {
    throw new VaultError('not a sealed value');
  }
  const parts = {
    keyId,
    iv: Buffer.from(iv, 'base64url'),
    tag: Buffer.from(tag, 'base64url'),
    body: Buffer.from(body, 'base64url'),
  };
  if (parts.tag.length !== 16 || parts.iv.length !== IV_BYTES) throw new VaultError('not a sealed value');
  return parts;
}

/** A row with sealed values. */
export interface SealedRow {
  readonly merchantId: string;
  readonly id: string;
  readonly sealed: readonly string[];
}

/** A row whose values were sealed again, with the values it had. */
export interface ResealedRow extends SealedRow {
  readonly previous: readonly string[];
}

/** The rows of one table that hold sealed values. The feature that writes the table describes them. */
export interface SealedRows {
  /** Plural, for people: `gateway credentials`. */
  readonly name: string;
  /** Up to `limit` rows that come after another one, in the order of merchant and id. */
  list(pool: pg.Pool, after: Pick<SealedRow, 'merchantId' | 'id'>, limit: number): Promise<readonly SealedRow[]>;
  /** Binding of a row's sealed values. */
  bindingOf(row: SealedRow): string;
  /** Replaces the values of rows in one statement. A row that has other values by now stays as it is. Returns how many were replaced. */
  replace(pool: pg.Pool, rows: readonly ResealedRow[]): Promise<number>;
}

/** Counts of sealed values by the id of the key they were sealed with. */
export type CountsByKey = ReadonlyMap<string, number>;

/** Result of a pass over sealed rows. */
export interface ResealResult {
  /** Rows that are sealed with the first key now and were not before. */
  readonly resealed: number;
  /** Rows that do not open: changed, or copied from another row. They stay as they are. */
  readonly broken: readonly Pick<SealedRow, 'merchantId' | 'id'>[];
}

/** Each batch is one short statement, so that nothing waits for it. */
const BATCH_ROWS = 200;
const BEFORE_ALL = { merchantId: '00000000-0000-0000-0000-000000000000', id: '00000000-0000-0000-0000-000000000000' };

async function* batches(pool: pg.Pool, rows: SealedRows): AsyncGenerator<readonly SealedRow[]> {
  let after: Pick<SealedRow, 'merchantId' | 'id'> = BEFORE_ALL;
  for (;;) {
    const batch = await rows.list(pool, after, BATCH_ROWS);
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    after = last;
  }
}

/** Counts sealed values by key. Throws {@link VaultError} for a value that is not sealed. */
export async function countByKey(pool: pg.Pool, vault: Vault, rows: SealedRows): Promise<CountsByKey> {
  const counts = new Map<string, number>();
  for await (const batch of batches(pool, rows)) {
    for (const sealed of batch.flatMap((row) => row.sealed)) {
      const keyId = vault.keyIdOf(sealed);
      counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
    }
  }
  return counts;
}

/**
 * Seals values of older keys again with the first key, in batches, while others read and write the rows. Can be interrupted and
 * repeated at any point: what is sealed with the first key is left alone.
 */
export async function resealRows(pool: pg.Pool, vault: Vault, rows: SealedRows): Promise<ResealResult> {
  const broken: Pick<SealedRow, 'merchantId' | 'id'>[] = [];
  let resealed = 0;
  for await (const batch of batches(pool, rows)) {
    const replacements: ResealedRow[] = [];
    for (const row of batch.filter(({ sealed }) => sealed.some((value) => vault.isStale(value)))) {
      const values = resealValues(vault, row, rows.bindingOf(row));
      if (values === null) broken.push({ merchantId: row.merchantId, id: row.id });
      else replacements.push({ merchantId: row.merchantId, id: row.id, sealed: values, previous: row.sealed });
    }
    if (replacements.length > 0) resealed += await rows.replace(pool, replacements);
  }
  return { resealed, broken };
}

/** Null when one of the values does not open. */
function resealValues(vault: Vault, { sealed }: SealedRow, binding: string): string[] | null {
  try {
    return sealed.map((value) => (vault.isStale(value) ? vault.seal(vault.open(value, binding), binding) : value));
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}
