import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readAction, readLookup, readSuccess, toFoundRefund, toRefusedAction, toRefusedRefund } from './answers.ts';
import type { Answer, GatewayApi } from './gateway-api.ts';
import { createRedactor } from './redact.ts';

const refusalSchema = z.object({ code: z.string(), message: z.string() });
const schema = z.object({ id: z.string() });

const api: GatewayApi = {
  title: 'Acme',
  baseUrl: 'https://acme.example',
  secretFields: [],
  keyPrefixes: {},
  errorCodes: [],
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
const DUPLICATE = { duplicate_reference: { codes: ['E2'] } };

describe('a refusal of an action', () => {
  it('proves that nothing was done, unless it answers a second sending: the first may have arrived', () => {
    expect(toRefusedAction(api, reply(REFUSED), {})).toMatchObject({ outcome: 'no', failure: { code: 'request_rejected' } });
    expect(toRefusedAction(api, reply(REFUSED, { repeated: true }), {})).toMatchObject({ outcome: 'unknown' });
    const unauthorised = reply(REFUSED, { status: 401, repeated: true });
    expect(toRefusedAction(api, unauthorised, {})).toMatchObject({
      outcome: 'unknown',
      failure: { code: 'invalid_credentials' },
    });
  });

  it('for a used reference leaves a refund open, and no other', () => {
    const used = reply({ ...REFUSED, code: 'E2' });
    expect(toRefusedRefund(api, used, DUPLICATE)).toMatchObject({ outcome: 'unknown', failure: { code: 'duplicate_reference' } });
    expect(toRefusedRefund(api, reply(REFUSED), DUPLICATE)).toMatchObject({ outcome: 'no' });
  });

  it('that reports a fault of the gateway proves nothing', () => {
    expect(toRefusedAction(api, reply(REFUSED, { status: 503 }), {})).toMatchObject({
      outcome: 'unknown',
      failure: { class: 'provider_fault', code: 'http_5xx' },
    });
  });
});

describe('an answer that looks like a success', () => {
  it.each([400, 404, 500])('under the status %i is none', (status) => {
    const answer = reply({ id: '7' }, { status });
    expect(readSuccess(schema, answer)).toBeNull();
    const reading = {
      schema,
      read: () => expect.unreachable(),
      refused: () => toRefusedAction(api, answer, {}),
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
