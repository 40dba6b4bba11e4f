import { createHash, randomFillSync } from 'node:crypto';

const POOL_BYTES = 4096;
const RANDOM_BYTES_PER_ID = 10;

/** Tenant of what belongs to no merchant; in grants, all merchants. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';

/**
 * A UUIDv7 (RFC 9562 §5.7) of now: 48 bits of milliseconds, a 12-bit counter that keeps ids of one process increasing within a millisecond,
 * and 62 random bits. Fit as a key, not as a secret.
 */
export const newId = createIds(() => Date.now());

/** A source of ids by a clock in milliseconds. Each of its ids is greater than the one before, also where the clock stalls or steps back. */
export function createIds(now: () => number): () => string {
  const pool = Buffer.allocUnsafe(POOL_BYTES);
  let used = POOL_BYTES;
  let lastMs = 0;
  let sequence = 0;

  function advance(nowMs: number, random: number): void {
    if (nowMs > lastMs) {
      lastMs = nowMs;
      sequence = random & 0x7ff;
      return;
    }
    sequence += 1;
    if (sequence > 0xfff) {
      lastMs += 1;
      sequence = random & 0x7ff;
    }
  }

  return () => {
    if (used + RANDOM_BYTES_PER_ID > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const bytes = pool.subarray(used, used + RANDOM_BYTES_PER_ID);
    used += RANDOM_BYTES_PER_ID;
    advance(now(), bytes.readUInt16BE(8));
    const time = lastMs.toString(16).padStart(12, '0');
    const variant = (0x80 | (bytes.readUInt8(0) & 0x3f)).toString(16);
    const rest = bytes.toString('hex', 1, 8);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-${variant}${rest.slice(0, 2)}-${rest.slice(2)}`;
  };
}

/** The smallest UUIDv7 of a time: ids made before it are smaller, ids made from then on are larger. Of a time that no id has, the nearest. */
export function firstIdAt(ms: number): string {
  const time = (2 ** 48 + Math.min(Math.max(ms, 0), 2 ** 48 - 1)).toString(16).slice(1);
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** The milliseconds that a UUIDv7 begins with. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True if a text is a UUID in its usual form, of any version. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** The UUID of version 8 that a text always gives, of its SHA-256. No secret. */
export function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
