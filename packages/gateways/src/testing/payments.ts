import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bench, benchToken, field, patient, sound } from './bench.ts';
import { order, otherReference, query, reference, transactionId, transactionIdOf, wireReply } from './script.ts';
import type { StubReply } from './stub-server.ts';

export function describeOpening(bench: Bench): void {
  const { gateway, script } = bench;
  describe(`${gateway.name}: opening a checkout`, () => {
    it('gives the address, the reference and the gateway’s own answer', async () => {
      const opened = sound(await gateway.open(bench.account, order, patient), bench.account);
      expect(opened).toMatchObject({ outcome: 'yes', value: { reference, redirectUrl: bench.checkoutUrl } });
      expect(opened.call).toMatchObject({ method: 'POST', httpStatus: 200, retryAfterMs: null });
      expect(JSON.stringify(opened.outcome === 'yes' ? opened.value.raw : null)).toContain(bench.checkoutUrl);
    });

    it('sends the key, or the token it got for it, as a bearer token, and a user agent, and requests uncompressed JSON', async () => {
      await gateway.open(bench.account, order, patient);
      const headers = bench.server.calls.at(-1)?.headers;
      expect(headers).toMatchObject({
        accept: 'application/json',
        'accept-encoding': 'identity',
        'content-type': 'application/json',
      });
      const key = script.token === undefined ? bench.account.credentials.secretKey : benchToken;
      expect(headers?.authorization).toBe(`Bearer ${key}`);
      expect(headers?.['user-agent']).toMatch(/^Switchyard\//);
    });

    it('calls below a base address that has a path', async () => {
      const path = `/${gateway.name}/of/a/sandbox`;
      const account = { ...bench.account, baseUrl: `${bench.server.url}${path}/` };
      expect((await gateway.open(account, order, patient)).outcome).toBe('yes');
      expect(bench.server.calls.at(-1)?.path).toMatch(new RegExp(`^${path}/[^/]`));
    });

    it.each([1n, 1000n, 999_999_999_999n, 1_000_000_000_000n])('sends %s naira without losing a kobo', async (amount) => {
      await gateway.open(bench.account, { ...order, amount }, patient);
      const sent: unknown = JSON.parse(bench.server.calls.at(-1)?.body ?? '');
      expect(String(field(sent, 'amount'))).toBe(String(script.wireAmount(amount * 100n)));
    });

    it('offers every method it names, and nothing it does not', async () => {
      for (const method of gateway.capabilities.methods) {
        expect((await gateway.open(bench.account, { ...order, method }, patient)).outcome).toBe('yes');
      }
      const before = bench.server.calls.length;
      const refused = await gateway.open(bench.account, { ...order, method: 'CARRIER_PIGEON' }, patient);
      expect(refused).toMatchObject({ outcome: 'no', failure: { class: 'our_configuration', code: 'not_supported' } });
      expect(bench.server.calls.length).toBe(before);
    });

    it('is refused for certain when the gateway refuses', async () => {
      bench.server.script(() => wireReply(script.refused('Invalid Amount Sent')));
      const refused = sound(await gateway.open(bench.account, order, patient), bench.account);
      expect(refused).toMatchObject({ outcome: 'no', failure: { class: 'our_configuration', code: 'request_rejected' } });
      expect(refused.outcome === 'yes' ? '' : refused.failure.message).toContain('Invalid Amount Sent');
    });

    it('reports a duplicate reference under its own code', async () => {
      bench.server.script(() => wireReply(script.duplicate()));
      const refused = await gateway.open(bench.account, order, patient);
      expect(refused).toMatchObject({ outcome: 'no', failure: { class: 'our_configuration', code: 'duplicate_reference' } });
    });

    it.each([
      ['as a duplicate', () => wireReply(script.duplicate()), 'duplicate_reference'],
      ['for its contents', () => wireReply(script.refused('Not now')), 'request_rejected'],
      ['for its key', (): StubReply => ({ kind: 'answer', status: 401, body: '{}' }), 'invalid_credentials'],
      ['for being one of many', (): StubReply => ({ kind: 'answer', status: 429, body: '{}' }), 'rate_limited'],
      ['in a way that is no answer', (): StubReply => ({ kind: 'answer', status: 404, body: '<p>' }), 'malformed_answer'],
    ])('is not known when the second sending is refused %s: the first may have arrived', async (_, second, code) => {
      bench.server.script((_call, count) => (count === 1 ? { kind: 'reset' } : second()));
      const refused = sound(await gateway.open(bench.account, order, patient), bench.account);
      expect(bench.server.calls.length).toBe(2);
      expect(refused).toMatchObject({ outcome: 'unknown', failure: { code } });
    });

    it('is not known when the checkout is under another reference', async () => {
      const foreign = script.openedUnder(otherReference, bench.checkoutUrl);
      if (foreign === null) return;
      bench.server.script(() => wireReply(foreign));
      const opened = await gateway.open(bench.account, order, patient);
      expect(opened).toMatchObject({ outcome: 'unknown', failure: { code: 'reference_mismatch' } });
    });

    it.each([
      'javascript:alert(1)',
      'https://evil.example/pay',
      'http://evil.example/pay',
      'https://user:pass@127.0.0.1/pay',
      'data:text/html,x',
      '//127.0.0.1/pay',
    ])('exposes no unsafe address: %s', async (url) => {
      bench.server.script(() => wireReply(script.opened(reference, url)));
      const opened = await gateway.open(bench.account, order, patient);
      expect(opened).toMatchObject({ outcome: 'unknown', failure: { class: 'provider_fault', code: 'unsafe_checkout_url' } });
    });

    it('keeps the answer small however much the gateway adds to it', async () => {
      const answer = script.opened(reference, bench.checkoutUrl);
      const padded = JSON.stringify(answer.json).replace(/"(data|responseBody)":\{/, `"$1":{"padding":"${'p'.repeat(100_000)}",`);
      bench.server.script(() => ({ kind: 'answer', status: answer.status, body: padded }));
      const opened = sound(await gateway.open(bench.account, order, patient), bench.account);
      expect(opened.outcome).toBe('yes');
      expect(JSON.stringify(opened.outcome === 'yes' ? opened.value.raw : '').length).toBeLessThan(10_000);
    });
  });
}

const ours = { reference, id: transactionId };

export function describeVerifying(bench: Bench): void {
  const { gateway, script } = bench;
  describe(`${gateway.name}: verifying`, () => {
    it('gives what was received, in naira, with the gateway’s id', async () => {
      bench.server.script(() => wireReply(bench.paid(100_000n)));
      const verified = sound(await gateway.verify(bench.account, query, patient), bench.account);
      expect(verified).toMatchObject({
        outcome: 'yes',
        value: { reference, transactionId: transactionIdOf(script, ours), amount: '1000', currency: 'NGN', reversed: false },
      });
    });

    it('names who paid by transfer as the gateway does, with the account number’s end alone', async () => {
      const { transfer } = script;
      const facts = {
        reference,
        id: transactionId,
        state: 'paid',
        amount: script.wireAmount(100_000n),
        currency: 'NGN',
      } as const;
      const answers = transfer?.answers(facts) ?? [script.transaction(facts)];
      bench.server.script((_call, count) => wireReply(answers[Math.min(count, answers.length) - 1] ?? script.notFound()));
      const verified = sound(await gateway.verify(bench.account, query, patient), bench.account);
      expect(verified).toMatchObject({ outcome: 'yes', value: { amount: '1000' } });
      expect(verified.outcome === 'yes' ? verified.value.payer : null).toEqual(transfer?.payer);
    });

    it('is not known, by no fault of the gateway, when its status is one that no document lists', async () => {
      bench.server.script(() => wireReply(bench.paid(100_000n, { state: 'unlisted' })));
      expect(sound(await gateway.verify(bench.account, query, patient), bench.account)).toMatchObject({
        outcome: 'unknown',
        failure: { class: 'our_configuration', code: 'unrecognised_status' },
      });
    });

    it('reads an unknown reference as the gateway means it', async () => {
      bench.server.script(() => wireReply(script.notFound()));
      const verified = await gateway.verify(bench.account, query, patient);
      const code = gateway.certification.unknownReference;
      expect(verified).toMatchObject({ outcome: code === 'not_found' ? 'no' : 'unknown', failure: { code } });
    });

    it('settles nothing on a refusal that is not "not found"', async () => {
      bench.server.script(() => wireReply(script.refused('Your plan does not include this')));
      expect(await gateway.verify(bench.account, query, patient)).toMatchObject({
        outcome: 'unknown',
        failure: { code: 'request_rejected' },
      });
    });

    it('survives NUL, unpaired surrogates and prototypes in the gateway’s words', async () => {
      const answer = script.refused('nul \u0000 half \ud800 end');
      const body = JSON.stringify(answer.json).replace('{', '{"__proto__":{"polluted":true},');
      bench.server.script(() => ({ kind: 'answer', status: answer.status, body }));
      const verified = sound(await gateway.verify(bench.account, query, patient), bench.account);
      expect(JSON.stringify(verified)).not.toMatch(/\\u0000|\\ud800/);
      expect(JSON.stringify(verified)).not.toContain('polluted');
    });

    it('keeps fifty calls at once apart', async () => {
      bench.server.script((call) => {
        const asked = /sw-\d{12}/.exec(decodeURIComponent(call.path))?.[0] ?? '';
        return wireReply(bench.paid(BigInt(asked.slice(3)) * 100n, { reference: asked }));
      });
      const references = Array.from({ length: 50 }, (_, at) => `sw-${String(at + 1).padStart(12, '0')}`);
      const all = await Promise.all(
        references.map((each) => gateway.verify(bench.account, { ...query, reference: each }, patient)),
      );
      const amounts = all.map((each) => (each.outcome === 'yes' ? `${each.value.reference} ${each.value.amount}` : each.outcome));
      expect(amounts).toEqual(references.map((each, at) => `${each} ${at + 1}`));
    });
  });
}

export function describeMoney(bench: Bench): void {
  const { gateway, script } = bench;
  describe(`${gateway.name}: amounts that differ from the order`, () => {
    it.each([100_001n, 99_999n, 10_000_000n, 1000n, 1n, 0n, 10n ** 17n])('is returned exactly: %s kobo', async (kobo) => {
      bench.server.script(() => wireReply(bench.paid(kobo)));
      const verified = sound(await gateway.verify(bench.account, query, patient), bench.account);
      if (verified.outcome !== 'yes') throw new Error(`expected an answer, got ${JSON.stringify(verified)}`);
      const [whole = '', fraction = ''] = verified.value.amount.split('.');
      expect(BigInt(whole + fraction.padEnd(2, '0'))).toBe(kobo);
      expect(verified.value.amount).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
    });

    it.each([
      ['minus'],
      [''],
      [' 1000'],
      ['1,000'],
      ['NaN'],
      [true],
      [null],
      [[]],
      [{}],
      [-1000],
      [-0.5],
      ['-100000'],
      ['0x3e8'],
    ])('is never a payment when the amount is %j', async (amount) => {
      bench.server.script(() => wireReply(bench.paid(0n, { amount })));
      expect(await gateway.verify(bench.account, query, patient)).toMatchObject({
        outcome: 'unknown',
        failure: { class: 'provider_fault', code: 'malformed_answer' },
      });
    });

    it('is never mistaken for the order’s, whatever value the amount field holds', async () => {
      const right = Number(script.wireAmount(100_000n));
      await fc.assert(
        fc.asyncProperty(fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.string(), fc.jsonValue()), async (amount) => {
          bench.server.script(() => wireReply(bench.paid(0n, { amount })));
          const verified = await gateway.verify(bench.account, query, patient);
          const same = (typeof amount === 'number' || typeof amount === 'string') && Number(amount) === right;
          expect(verified.outcome === 'yes' && verified.value.amount === '1000').toBe(verified.outcome === 'yes' && same);
        }),
        { numRuns: 60 },
      );
    });

    it('is returned with its own currency', async () => {
      bench.server.script(() => wireReply(bench.paid(100_000n, { currency: 'USD' })));
      expect(await gateway.verify(bench.account, query, patient)).toMatchObject({ outcome: 'yes', value: { currency: 'USD' } });
    });

    it.each(['', 'ngn', 'NGN ', 'N', '₦'])('is no payment in the currency %j', async (currency) => {
      bench.server.script(() => wireReply(bench.paid(100_000n, { currency })));
      expect((await gateway.verify(bench.account, query, patient)).outcome).toBe('unknown');
    });

    it.each([
      otherReference,
      '',
      reference.toUpperCase(),
      `${reference} `,
      `${reference}\u0000`,
      reference.slice(0, -1),
      `${reference}0`,
    ])('is not ours under the reference %j', async (foreign) => {
      for (const state of ['paid', 'failed'] as const) {
        bench.server.script(() => wireReply(bench.paid(100_000n, { reference: foreign, state })));
        const verified = await gateway.verify(bench.account, query, patient);
        expect(verified).toMatchObject({ outcome: 'unknown', failure: { class: 'provider_fault', code: 'reference_mismatch' } });
      }
    });
  });
}
