import { randomUUID } from 'node:crypto';
import { postFile, put } from '../access.ts';
import { readDecimal } from '../amount.ts';
import { readAction, toRefusedAction } from '../answers.ts';
import type { Gateway, ListedDispute } from '../gateway.ts';
import type { FileBody } from '../http.ts';
import { readPage, readRows, readTime } from '../list-answers.ts';
import type { Redactor } from '../redact.ts';
import { unknown } from '../states.ts';
import { api, callFlutterwave } from './api.ts';
import { listAt, nextOf } from './lists.ts';
import { answeredChargebackSchema, type Chargeback, chargebackListSchema, readChargebackState, uploadSchema } from './wire.ts';

/**
 * A page of `GET /chargebacks` ("Get all Chargebacks", https://developer.flutterwave.com/reference/endpoints/charge-backs). No call for a single
 * one is documented: the list's `id` is that of the transaction.
 */
export const listDisputes: NonNullable<Gateway['listDisputes']> = (account, query, options) =>
  readPage(api, query, {
    ...listAt('/chargebacks', account, query, options),
    schema: chargebackListSchema,
    read: ({ data, meta }, place, redactor) => ({
      rows: readRows(data, (row) => toListed(row, redactor)),
      next: nextOf(meta, place),
    }),
  });

function toListed(row: Chargeback, redactor: Redactor): ListedDispute | null {
  const amount = readDecimal(row.amount);
  const openedAt = readTime(row.created_at);
  if (amount === null || amount === '0' || openedAt === null) return null;
  const reading = readChargebackState(row, redactor);
  const isOpen = reading.state === 'needs_response' || reading.state === 'under_review';
  return {
    gatewayDisputeId: row.id,
    reference: row.tx_ref,
    transactionId: row.transaction_id,
    ...reading,
    category: 'chargeback',
    stage: row.stage ?? null,
    amount,
    dueAt: readTime(row.due_date),
    openedAt,
    closedAt: isOpen ? null : readTime(row.meta?.history.findLast(({ action }) => action === row.status)?.date),
    createdAt: openedAt,
  };
}

/** `POST /upload_image` ("Upload proof" of the same page): the answer has the link that an answer names. */
export const uploadEvidence: NonNullable<Gateway['uploadEvidence']> = async (account, file, options) => {
  const request = postFile('/upload_image', toForm(file), options);
  return readAction(await callFlutterwave(account, request), {
    schema: uploadSchema,
    read: ({ data }) => ({ outcome: 'yes', value: data }) as const,
    refused: (reply) => toRefusedAction(api, reply, 'dispute'),
  });
};

/** A form with the file as its field `image`. */
function toForm({ fileName, mediaType, content }: { fileName: string; mediaType: string; content: Uint8Array }): FileBody {
  const boundary = `switchyard-${randomUUID()}`;
  const name = fileName.replace(/[^\w.-]/g, '_');
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="${name}"\r\ncontent-type: ${mediaType}\r\n\r\n`;
  const bytes = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes };
}

/** `PUT /chargebacks/{id}` ("Accept/Decline Chargeback" of the same page). */
export const answerDispute: NonNullable<Gateway['answerDispute']> = async (account, answer, options) => {
  const body = {
    action: answer.action === 'accept' ? 'accept' : 'decline',
    comment: answer.message,
    ...(answer.evidence !== null && { prooflink: answer.evidence }),
  };
  const path = `/chargebacks/${encodeURIComponent(answer.gatewayDisputeId)}`;
  return readAction(await callFlutterwave(account, put(path, body, { repeatable: false, ...options })), {
    schema: answeredChargebackSchema,
    read(chargeback, { redactor }) {
      if (chargeback.id === answer.gatewayDisputeId)
        return { outcome: 'yes', value: readChargebackState(chargeback, redactor) } as const;
      return unknown('provider_fault', 'reference_mismatch', `${api.title} answered about another chargeback.`);
    },
    refused: (reply) => toRefusedAction(api, reply, 'dispute'),
  });
};
