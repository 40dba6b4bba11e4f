import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  readAction,
  readLookup,
  readSuccess,
  toFoundRefund,
  toNotFound,
  toRefusedAction,
  toRefusedRefund,
  toUndecided,
} from './answers.ts';
import { byCode, byWords, ofPayment } from './error-code.ts';
import type { ErrorCode } from './gateway.ts';
import type { Answer, GatewayApi } from './gateway-api.ts';
import { createRedactor } from './redact.ts';

const refusalSchema = z.object({ code: z.string(), message: z.string() });
const schema = z.object({ id: z.string() });

const section = { title: 'Errors', address: 'https://acme.example/errors' };
const NOT_FOUND = { failure: 'not_found', statuses: [404], of: 'refund' } as const;

const errorCodes: readonly ErrorCode[] = [
  byCode('E2', 'Used before', 'ours', section, { failure: 'duplicate_reference' }),
  byWords('Not found', /not found/i, 'ours', section, NOT_FOUND),
  byWords('Try later', /try later/i, 'theirs', section),
  byWords('Timed out', /timed out/i, 'unknown', section),
  ofPayment('51', 'Insufficient funds', 'declined', section),
];

const api: GatewayApi = {
  title: 'Acme',
  baseUrl: 'https://acme.example',
  secretFields: [],
  keyPrefixes: {},
  errorCodes,
  checkoutHosts: { live: [], test: [] },
  readRefusal(reply) {
    const refusal = refusalSchema.safeParse(reply.json);
    return refusal.success ? refusal.data : null;
  },
};

function reply(json: object, { status = 200, repeated = false } = {}): Answer {
  const call = {
    method: 'POST',
    url: '',
    httpStatus: status,
    latencyMs: 1,
    request: null,
    answer: null,
    retryAfterMs: null,
  } as const;
  return { kind: 'answer', status, json, repeated, call, redactor: createRedactor([]) };
}

const REFUSED = { code: 'E1', message: 'No such plan' };

describe('a refusal of an action', () => {
  it('proves that nothing was done, unless it answers a second sending: the first may have arrived', () => {
    expect(toRefusedAction(api, reply(REFUSED), 'payment')).toMatchObject({
      outcome: 'no',
      failure: { code: 'request_rejected' },
    });
    expect(toRefusedAction(api, reply(REFUSED, { repeated: true }), 'payment')).toMatchObject({ outcome: 'unknown' });
    const unauthorised = reply(REFUSED, { status: 401, repeated: true });
    expect(toRefusedAction(api, unauthorised, 'payment')).toMatchObject({
      outcome: 'unknown',
      failure: { code: 'invalid_credentials' },
    });
  });

  it('for a used reference leaves a refund open, and no other', () => {
    const used = reply({ ...REFUSED, code: 'E2' });
    expect(toRefusedRefund(api, used)).toMatchObject({ outcome: 'unknown', failure: { code: 'duplicate_reference' } });
    expect(toRefusedRefund(api, reply(REFUSED))).toMatchObject({ outcome: 'no' });
  });

  it('that reports a fault of the gateway proves nothing', () => {
    expect(toRefusedAction(api, reply(REFUSED, { status: 503 }), 'payment')).toMatchObject({
      outcome: 'unknown',
      failure: { class: 'provider_fault', code: 'http_5xx' },
    });
  });
});

describe('the row of a refusal in its table', () => {
  const refused = (message: string, code = 'E1') => reply({ code, message }, { status: 404 });

  it('says whose fault it is, and what is left open', () => {
    expect(toRefusedAction(api, refused('Try later'), 'refund')).toMatchObject({
      outcome: 'unknown',
      failure: { class: 'provider_fault', code: 'http_5xx', gatewayCode: 'Try later' },
    });
    expect(toRefusedAction(api, refused('It timed out'), 'refund')).toMatchObject({
      outcome: 'unknown',
      failure: { class: 'our_configuration', code: 'undecided', gatewayCode: 'Timed out' },
    });
  });

  it('counts for what the call is about, and under the statuses that it names', () => {
    expect(toNotFound(api, refused('Not found'), 'refund')).toMatchObject({ outcome: 'no', failure: { code: 'not_found' } });
    expect(toNotFound(api, refused('Not found'), 'payment')).toMatchObject({
      outcome: 'unknown',
      failure: { code: 'request_rejected', gatewayCode: 'Not found' },
    });
    const elsewhere = reply({ code: 'E1', message: 'Not found' }, { status: 400 });
    expect(toNotFound(api, elsewhere, 'refund')).toMatchObject({ outcome: 'unknown', failure: { code: 'request_rejected' } });
  });

  it('of a payment that failed leaves a call refused as any other, and a used reference is no answer to a look-up', () => {
    expect(toRefusedAction(api, refused('No money', '51'), 'refund')).toMatchObject({
      outcome: 'no',
      failure: { class: 'our_configuration', code: 'request_rejected', gatewayCode: '51' },
    });
    expect(toUndecided(api, refused('Used', 'E2'))).toMatchObject({ outcome: 'unknown', failure: { code: 'request_rejected' } });
  });
});

describe('an answer that looks like a success', () => {
  it.each([400, 404, 500])('under the status %i is none', (status) => {
    const answer = reply({ id: '7' }, { status });
    expect(readSuccess(schema, answer)).toBeNull();
    const reading = {
      schema,
      read: () => expect.unreachable(),
      refused: () => toRefusedAction(api, answer, 'payment'),
    };
    expect(readAction(answer, reading).outcome).not.toBe('yes');
    expect(readLookup(answer, reading).outcome).not.toBe('yes');
  });

  it('about another refund than was asked for proves nothing', () => {
    const receipt = { gatewayRefundId: 'r1', state: 'succeeded', message: null } as const;
    expect(toFoundRefund(api, { gatewayRefundId: 'r1' }, receipt)).toEqual({ outcome: 'yes', value: receipt });
    expect(toFoundRefund(api, { gatewayRefundId: 'r2' }, receipt)).toMatchObject({
      outcome: 'unknown',
      failure: { code: 'reference_mismatch' },
    });
  });
});
