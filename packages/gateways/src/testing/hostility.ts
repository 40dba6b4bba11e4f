import { describe, expect, it } from 'vitest';
import type { AccountAccess } from '../gateway.ts';
import { redactedMark } from '../redact.ts';
import { type Bench, brief, patient, sound } from './bench.ts';
import { type ContractOperation, everyOperation } from './every-operation.ts';
import { type MalformedReply, malformedReplies, order, query, reference, wireReply } from './script.ts';
import { findClosedAddress } from './stub-server.ts';

/** How an operation ends that is met with such a reply: only an action that was refused was certainly not done. */
function endOf({ kind, isSupported }: ContractOperation, { code, pagesCode = code, action }: MalformedReply) {
  if (!isSupported) return { outcome: 'unknown', code: 'not_supported' };
  // The first step of one may be a look-up, and read as a page.
  if (kind === 'file')
    return { outcome: expect.not.stringMatching('yes'), code: expect.stringMatching(`^(${code}|${pagesCode})$`) };
  return { outcome: kind === 'action' ? action : 'unknown', code: kind === 'pages' ? pagesCode : code };
}

export function describeHostility(bench: Bench): void {
  const { gateway } = bench;
  const operations = everyOperation(gateway);
  describe(`${gateway.name}: misbehaving servers`, () => {
    for (const malformed of malformedReplies) {
      const { name, reply } = malformed;
      it(`${name}: gives no result and throws nothing`, async () => {
        const options = reply.kind === 'hang' || reply.kind === 'drip' ? brief : patient;
        for (const operation of operations) {
          if (operation.name === 'refund') bench.answerRefunds(() => reply);
          else bench.server.script(() => reply);
          const outcome = sound(await operation.run(bench.account, options), bench.account);
          const read = { outcome: outcome.outcome, code: outcome.outcome === 'yes' ? null : outcome.failure.code };
          expect([operation.name, read]).toEqual([operation.name, endOf(operation, malformed)]);
        }
      });
    }

    it('returns how long to wait before the next call', async () => {
      bench.server.script(() => ({ kind: 'answer', status: 429, body: '{}', headers: { 'retry-after': '3' } }));
      const limited = await gateway.open(bench.account, order, patient);
      expect(limited).toMatchObject({ outcome: 'no', failure: { class: 'provider_fault' }, call: { retryAfterMs: 3000 } });
    });

    it('counts a revoked key as ours, not as the gateway’s', async () => {
      bench.server.script(() => ({ kind: 'answer', status: 401, body: '{"status":false,"message":"Invalid key"}' }));
      expect(await gateway.open(bench.account, order, patient)).toMatchObject({ failure: { class: 'our_configuration' } });
      // A refused token is replaced once, and the call made once more.
      expect(bench.server.calls.length).toBe(bench.script.token === undefined ? 1 : 2);
    });

    it.each([301, 302, 307, 308])('follows no redirect and ignores its body: %s', async (status) => {
      const headers = { location: `${bench.server.url}/elsewhere` };
      bench.server.script(() => ({ kind: 'answer', status, body: JSON.stringify(bench.paid(100_000n).json), headers }));
      const verified = await gateway.verify(bench.account, query, patient);
      expect(verified).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' }, call: { httpStatus: status } });
      const opening = JSON.stringify(bench.script.opened(reference, bench.checkoutUrl).json);
      bench.server.script(() => ({ kind: 'answer', status, body: opening, headers }));
      const opened = await gateway.open(bench.account, order, patient);
      expect(opened).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
      expect(bench.server.calls.length).toBe(1);
    });

    it('reports a refused connection as not sent for actions, and as unknown for look-ups', async () => {
      const nowhere = { ...bench.account, baseUrl: await findClosedAddress() };
      const opened = sound(await gateway.open(nowhere, order, patient), bench.account);
      expect(opened).toMatchObject({ outcome: 'no', failure: { class: 'provider_fault', code: 'connection_refused' } });
      const verified = sound(await gateway.verify(nowhere, query, patient), bench.account);
      expect(verified).toMatchObject({ outcome: 'unknown', failure: { class: 'provider_fault', code: 'connection_refused' } });
    });

    it('repeats a look-up once when a pooled connection turns out dead', async () => {
      bench.server.script((_call, count) => (count === 1 ? { kind: 'reset' } : wireReply(bench.paid(100_000n))));
      expect((await gateway.verify(bench.account, query, patient)).outcome).toBe('yes');
      // A look-up of who paid may follow.
      const [first] = bench.server.calls;
      expect(bench.server.calls.filter(({ path }) => path === first?.path)).toHaveLength(2);
    });

    it('does not double its calls in an outage', async () => {
      bench.server.script(() => ({ kind: 'reset' }));
      for (let at = 0; at < 10; at += 1) await gateway.verify(bench.account, query, patient);
      expect(bench.server.calls.length).toBe(11);
    });
  });
}

export function describeSecrets(bench: Bench): void {
  const { gateway } = bench;
  describe(`${gateway.name}: secrets`, () => {
    it('appear in no result, even when the gateway repeats them', async () => {
      const secrets = gateway.secretFields.map((name) => bench.account.credentials[name] ?? '');
      const forms = secrets.flatMap((value) => [
        value,
        encodeURIComponent(value),
        Buffer.from(`user:${value}`).toString('base64'),
      ]);
      const echo = JSON.stringify({
        status: 'error',
        message: `no ${forms.join(' ')}`,
        data: { echo: forms, cvv: '408', card: '4084084084084081' },
      });
      for (const [status, body] of [
        [400, echo],
        [401, echo],
        [500, echo],
        [200, echo],
        [200, `<p>${forms.join(' ')} 4084084084084081 cvv=408</p>`],
      ] as const) {
        bench.server.script(() => ({ kind: 'answer', status, body }));
        for (const operation of everyOperation(gateway).filter(({ isSupported }) => isSupported)) {
          const outcome = sound(await operation.run(bench.account, patient), bench.account);
          const text = JSON.stringify(outcome);
          for (const form of [...forms, '4084084084084081', '"408"', 'cvv=408']) expect(text).not.toContain(form);
          expect(text).toContain(redactedMark);
        }
      }
    });
  });
}

export function describeUnusableAccounts(bench: Bench): void {
  const { gateway, script } = bench;
  describe(`${gateway.name}: accounts that must not be used`, () => {
    it('never calls for a live account with another address, or with a key of the other mode', async () => {
      bench.server.script(() => wireReply(script.opened(reference, bench.checkoutUrl)));
      const keysOfOtherMode: readonly AccountAccess[] = [
        { ...bench.account, mode: 'live', baseUrl: null },
        { ...bench.account, credentials: script.credentials.live },
      ];
      const wrong: readonly AccountAccess[] = [
        { ...bench.account, mode: 'live', credentials: script.credentials.live },
        ...(script.keysNameNoMode === true ? [] : keysOfOtherMode),
        { ...bench.account, credentials: {} },
        { ...bench.account, baseUrl: 'ftp://127.0.0.1' },
        { ...bench.account, baseUrl: 'http://user:pass@127.0.0.1' },
        { ...bench.account, baseUrl: 'nonsense' },
        { ...bench.account, baseUrl: 'http://169.254.169.254/latest' },
        { ...bench.account, baseUrl: 'http://metadata.google.internal/' },
      ];
      for (const each of wrong) {
        for (const operation of everyOperation(gateway)) {
          const outcome = await operation.run(each, patient);
          const expected = {
            outcome:
              operation.kind === 'action'
                ? 'no'
                : expect.stringMatching(operation.kind === 'file' ? /^(no|unknown)$/ : /^unknown$/),
            class: 'our_configuration',
          };
          const read = { outcome: outcome.outcome, class: outcome.outcome === 'yes' ? null : outcome.failure.class };
          expect([operation.name, read]).toEqual([operation.name, expected]);
        }
      }
      expect(bench.server.calls.length).toBe(0);
    });
  });
}
