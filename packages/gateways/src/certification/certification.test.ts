import { describe, expect, it } from 'vitest';
import { gatewayNames } from '../names.ts';
import { findGateway } from '../registry.ts';
import { documentedGateways, readDocumented } from '../testing/documented.ts';
import { judgeDurations, withWrongKey } from './checks.ts';
import { credentialFields } from './credential-fields.ts';
import { maskPersons } from './mask-persons.ts';
import { checkIds, planCertification } from './plan.ts';

describe.each(gatewayNames)('the plan of %s', (name) => {
  const plan = planCertification(name);

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

describe('durations', () => {
  const times = (operation: 'open' | 'refund', ...milliseconds: number[]) =>
    milliseconds.map((each) => ({ operation, milliseconds: each }));

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

it('credentials that a gateway needs are told from those that may be left out', () => {
  const flutterwave = findGateway('flutterwave');
  expect(flutterwave === null ? null : credentialFields(flutterwave)).toEqual([
    { field: 'secretKey', isOptional: false },
    { field: 'secretHash', isOptional: true },
  ]);
});
