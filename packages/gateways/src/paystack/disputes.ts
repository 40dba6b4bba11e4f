import { callWithKey, get, getPage, post, put } from '../access.ts';
import { decimalToMinor, minorToDecimal, readMinor } from '../amount.ts';
import { readAction, readLookup, toNotFound, toRefusedAction } from '../answers.ts';
import { exchange, freshClient } from '../connections.ts';
import type {
  AccountAccess,
  CallOptions,
  DisputeAnswer,
  Failure,
  Gateway,
  ListedDispute,
  Outcome,
  ReportedDispute,
} from '../gateway.ts';
import type { FileBody } from '../http.ts';
import { readPage, readRows, readTime } from '../list-answers.ts';
import { failure, isSafeCheckoutUrl } from '../outcomes.ts';
import type { Redactor } from '../redact.ts';
import { unknown } from '../states.ts';
import { api } from './api.ts';
import { nextOf } from './lists.ts';
import { settings } from './settings.ts';
import { otherModeOf } from './verdict.ts';
import { type Dispute, disputeListSchema, disputeSchema, evidenceSchema, readDisputeState, uploadUrlSchema } from './wire.ts';

/**
 * `GET /dispute/{id}` (https://paystack.com/docs/api/dispute/#fetch). While a dispute is open its transaction stays `success`; once it is
 * accepted, by the merchant or after 16 hours of silence, the transaction is `reversed`, as the samples of
 * `charge.dispute.create` and `charge.dispute.resolve` show. `refund_amount` is a part where the merchant accepted a part.
 */
export const findDispute: NonNullable<Gateway['findDispute']> = async (account, query, options) => {
  const request = get(`/dispute/${encodeURIComponent(query.gatewayDisputeId)}`, options);
  return readLookup(await callWithKey(api, account, request), {
    schema: disputeSchema,
    read: ({ data }, { redactor }) => {
      if (data.id !== query.gatewayDisputeId) {
        return unknown('provider_fault', 'reference_mismatch', `${api.title} answered about another dispute.`);
      }
      const otherMode = otherModeOf(account, [data]);
      if (otherMode !== null) return { outcome: 'unknown', failure: otherMode };
      return { outcome: 'yes', value: toReported(data, redactor) };
    },
    refused: (reply) => toNotFound(api, reply, 'dispute'),
  });
};

function toReported(dispute: Dispute, redactor: Redactor): ReportedDispute {
  const minor = readMinor(dispute.refund_amount);
  const whole = readMinor(dispute.transaction.amount);
  return {
    gatewayDisputeId: dispute.id,
    reference: dispute.transaction.reference,
    transactionId: dispute.transaction.id,
    ...readDisputeState(dispute, redactor),
    category: dispute.category ?? null,
    stage: null,
    amount: minor === null || minor <= 0n ? null : minorToDecimal(minor),
    transaction: {
      amount: whole === null || whole <= 0n ? null : minorToDecimal(whole),
      currency: dispute.transaction.currency ?? null,
    },
    dueAt: readTime(dispute.dueAt),
    openedAt: readTime(dispute.createdAt ?? dispute.created_at),
    closedAt: readTime(dispute.resolvedAt),
  };
}

/** A page of `GET /dispute` (https://paystack.com/docs/api/dispute/#list). */
export const listDisputes: NonNullable<Gateway['listDisputes']> = (account, query, options) =>
  readPage(api, query, {
    path: '/dispute',
    mark: 'next',
    schema: disputeListSchema,
    fetchPage({ page, token }) {
      const span = { from: query.from.toISOString(), to: query.to.toISOString(), perPage: String(settings.rowsPerPage) };
      const search = token === null ? { ...span, page: String(page) } : { ...span, next: token };
      return callWithKey(api, account, getPage('/dispute', search, options));
    },
    read({ data, meta }, place, redactor) {
      const otherMode = otherModeOf(account, data);
      if (otherMode !== null) return { failure: otherMode };
      return { rows: readRows(data, (row) => toListed(row, redactor)), next: nextOf(meta, place, data) };
    },
  });

function toListed(dispute: Dispute, redactor: Redactor): ListedDispute | null {
  const reported = toReported(dispute, redactor);
  return reported.openedAt === null ? null : { ...reported, createdAt: reported.openedAt };
}

/**
 * Uploads a file to the address that `GET /dispute/{id}/upload_url` answers (https://paystack.com/docs/api/dispute/#upload-url), which is at a
 * store of files and carries its own signature.
 */
export const uploadEvidence: NonNullable<Gateway['uploadEvidence']> = async (account, file, options) => {
  const startedAt = performance.now();
  const path = `/dispute/${encodeURIComponent(file.gatewayDisputeId)}/upload_url`;
  const request = getPage(path, { upload_filename: file.fileName }, options);
  const place = readLookup(await callWithKey(api, account, request), {
    schema: uploadUrlSchema,
    read: ({ data }) => ({ outcome: 'yes', value: data }) as const,
    refused: (reply) => toNotFound(api, reply, 'dispute'),
  });
  if (place.outcome !== 'yes') return place;
  const { signedUrl, fileName } = place.value;
  const body = { contentType: file.mediaType, bytes: file.content };
  const timeoutMs = options.timeoutMs - (performance.now() - startedAt);
  const problem = await putFile(account, signedUrl, body, { hosts: settings.fileHosts, title: api.title, timeoutMs });
  return problem === null
    ? { outcome: 'yes', value: fileName, call: place.call }
    : { outcome: 'unknown', failure: problem, call: place.call };
};

/**
 * `PUT /dispute/{id}/resolve` (https://paystack.com/docs/api/dispute/#resolve), after `POST /dispute/{id}/evidence` of a contested one. The
 * amount is required there also when nothing goes back.
 */
export const answerDispute: NonNullable<Gateway['answerDispute']> = async (account, answer, options) => {
  const startedAt = performance.now();
  const evidence = await addEvidence(account, answer, options);
  if (evidence !== null && evidence.outcome !== 'yes') return toNotAnswered(evidence);
  const body = {
    resolution: answer.action === 'accept' ? 'merchant-accepted' : 'declined',
    message: answer.message,
    refund_amount: Number(decimalToMinor(answer.amount)),
    uploaded_filename: answer.evidence ?? '',
    ...(evidence !== null && { evidence: Number(evidence.value) }),
  };
  const timeoutMs = options.timeoutMs - (performance.now() - startedAt);
  const path = `/dispute/${encodeURIComponent(answer.gatewayDisputeId)}/resolve`;
  return readAction(await callWithKey(api, account, put(path, body, { repeatable: false, timeoutMs })), {
    schema: disputeSchema,
    read({ data }, { redactor }) {
      if (data.id === answer.gatewayDisputeId) return { outcome: 'yes', value: readDisputeState(data, redactor) } as const;
      return unknown('provider_fault', 'reference_mismatch', `${api.title} answered about another dispute.`);
    },
    refused: (reply) => toRefusedAction(api, reply, 'dispute'),
  });
};

/** Outcome of an answer whose evidence could not be added: nothing was answered, whatever became of the evidence. */
function toNotAnswered({ failure: reason, call }: Exclude<Outcome<never>, { outcome: 'yes' }>) {
  const message = `The dispute was not answered, as its evidence could not be added. ${reason.message}`;
  return { outcome: 'no', failure: failure(reason.class, reason.code, message), call } as const;
}

/** The id of the evidence of a contested dispute; null where there is none to add. */
async function addEvidence(
  account: AccountAccess,
  { gatewayDisputeId, customer }: DisputeAnswer,
  options: CallOptions,
): Promise<Outcome<string> | null> {
  if (customer === null) return null;
  const { name, email, phone, service } = customer;
  const body = { customer_email: email, customer_name: name, customer_phone: phone ?? '', service_details: service };
  const request = post(`/dispute/${encodeURIComponent(gatewayDisputeId)}/evidence`, body, { repeatable: false, ...options });
  return readAction(await callWithKey(api, account, request), {
    schema: evidenceSchema,
    read: ({ data }) => ({ outcome: 'yes', value: data.id }) as const,
    refused: (reply) => toRefusedAction(api, reply, 'dispute'),
  });
}

/** Most answer bytes read of a store of files: an error of it is a few lines of XML. */
const ANSWER_MAX_BYTES = 16 * 1024;

/** Where a file may be put, and who names the place. */
interface FilePlace extends CallOptions {
  /** Hosts (exact, or `.suffix`) of live accounts; test accounts may point at their own. */
  readonly hosts: readonly string[];
  readonly title: string;
}

/** Puts a file at an address that a gateway signed. Null when the store took it, else why not. Never throws. */
async function putFile(
  account: AccountAccess,
  address: string,
  { contentType, bytes }: FileBody,
  { hosts, title, timeoutMs }: FilePlace,
): Promise<Failure | null> {
  if (!isSafeCheckoutUrl(address, account, { live: hosts, test: hosts })) {
    return failure('provider_fault', 'malformed_answer', `${title} sent an address that no file may be sent to.`);
  }
  const url = new URL(address);
  const client = freshClient(url.origin);
  const request = {
    method: 'PUT',
    path: url.pathname + url.search,
    headers: { 'content-type': contentType, 'accept-encoding': 'identity' },
    body: Buffer.from(bytes),
    maxBytes: ANSWER_MAX_BYTES,
  } as const;
  const result = await exchange(client, request, timeoutMs);
  await client.destroy();
  if (result.kind === 'broken') {
    return failure(
      'provider_fault',
      result.why === 'timeout' ? 'timeout' : 'connection_lost',
      `${title} took no file (${result.detail}).`,
    );
  }
  if (result.status >= 200 && result.status < 300) return null;
  return failure('provider_fault', 'request_rejected', `${title} took no file: its store answered ${result.status}.`);
}
