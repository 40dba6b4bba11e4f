import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountAccess } from '../gateway.ts';
import type { Bench } from './bench.ts';
import { delivered, reference, transactionId, transactionIdOf } from './script.ts';

/** How many times as much is drawn: `PROPERTY_TIMES=20` at night. */
const TIMES = Number(process.env.PROPERTY_TIMES ?? 1);

/** Makes of a letter or digit its neighbour, its other case, and a byte that is no UTF-8. */
const FLIPS = [0x01, 0x20, 0x80];

/** Copies of these bytes in each of which one byte is another: every byte of a range, in three ways. */
export function* eachByteChanged(bytes: Buffer, from = 0, to = bytes.length): Generator<Buffer> {
  for (let at = from; at < to; at += 1) {
    for (const flip of FLIPS) {
      const changed = Buffer.from(bytes);
      changed[at] = (bytes[at] ?? 0) ^ flip;
      yield changed;
    }
  }
}

export function describeWebhooks(bench: Bench): void {
  const { gateway, script } = bench;
  describe(`${gateway.name}: webhooks`, () => {
    const credentials = script.credentials.test;
    const access: AccountAccess = { accountId: 'acc-1', mode: 'test', credentials, baseUrl: null };
    const body = script.paymentNotice({ reference, id: transactionId });
    const headers = script.sign(body, credentials);
    const signature = headers[script.signatureHeader] ?? '';
    const read = (text: string, given: Readonly<Record<string, string>>) => gateway.readWebhook(access, delivered(text, given));

    it('are read when genuine, the same each time they come', () => {
      const reading = read(body, headers);
      expect(reading).toMatchObject({
        kind: 'payment',
        reference,
        transactionId: transactionIdOf(script, { reference, id: transactionId }),
      });
      expect(read(body, headers)).toEqual(reading);
    });

    it.skipIf(script.noticeHasNoTime)('carry the time of the payment, or null where the field is no time', () => {
      const at = (time: string) => {
        const refused = script.paymentNotice({ reference, id: transactionId, at: time });
        return read(refused, script.sign(refused, credentials));
      };
      expect(at('2026-11-20T10:22:45.000Z')).toMatchObject({ occurredAt: new Date('2026-11-20T10:22:45.000Z') });
      expect(at('yesterday')).toMatchObject({ kind: 'payment', occurredAt: null });
      expect(read(body, headers)).toMatchObject({ occurredAt: expect.any(Date) });
    });

    it('of refunds and of other events are distinguished', () => {
      const refund = script.refundNotice();
      if (refund !== null) expect(read(refund, script.sign(refund, credentials)).kind).toBe('refund');
      const other = script.otherNotice();
      expect(read(other, script.sign(other, credentials)).kind).toBe('ignored');
    });

    it('without a signature are refused', () => {
      expect(read(body, {})).toEqual({ kind: 'refused', why: 'missing_signature' });
      expect(read(body, { [script.signatureHeader]: '' })).toEqual({ kind: 'refused', why: 'missing_signature' });
      expect(read(body, { 'x-signature': signature, authorization: signature })).toEqual({
        kind: 'refused',
        why: 'missing_signature',
      });
    });

    it('under any other signature are refused', () => {
      for (let at = 0; at < signature.length; at += 1) {
        const other = signature.charAt(at) === '0' ? '1' : '0';
        const forged = signature.slice(0, at) + other + signature.slice(at + 1);
        expect(read(body, { [script.signatureHeader]: forged })).toEqual({ kind: 'refused', why: 'bad_signature' });
      }
      fc.assert(
        fc.property(fc.string({ minLength: 1 }), (forged) => {
          if (forged === signature) return;
          expect(read(body, { [script.signatureHeader]: forged }).kind).toBe('refused');
        }),
        { numRuns: 200 * TIMES },
      );
      const others = Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, `${value}x`]));
      expect(read(body, script.sign(body, others))).toEqual({ kind: 'refused', why: 'bad_signature' });
    });

    it.runIf(script.signatureCoversBody)('with any byte changed, or serialised again, are refused', () => {
      for (const changed of eachByteChanged(Buffer.from(body, 'utf8'))) {
        expect(gateway.readWebhook(access, { headers, body: changed })).toEqual({ kind: 'refused', why: 'bad_signature' });
      }
      expect(read(JSON.stringify(JSON.parse(body), null, 2), headers)).toEqual({ kind: 'refused', why: 'bad_signature' });
    });

    it('that are genuine but make no sense are refused, never thrown', () => {
      for (const text of ['', 'null', '[]', '{', '{}', '"x"', '{"event":7}', '['.repeat(100_000), 'x'.repeat(300 * 1024)]) {
        expect(read(text, script.sign(text, credentials))).toEqual({ kind: 'refused', why: 'malformed' });
      }
      fc.assert(
        fc.property(fc.string(), (text) => {
          expect(read(text, script.sign(text, credentials)).kind).toBe('refused');
        }),
      );
    });

    it('are refused by an account without secrets', () => {
      const bare = { ...access, credentials: Object.fromEntries(Object.keys(credentials).map((name) => [name, ''])) };
      for (const given of [headers, script.sign(body, bare.credentials)]) {
        expect(gateway.readWebhook(bare, delivered(body, given)).kind).toBe('refused');
      }
    });
  });
}

export function describeReturns(bench: Bench): void {
  const { gateway, script } = bench;
  describe(`${gateway.name}: coming back`, () => {
    it.each(['completed', 'cancelled'] as const)('reads a customer who %s', (hint) => {
      expect(gateway.readReturn(script.returned(reference, hint))).toMatchObject({
        reference,
        hint: script.returnHasNoOutcome === true ? null : hint,
      });
    });

    it('ignores malformed parameters', () => {
      expect(gateway.readReturn(new URLSearchParams())).toEqual({ reference: null, transactionId: null, hint: null });
      fc.assert(
        fc.property(fc.string(), fc.string(), (value, id) => {
          const wild = script.returned(value, 'completed');
          wild.set('transaction_id', id);
          const reading = gateway.readReturn(wild);
          expect(reading.reference ?? 'x').toMatch(/^[\w.=-]{1,100}$/);
          expect(reading.transactionId ?? '0').toMatch(/^\d{1,20}$/);
        }),
      );
    });
  });
}

export function describeIdentity(bench: Bench): void {
  const { gateway, script } = bench;
  describe(`${gateway.name}: its description`, () => {
    it('holds together', () => {
      expect(gateway.name).toMatch(/^[a-z][a-z0-9-]{1,30}$/);
      expect(gateway.baseUrl).toMatch(/^https:\/\/[^/]+(\/.+[^/])?$/);
      expect(gateway.capabilities.currencies).toContain('NGN');
      const canonical = ['CARD', 'TRANSFER', 'USSD', 'BANK', 'QR', 'WALLET', 'MOBILE_MONEY', 'DIRECT_DEBIT'];
      expect(canonical).toEqual(expect.arrayContaining([...gateway.capabilities.methods]));
      expect(gateway.credentials.parse(script.credentials.test)).toEqual(script.credentials.test);
      expect(Object.keys(script.credentials.test)).toEqual(expect.arrayContaining([...gateway.secretFields]));
      for (const bad of [
        {},
        null,
        { secretKey: '' },
        { secretKey: 'has space in it' },
        { secretKey: 'line\nbreak' },
        { secretKey: 7 },
      ]) {
        expect(gateway.credentials.safeParse(bad).success).toBe(false);
      }
    });
  });
}
