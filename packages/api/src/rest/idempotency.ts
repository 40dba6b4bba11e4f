import { createHash } from 'node:crypto';
import { canonicalJson, uuidOf } from '@switchyard/db';
import {
  claimIdempotencyKey,
  completeIdempotentRequest,
  type IdempotentRequest,
  releaseIdempotentRequest,
} from '@switchyard/payments/idempotency';
import type { Switchyard } from '../process.ts';
import type { Call, CallWithBody, WrittenAnswer } from './endpoint.ts';
import { type Answer, envelope, failures } from './envelope.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;
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

/** Why a request with a key does not run. */
export type KeyRefusal = 'invalid_key' | 'in_flight' | 'other_request';

export interface StoredAnswer {
  readonly statusCode: number;
  readonly body: string;
}

/** The form that a transport answers in. */
export interface AnswerForm<Answered> {
  refuse(refusal: KeyRefusal): Answered;
  /** Null for an answer that asks to come back: it is not stored, and the request runs again. */
  toStored(answer: Answered): StoredAnswer | null;
  fromStored(stored: StoredAnswer): Answered;
}

/** The rule that an `Idempotency-Key` has to keep. */
export const KEY_RULE = 'must be 1 to 255 visible ASCII characters';

const REST_FORM: AnswerForm<Answer | WrittenAnswer> = {
  refuse(refusal) {
    switch (refusal) {
      case 'invalid_key':
        return failures.badRequest([{ field: 'Idempotency-Key', code: 'invalid_format', rule: KEY_RULE }]);
      case 'in_flight':
        return failures.requestInFlight();
      case 'other_request':
        return failures.otherRequest();
      default:
        return refusal satisfies never;
    }
  },
  toStored(answer) {
    if (answer.kind === 'written') return answer;
    return answer.kind === 'failure' && answer.headers?.['retry-after'] !== undefined ? null : envelope(answer);
  },
  fromStored: ({ statusCode, body }) => ({ kind: 'written', statusCode, body }),
};

/** Runs a request of the REST API once per `Idempotency-Key`. */
export function onceByIdempotencyKey<Body>(
  switchyard: Switchyard,
  call: CallWithBody<Body>,
  idOf: IdOf,
  work: (run: IdempotentRun) => Promise<Answer>,
): Promise<Answer | WrittenAnswer> {
  return runOnce(switchyard, call, call.json, { form: REST_FORM, idOf }, work);
}

/**
 * Runs a request once per `Idempotency-Key`; without the header it runs unconditionally. The same key and body returns the stored
 * response byte for byte; while the first request is in flight, and for another body, it is refused. A request whose process has ended runs
 * again with the same resource id, from about 2.5 seconds later on.
 */
export async function runOnce<Answered>(
  switchyard: Switchyard,
  call: Pick<Call, 'caller' | 'request'>,
  json: unknown,
  { form, idOf }: { readonly form: AnswerForm<Answered>; readonly idOf: IdOf },
  work: (run: IdempotentRun) => Promise<Answered>,
): Promise<Answered> {
  const { payments, resources, heartbeat } = switchyard;
  const key = call.request.headers['idempotency-key'];
  if (key === undefined) return work({ resourceId: payments.newId(), abandoned: false });
  if (!KEY.test(key)) return form.refuse('invalid_key');
  const described = describe(call, json, key);
  const record = { ...described, resourceId: idOf?.(described) ?? payments.newId() };
  const claim = await claimIdempotencyKey({ database: resources.database, heartbeat }, record, payments.now(), LOCK_MS);
  switch (claim.kind) {
    case 'answered':
      return form.fromStored(claim);
    case 'in_flight':
    case 'other_request':
      return form.refuse(claim.kind);
    case 'run':
      return runAndStore(switchyard, { record, lockedUntil: claim.lockedUntil }, form, () => work(claim));
    default:
      return claim satisfies never;
  }
}

/** An idempotency key locked by this process. */
interface LockedKey {
  readonly record: IdempotentRequest;
  readonly lockedUntil: Date;
}

async function runAndStore<Answered>(
  switchyard: Switchyard,
  locked: LockedKey,
  form: AnswerForm<Answered>,
  work: () => Promise<Answered>,
): Promise<Answered> {
  const { database } = switchyard.resources;
  try {
    const answer = await work();
    const stored = form.toStored(answer);
    if (stored === null) {
      await release(switchyard, locked);
      return answer;
    }
    const { statusCode, body } = stored;
    await completeIdempotentRequest(database, locked.record, { statusCode, body });
    return form.fromStored({ statusCode, body });
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

function describe({ caller, request }: Pick<Call, 'caller' | 'request'>, json: unknown, key: string): KeyedRequest {
  // Sorted names: bodies that differ only in the order of their fields are the same request.
  const text = `${request.method} ${request.path}\n${canonicalJson(json)}`;
  const requestHash = new Uint8Array(createHash('sha256').update(text).digest());
  return { merchantId: caller.configuration.merchant.id, mode: caller.mode, key, requestHash };
}

/** A request under a key. */
export type KeyedRequest = Omit<IdempotentRequest, 'resourceId'>;

/** The id of a request's resource; null for a new one each time that its key is not known. */
export type IdOf = ((request: KeyedRequest) => string) | null;

/** The id of a request's resource, of its key and itself: the same for ever, also where the record of the key is lost. */
export function idOfRequest({ merchantId, mode, key, requestHash }: KeyedRequest): string {
  return uuidOf(JSON.stringify(['idempotent-request', merchantId, mode, key, Buffer.from(requestHash).toString('hex')]));
}
