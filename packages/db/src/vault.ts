import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

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
