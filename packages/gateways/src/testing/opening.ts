import { describe, expect, it } from 'vitest';
import { type Bench, benchToken, field, patient, sound } from './bench.ts';
import { order, otherReference, reference, wireReply } from './script.ts';
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
