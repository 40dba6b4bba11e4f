import { describe, expect, it } from 'vitest';
import { checkIds } from '../check-list.ts';
import { credentialFields, credentialVariable } from '../credential-fields.ts';
import type { AccountAccess } from '../gateway.ts';
import { createRedactor } from '../redact.ts';
import { findGateway, gatewayNames } from '../registry.ts';
import { documentedGateways, readDocumented } from '../testing/replay.ts';
import { query, wireReply } from '../testing/script.ts';
import { startStubServer } from '../testing/stub-server.ts';
import { certify, planCertification } from './certify.ts';
import { judgeDurations, withWrongKey } from './checks.ts';
import { maskPersons, maskText, readable, recordExchanges } from './wire-recorder.ts';

function present<T>(value: T | null): T {
  if (value === null) throw new Error('there is no such gateway');
  return value;
}

describe.each(gatewayNames)('the plan of %s', (name) => {
  const plan = planCertification(present(findGateway(name)));

  it('has every check once, after those that it needs, with a section of the documentation', () => {
    expect(plan.map(({ id }) => id)).toEqual(checkIds);
    for (const [at, { needs, section }] of plan.entries()) {
      const before = plan.slice(0, at).map(({ id }) => id);
      expect(before).toEqual(expect.arrayContaining([...needs]));
      expect(section.address).toMatch(/^https:\/\/\S+$/);
    }
  });

  it('leaves out no check without a reason', () => {
    expect(plan.filter(({ notPossible }) => notPossible !== null && !/^[A-Z].{20,}\.$/.test(notPossible))).toEqual([]);
  });
});

describe('a wrong key', () => {
  it.each(documentedGateways())('of %s differs, and has no long part of the right one', (name) => {
    const { credentials } = readDocumented(name);
    const { secretKey = '' } = credentials;
    const wrong = withWrongKey(credentials).secretKey ?? '';
    expect(wrong).not.toBe(secretKey);
    const parts = secretKey.match(/[A-Za-z0-9]{8,}/g) ?? [];
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.filter((part) => wrong.includes(part))).toEqual([]);
    expect(findGateway(name)?.credentials.safeParse({ ...credentials, secretKey: wrong }).success).toBe(true);
  });
});

const withTokens = documentedGateways().filter((name) => readDocumented(name).token !== undefined);

it.each(withTokens)('a recorded login at %s is told apart, and its body is not kept', async (name) => {
  const { credentials } = readDocumented(name);
  const server = await startStubServer(() => wireReply({ status: 401, json: {} }));
  const account: AccountAccess = { accountId: 'login', mode: 'test', credentials, baseUrl: server.url };
  const { exchanges } = await recordExchanges(createRedactor([]), () =>
    present(findGateway(name)).verify(account, query, { timeoutMs: 5000 }),
  );
  await server.close();
  expect(exchanges).toMatchObject([{ login: true, method: 'POST', request: null, status: 401 }]);
});

describe('durations', () => {
  const exchange = { login: false, method: 'POST', origin: 'https://api.example.com', path: '/', request: null, answer: null };
  const times = (operation: 'open' | 'refund', ...milliseconds: number[]) =>
    milliseconds.map((each) => ({
      operation,
      milliseconds: each,
      exchanges: [{ ...exchange, status: 200, milliseconds: each }],
    }));
  const unanswered = (milliseconds: number) => ({
    operation: 'open' as const,
    milliseconds,
    exchanges: [{ ...exchange, status: null, milliseconds }],
  });

  it('pass below the time that the product waits', () => {
    expect(judgeDurations([...times('open', 20, 7_999), ...times('refund', 14_999)])).toMatchObject({ result: 'passed' });
  });

  it('fail with the operation that took longer, and its limit', () => {
    expect(judgeDurations([...times('open', 20, 8_000), ...times('refund', 100)])).toEqual({
      result: 'failed',
      expected: 'at most open 8000 ms.',
      received: 'open 8000 ms.',
    });
  });

  it('are not measured by a call that nothing answered, and are late by one that nothing answered in time', () => {
    expect(judgeDurations([unanswered(2), ...times('open', 20)])).toEqual({ result: 'passed', detail: 'slowest: open 20 ms' });
    expect(judgeDurations([{ operation: 'open', milliseconds: 1, exchanges: [] }, unanswered(2)])).toMatchObject({
      result: 'failed',
    });
    expect(judgeDurations([...times('open', 20), unanswered(30_000)])).toMatchObject({ result: 'failed' });
  });

  it('are judged only after a checkout was opened', () => {
    expect(planCertification(present(findGateway('paystack'))).find(({ id }) => id === 'timeouts')?.needs).toEqual(['open']);
  });
});

describe('people', () => {
  it('are masked wherever they are, and nothing else is', () => {
    const row = {
      id: 1,
      status: 'success',
      customer: { email: 'ada@shop.ng', first_name: 'Ada', phone: null, customerName: 'Ada Obi' },
      ip_address: '41.1.1.1',
      sources: [{ accountNumber: '0123456789', bank: 'Zenith' }],
      own: { email: 'certification@example.com' },
    };
    expect(maskPersons(row)).toEqual({
      id: 1,
      status: 'success',
      customer: { email: 'person@example.com', first_name: 'Masked', phone: null, customerName: 'Masked' },
      ip_address: '203.0.113.1',
      sources: [{ accountNumber: '0000000000', bank: 'Zenith' }],
      own: { email: 'certification@example.com' },
    });
  });
});

describe('people in free text', () => {
  it.each([
    'ada@shop.ng',
    'Ada.Obi+1@mail.shop.com.ng',
    'ada%40shop.ng',
    '08012345678',
    '+2348012345678',
    '%2B2348012345678',
    '0801 234 5678',
    '+234-701-234-5678',
    '0903***5678',
  ])('%s is masked wherever it stands', (person) => {
    for (const text of [person, `Refund for ${person}, thanks`, JSON.stringify({ note: `to ${person}` }), `[["${person}"]]`]) {
      expect(maskText(text)).not.toContain(person);
      expect(JSON.stringify(maskPersons({ custom_fields: [{ value: text }], narration: text }))).not.toContain(person);
      expect(maskText(maskText(text))).toBe(maskText(text));
    }
  });

  it('is masked by the names of fields in JSON within text, and where it is a number', () => {
    expect(maskPersons({ meta: '{"firstname":"Ada","fullname":"Ada Obi","surname":"Obi","n":1}' })).toEqual({
      meta: '{"firstname":"Masked","fullname":"Masked","surname":"Masked","n":1}',
    });
    expect(maskPersons({ phone: 2348012345678, account_number: 123456789, created_by: 30 })).toEqual({
      phone: 2340000000000,
      account_number: 0,
      created_by: 30,
    });
  });

  it('leaves ids, references, times and amounts as they are', () => {
    const row = {
      id: 4099260516,
      reference: 'cert-08012345-6789-4801-8234-080123456789',
      transactionReference: 'MNFY|17|20261127112641|000340',
      retrieval: '000012345678',
      session: '000013261127112641080123456789',
      at: '2026-11-27T11:26:41.000Z',
      from: 1795758717749,
      note: 'Refund cert-0198c0de-4111-7111-8111-111111111111 of certification@example.com',
    };
    expect(maskPersons(row)).toEqual(row);
  });

  it.each(documentedGateways())('leaves no person in the documented examples of %s', (name) => {
    for (const { body } of readDocumented(name).examples) {
      const text = JSON.stringify(maskPersons(body)) ?? '';
      expect(text).not.toMatch(/(?:ada|staff|merchant)@|\bAda\b|\bObi\b|08000000000|0803\*|Broad Street/i);
    }
  });

  it('is masked in answers of any length', () => {
    const rows = Array.from({ length: 2_000 }, (_, id) => ({
      id,
      customer: { first_name: 'Ada', note: 'ada@shop.ng', bank: 'Zenith' },
    }));
    const body = JSON.stringify({ rows });
    expect(body.length).toBeGreaterThan(64 * 1024);
    const text = JSON.stringify(readable(body, createRedactor([])));
    expect(text).not.toMatch(/Ada|ada@/);
    expect(text.match(/Zenith/g)).toHaveLength(2_000);
  });
});

describe('a certification that cannot go on', () => {
  const options = {
    gateway: 'paystack',
    credentials: readDocumented('paystack').credentials,
    host: null,
    version: '0',
    skipPaid: true,
    waitMs: 0,
    webhooks: null,
    startedAt: new Date('2026-11-27T11:26:41.000Z'),
    tell: () => undefined,
    onResult: () => undefined,
  } as const;

  it('reports a check that throws as failed, and the checks that need it as skipped', async () => {
    const { checks } = await certify({
      ...options,
      newId: () => {
        throw new Error('no id for ada@shop.ng');
      },
      signal: new AbortController().signal,
    });
    expect(checks.map(({ id }) => id)).toEqual(checkIds);
    expect(checks[0]).toMatchObject({ result: 'failed', received: 'Error: no id for person@example.com', call: null });
    expect(new Set(checks.slice(1).map(({ result }) => result))).toEqual(new Set(['skipped']));
  });

  it('calls nothing once it was stopped, and still has every check', async () => {
    const { checks, recordings } = await certify({ ...options, newId: () => 'x', signal: AbortSignal.abort() });
    expect(checks.map(({ id }) => id)).toEqual(checkIds);
    expect(new Set(checks.map((check) => (check.result === 'skipped' ? check.reason : check.result)))).toEqual(
      new Set(['The certification was stopped.']),
    );
    expect(recordings).toEqual([]);
  });
});

it('credentials that a gateway needs are told from those that may be left out', () => {
  const flutterwave = findGateway('flutterwave');
  expect(flutterwave === null ? null : credentialFields(flutterwave)).toEqual([
    expect.objectContaining({ name: 'secretKey', isOptional: false }),
    expect.objectContaining({ name: 'secretHash', isOptional: true }),
    expect.objectContaining({ name: 'dialect', isOptional: true }),
  ]);
  expect(flutterwave === null ? null : credentialVariable(flutterwave, 'secretHash')).toBe('FLUTTERWAVE_SECRET_HASH');
});
