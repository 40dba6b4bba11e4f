import { hash, verify } from '@node-rs/argon2';

/** Fewest characters of a password. */
export const PASSWORD_MIN = 12;

/** Most characters of a password: hashing a longer one would cost too much. */
export const PASSWORD_MAX = 128;

/** OWASP's first choice for argon2id, which is the default algorithm: 19 MiB, two passes, parallelism 1. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const RUNNING_MAX = 2;
const WAITING_MAX = 64;

/** Too many password computations are queued; the caller retries later. */
export class PasswordQueueFullError extends Error {
  override readonly name = 'PasswordQueueFullError';
}

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs two computations at a time with a bounded queue: a flood of sign-ins must not exhaust the thread pool or the memory that
 * payments need.
 */
async function queued<T>(work: () => Promise<T>): Promise<T> {
  if (running >= RUNNING_MAX) {
    if (waiting.length >= WAITING_MAX) throw new PasswordQueueFullError('too many passwords are being checked');
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}

/** The argon2id hash of a password in its PHC form. */
export function hashPassword(password: string): Promise<string> {
  return queued(() => hash(password, COST));
}

/** True if a password matches a hash. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return queued(() => verify(passwordHash, password));
}
