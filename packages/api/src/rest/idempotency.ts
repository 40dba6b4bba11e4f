import { createHash } from 'node:crypto';
import { canonicalJson } from '@switchyard/db';
import {
  claimIdempotencyKey,
  completeIdempotentRequest,
  type IdempotentRequest,
  releaseIdempotentRequest,
} from '@switchyard/payments/idempotency';
import type { Switchyard } from '../process.ts';
import type { CallWithBody, WrittenAnswer } from './endpoint.ts';
import { type Answer, envelope, failures } from './envelope.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;
const INVALID_KEY = {
  field: 'Idempotency-Key',
  code: 'invalid_format',
  rule: 'must be 1 to 255 visible ASCII characters',
} as const;
/** Longer than the budget of one initiate, so that no request that is still worked on loses its lock. */
const LOCK_MS = 60_000;
const RELEASE_AGAIN_MS = 1_000;

/** One run of a request. */
export interface IdempotentRun {
  /** The id of the resource to create. */
  readonly resourceId: string;
  /** True when an earlier run began in a process that has ended: the resource may exist, and no other process works on it for this request. */
  readonly abandoned: boolean;
}

/**
 * Runs a request once per `Idempotency-Key`; without the header it runs unconditionally. The same key and body returns the stored
 * response byte for byte, 409 while the first request is in flight, and 422 for another body. A request whose process has ended runs
 * again with the same resource id, from about 2.5 seconds later on.
 */
export async function onceByIdempotencyKey<Body>(
  switchyard: Switchyard,
  call: CallWithBody<Body>,
  work: (run: IdempotentRun) => Promise<Answer>,
): Promise<Answer | WrittenAnswer> {
  const { payments, resources, heartbeat } = switchyard;
  const key = call.request.headers['idempotency-key'];
  if (key === undefined) return work({ resourceId: payments.newId(), abandoned: false });
  if (!KEY.test(key)) return failures.badRequest([INVALID_KEY]);
  const record = describe(call, key, payments.newId());
  const claim = await claimIdempotencyKey({ database: resources.database, heartbeat }, record, payments.now(), LOCK_MS);
  switch (claim.kind) {
    case 'answered':
      return { kind: 'written', statusCode: claim.statusCode, body: claim.body };
    case 'in_flight':
      return failures.requestInFlight();
    case 'other_request':
      return failures.otherRequest();
    case 'run':
      return runAndStore(switchyard, { record, lockedUntil: claim.lockedUntil }, () => work(claim));
    default: {
      const never: never = claim;
      return never;
    }
  }
}

/** An idempotency key locked by this process. */
interface LockedKey {
  readonly record: IdempotentRequest;
  readonly lockedUntil: Date;
}

async function runAndStore(
  switchyard: Switchyard,
  locked: LockedKey,
  work: () => Promise<Answer>,
): Promise<Answer | WrittenAnswer> {
  const { database } = switchyard.resources;
  try {
    const outcome = await work();
    const answer = envelope(outcome);
    if (outcome.kind === 'failure' && outcome.headers?.['retry-after'] !== undefined) {
      await release(switchyard, locked);
      return outcome;
    }
    await completeIdempotentRequest(database, locked.record, answer);
    return { kind: 'written', ...answer };
  } catch (error) {
    await release(switchyard, locked).catch(() => releaseLater(switchyard, locked, performance.now() + LOCK_MS));
    throw error;
  }
}

function release({ resources }: Switchyard, { record, lockedUntil }: LockedKey): Promise<void> {
  return releaseIdempotentRequest(resources.database, record, lockedUntil);
}

/** An outage that fails a request often prevents the release of its key too: retry until the database is back. */
function releaseLater(switchyard: Switchyard, locked: LockedKey, until: number): void {
  if (performance.now() > until) return;
  const again = () => release(switchyard, locked).catch(() => releaseLater(switchyard, locked, until));
  setTimeout(again, RELEASE_AGAIN_MS).unref();
}

function describe<Body>({ caller, request, json }: CallWithBody<Body>, key: string, resourceId: string): IdempotentRequest {
  // Sorted names: bodies that differ only in the order of their fields are the same request.
  const text = `${request.method} ${request.path}\n${canonicalJson(json)}`;
  const requestHash = new Uint8Array(createHash('sha256').update(text).digest());
  return { merchantId: caller.configuration.merchant.id, mode: caller.mode, key, requestHash, resourceId };
}
