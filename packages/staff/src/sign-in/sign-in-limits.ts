import { createHash } from 'node:crypto';
import type { Database } from '@switchyard/db';
import ipaddr from 'ipaddr.js';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

const TABLE = 'staff_sign_in_limit';
const HOUR_SECONDS = 3_600;
/** From one network, from one known device, or in one session. */
const PASSWORDS_FOR_ONE_PERSON = 10;
const PASSWORDS_PER_NETWORK = 100;
const PASSWORDS_PER_PERSON = 100;
const RECORDED_REFUSALS = 100;
const RESETS_PER_PERSON = 3;
const RESETS_PER_NETWORK = 20;
/** Longer than a one-time code is accepted, clock drift included. */
const CODE_LIFETIME_SECONDS = 150;

/** Refused for now; the caller may retry after `retryAfterSeconds`. */
export interface SignInRefusal {
  readonly retryAfterSeconds: number;
}

/** A try of a password at sign-in. */
export interface PasswordTry {
  /** In lower case, without spaces around it. */
  readonly email: string;
  /** The client's address, or null where it is unknown. */
  readonly address: string | null;
  /** The id of a device in which this person has signed in before, or null. */
  readonly device: string | null;
}

/** The decision about a try. */
export type PasswordTryOutcome =
  | { readonly kind: 'allowed' }
  /** The person is being tried from many networks: only the right password of one with a second factor may go on, to the code. */
  | ({ readonly kind: 'second_factor_only' } & SignInRefusal)
  | ({ readonly kind: 'refused' } & SignInRefusal);

/** Counts sign-in attempts in the database, shared by all processes. */
export interface SignInLimits {
  /**
   * Counts a try before the password is checked; known and unknown e-mail addresses are counted alike. A known device has a count of
   * its own, so that others' tries, from wherever, do not shut its person out.
   */
  tryPassword(attempt: PasswordTry): Promise<PasswordTryOutcome>;
  /**
   * Counts a refused sign-in before it is recorded. False beyond a hundred an hour from a known device or a network, so that no one fills the
   * audit log.
   */
  mayRecord(from: Pick<PasswordTry, 'address' | 'device'>): Promise<boolean>;
  /** Counts a step of a sign-in by a provider with the passwords tried from this network. */
  tryProvider(address: string | null): Promise<SignInRefusal | null>;
  /** The person has signed in, with all factors: their count for this network is reset. */
  signedIn(by: Pick<PasswordTry, 'email' | 'address'>): Promise<void>;
  /** Counts a repeated password check within a session, so that a stolen one cannot be used to guess the password. */
  tryInSession(sessionId: string): Promise<SignInRefusal | null>;
  /** The password was right: the count of the session is reset. */
  rightInSession(sessionId: string): Promise<void>;
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

/** Limits of sign-ins by staff user, {@link networkOf | network} and device, shared by all processes through the database. */
export function openSignInLimits(database: Database): SignInLimits {
  const table = { storeClient: database.pool, tableName: TABLE, tableCreated: true, clearExpiredByTimeout: false };
  const limitOf = (keyPrefix: string, points: number, duration = HOUR_SECONDS) =>
    new RateLimiterPostgres({ ...table, keyPrefix, points, duration });
  const pair = limitOf('pair', PASSWORDS_FOR_ONE_PERSON);
  const device = limitOf('device', PASSWORDS_FOR_ONE_PERSON);
  const session = limitOf('session', PASSWORDS_FOR_ONE_PERSON);
  const network = limitOf('network', PASSWORDS_PER_NETWORK);
  const person = limitOf('person', PASSWORDS_PER_PERSON);
  const recorded = limitOf('recorded', RECORDED_REFUSALS);
  const code = limitOf('code', 1, CODE_LIFETIME_SECONDS);
  const resetPerson = limitOf('reset', RESETS_PER_PERSON);
  const resetNetwork = limitOf('reset-network', RESETS_PER_NETWORK);
  const consumeNetwork = (limiter: RateLimiterPostgres, address: string | null) =>
    address === null ? null : consume(limiter, digest(networkOf(address)));
  return {
    async askReset(email, address) {
      const byNetwork = await consumeNetwork(resetNetwork, address);
      if (byNetwork !== null) return byNetwork;
      return (await consume(resetPerson, digest(email.trim().toLowerCase()))) === null ? 'send' : 'leave';
    },
    async tryPassword({ email, address, device: deviceId }) {
      if (deviceId !== null) return refusedOrAllowed(await consume(device, digest(`${deviceId} ${email}`)));
      const refused = (await consume(pair, pairKey(email, address))) ?? (await consumeNetwork(network, address));
      if (refused !== null) return refusedOrAllowed(refused);
      const byPerson = await consume(person, digest(email));
      return byPerson === null ? { kind: 'allowed' } : { kind: 'second_factor_only', ...byPerson };
    },
    async mayRecord({ address, device: deviceId }) {
      // Clients whose address is unknown share one network.
      const from = deviceId ?? (address === null ? 'unknown' : networkOf(address));
      return (await consume(recorded, digest(from))) === null;
    },
    tryProvider: async (address) => consumeNetwork(network, address),
    async signedIn({ email, address }) {
      await pair.delete(pairKey(email, address));
    },
    tryInSession: (sessionId) => consume(session, digest(sessionId)),
    async rightInSession(sessionId) {
      await session.delete(digest(sessionId));
    },
    async isCodeSpent(staffId, digits) {
      return ((await code.get(digest(`${staffId} ${digits}`)))?.consumedPoints ?? 0) > 0;
    },
    async spendCode(staffId, digits) {
      return (await consume(code, digest(`${staffId} ${digits}`))) === null;
    },
  };
}

/** Clients whose address is unknown share one network. */
function pairKey(email: string, address: string | null): string {
  return digest(JSON.stringify([email, address === null ? null : networkOf(address)]));
}

function refusedOrAllowed(refusal: SignInRefusal | null): PasswordTryOutcome {
  return refusal === null ? { kind: 'allowed' } : { kind: 'refused', ...refusal };
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

/** The smallest network that a household or a server gets: one IPv6 address of it means all of them. */
const IPV6_NETWORK_BITS = 64;

/**
 * The network that a limit counts an address by: IPv4 as it is, also where IPv6 carries it (mapped, or translated as in RFC 6052), and of
 * IPv6 the first 64 bits. Text that is not an address counts as itself.
 */
export function networkOf(address: string): string {
  const text = address.trim().toLowerCase();
  if (!ipaddr.isValid(text)) return text;
  const parsed = ipaddr.process(text);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const bytes = parsed.toByteArray();
  if (parsed.range() === 'rfc6052') return ipaddr.fromByteArray(bytes.slice(-4)).toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${ipaddr.fromByteArray(bytes)}/${IPV6_NETWORK_BITS}`)}/${IPV6_NETWORK_BITS}`;
}
