import { hkdfSync, type KeyObject } from 'node:crypto';
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
export interface AuditKeySources {
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
    ...parseKeyRing(auditKeys).map(([id, key]) => derive(id, key)),
    ...parseKeyRing(encryptionKeys).map(([id, key]) => derive(`${FROM_ENCRYPTION}${id}`, key)),
  ];
  const [writer] = keys;
  if (writer === undefined) throw new VaultError('there is no key for the audit log');
  const byId = new Map(keys.map((key) => [key.id, key]));
  return { writer, find: (keyId) => byId.get(keyId) };
}

function derive(id: string, key: KeyObject): AuditKey {
  return { id, secret: new Uint8Array(hkdfSync('sha256', key, new Uint8Array(), PURPOSE, KEY_BYTES)) };
}
