import { createHash } from 'node:crypto';
import type { Database } from '@switchyard/db';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from './network-of.ts';

const TABLE = 'staff_sign_in_limit';
const HOUR_SECONDS = 3_600;
const PASSWORDS_PER_PERSON = 10;
const PASSWORDS_PER_ADDRESS = 100;
const RESETS_PER_PERSON = 3;
const RESETS_PER_ADDRESS = 20;
/** Longer than a one-time code is accepted, clock drift included. */
const CODE_LIFETIME_SECONDS = 150;

/** Refused for now; the caller may retry after `retryAfterSeconds`. */
export interface SignInRefusal {
  readonly retryAfterSeconds: number;
}

/** Counts sign-in attempts in the database, shared by all processes. */
export interface SignInLimits {
  /**
   * Counts one password attempt for an e-mail address from a network address, before it is checked; known and unknown addresses are
   * counted alike.
   */
  tryPassword(email: string, address: string | null): Promise<SignInRefusal | null>;
  /** The password was right: the count of the staff user is reset. */
  passwordWasRight(email: string): Promise<void>;
  /**
   * Counts a request for a reset link from the sign-in page. Exceeding the limit of `address` is reported; exceeding that of one
   * e-mail address only leaves the e-mail unsent, so that the response does not reveal whether a staff user has it.
   */
  askReset(email: string, address: string | null): Promise<'send' | 'leave' | SignInRefusal>;
  /** True if this staff user's code has been used before; does not consume it. */
  isCodeSpent(staffId: string, code: string): Promise<boolean>;
  /** Consumes a code of this staff user. False when it has been used before. */
  spendCode(staffId: string, code: string): Promise<boolean>;
}

/** Limits of failed sign-ins by staff user and by {@link networkOf | network}, shared by all processes through the database. */
export function openSignInLimits(database: Database): SignInLimits {
  const table = { storeClient: database.pool, tableName: TABLE, tableCreated: true, clearExpiredByTimeout: false };
  const person = new RateLimiterPostgres({
    ...table,
    keyPrefix: 'person',
    points: PASSWORDS_PER_PERSON,
    duration: HOUR_SECONDS,
  });
  const address = new RateLimiterPostgres({
    ...table,
    keyPrefix: 'address',
    points: PASSWORDS_PER_ADDRESS,
    duration: HOUR_SECONDS,
  });
  const code = new RateLimiterPostgres({ ...table, keyPrefix: 'code', points: 1, duration: CODE_LIFETIME_SECONDS });
  const resetsOf = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({ ...table, keyPrefix, points, duration: HOUR_SECONDS });
  const resetPerson = resetsOf('reset', RESETS_PER_PERSON);
  const resetAddress = resetsOf('reset-address', RESETS_PER_ADDRESS);
  return {
    async askReset(email, from) {
      const byAddress = from === null ? null : await consume(resetAddress, digest(networkOf(from)));
      if (byAddress !== null) return byAddress;
      return (await consume(resetPerson, digest(email.trim().toLowerCase()))) === null ? 'send' : 'leave';
    },
    async tryPassword(email, from) {
      const byPerson = await consume(person, digest(email.trim().toLowerCase()));
      if (byPerson !== null || from === null) return byPerson;
      return consume(address, digest(networkOf(from)));
    },
    async passwordWasRight(email) {
      await person.delete(digest(email.trim().toLowerCase()));
    },
    async isCodeSpent(staffId, digits) {
      return ((await code.get(digest(`${staffId} ${digits}`)))?.consumedPoints ?? 0) > 0;
    },
    async spendCode(staffId, digits) {
      return (await consume(code, digest(`${staffId} ${digits}`))) === null;
    },
  };
}

async function consume(limiter: RateLimiterPostgres, key: string): Promise<SignInRefusal | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (error) {
    if (error instanceof RateLimiterRes) return { retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1_000)) };
    throw error;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
