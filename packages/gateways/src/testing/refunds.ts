import { describe, expect, it } from 'vitest';
import { type Bench, field, patient, reporting, sound } from './bench.ts';
import { otherReference, refundOrder, wireReply } from './script.ts';

/** Its reference is its id at gateways that know refunds by ours. */
const requested = { ...refundOrder, refundReference: '75923' };

export function describeRefunds(bench: Bench): void {
  const { gateway, script } = bench;
  const hasLookup = gateway.capabilities.missingLookups?.includes('findRefund') !== true;
  describe(`${gateway.name}: refunds`, () => {
    it.each(script.refundStates)('reports that a refund is %s', async (state) => {
      bench.answerRefunds(() => wireReply(script.refund('75923', state)));
      const asked = sound(await gateway.refund(bench.account, requested, patient), bench.account);
      expect(asked).toMatchObject({ outcome: 'yes', value: { gatewayRefundId: '75923', state } });
      expect(asked).not.toHaveProperty('value.unrecognised');
      if (!hasLookup) return;
      const found = sound(await gateway.findRefund(bench.account, { gatewayRefundId: '75923' }, patient), bench.account);
      expect(found).toMatchObject({ outcome: 'yes', value: { gatewayRefundId: '75923', state } });
    });

    it.skipIf(script.refundHasNoStatus === true)(
      'whose status is not documented are not final, and show it with the record it is in',
      async () => {
        const shown = {
          state: 'processing',
          unrecognised: {
            message: expect.stringContaining('does not list: quarantined'),
            record: expect.stringContaining('75923'),
          },
        };
        bench.answerRefunds(() => wireReply(script.refund('75923', 'unlisted')));
        const unlisted = { gateway: gateway.name, kind: 'refund' };
        const asked = await reporting(async () => sound(await gateway.refund(bench.account, requested, patient), bench.account));
        expect(asked).toMatchObject({ value: { outcome: 'yes', value: shown }, reported: [unlisted] });
        if (!hasLookup) return;
        const found = await reporting(() => gateway.findRefund(bench.account, { gatewayRefundId: '75923' }, patient));
        expect(found).toMatchObject({ value: { outcome: 'yes', value: shown }, reported: [unlisted] });
      },
    );

    it('requests exactly the amount to be refunded', async () => {
      bench.answerRefunds(() => wireReply(script.refund('75923', 'processing')));
      await gateway.refund(bench.account, requested, patient);
      const sent: unknown = JSON.parse(bench.server.calls.at(-1)?.body ?? '');
      expect(String(field(sent, script.refundAmountField ?? 'amount'))).toBe(String(script.wireAmount(40_000n)));
      const isNamed = bench.server.calls.at(-1)?.body.includes(requested.refundReference);
      expect(isNamed).toBe(gateway.capabilities.refundsCarryNoReference !== true);
    });

    it('are refused for certain when the gateway refuses', async () => {
      bench.answerRefunds(() => wireReply(script.refused('Transaction has been fully reversed')));
      expect(await gateway.refund(bench.account, requested, patient)).toMatchObject({
        outcome: 'no',
        failure: { code: 'request_rejected' },
      });
    });

    it('are never sent twice', async () => {
      bench.answerRefunds(() => ({ kind: 'reset' }));
      expect(await gateway.refund(bench.account, requested, patient)).toMatchObject({
        outcome: 'unknown',
        failure: { code: 'connection_lost' },
      });
      expect(bench.server.calls.filter(({ method }) => method === 'POST').length).toBe(1);
    });

    it.skipIf(hasLookup)('cannot be looked up where the gateway has no call for it, and nothing is called', async () => {
      bench.server.script(() => wireReply(script.refund('75923', 'succeeded')));
      expect(await gateway.findRefund(bench.account, { gatewayRefundId: '75923' }, patient)).toMatchObject({
        outcome: 'unknown',
        failure: { class: 'our_configuration', code: 'not_supported' },
      });
      expect(bench.server.calls.length).toBe(0);
    });

    it.runIf(hasLookup)('that the gateway does not know are not found', async () => {
      bench.server.script(() => wireReply(script.refundNotFound()));
      expect(await gateway.findRefund(bench.account, { gatewayRefundId: '1' }, patient)).toMatchObject({
        outcome: 'no',
        failure: { code: 'not_found' },
      });
    });

    it.runIf(hasLookup)('under another id prove nothing about ours', async () => {
      bench.server.script(() => wireReply(script.refund('75924', 'succeeded')));
      expect(await gateway.findRefund(bench.account, { gatewayRefundId: '75923' }, patient)).toMatchObject({
        outcome: 'unknown',
        failure: { code: 'reference_mismatch' },
      });
    });

    it.runIf(script.refundsByOwnReference === true)('answered about another refund may have been made, or not', async () => {
      bench.answerRefunds(() => wireReply(script.refund('75924', 'succeeded')));
      expect(await gateway.refund(bench.account, requested, patient)).toMatchObject({
        outcome: 'unknown',
        failure: { code: 'reference_mismatch' },
      });
    });

    it.runIf(script.refundNamesTransaction === true)(
      'answered about another transaction may have been made, or not',
      async () => {
        bench.answerRefunds(() => wireReply(script.refund('75923', 'succeeded', { reference: otherReference, id: '77' })));
        expect(await gateway.refund(bench.account, requested, patient)).toMatchObject({
          outcome: 'unknown',
          failure: { class: 'provider_fault', code: 'reference_mismatch' },
        });
        expect(bench.server.calls.filter(({ method }) => method === 'POST').length).toBe(1);
      },
    );

    it.runIf(hasLookup)('cannot be led astray by an id with a path in it', async () => {
      bench.server.script(() => wireReply(script.refundNotFound()));
      await gateway.findRefund(bench.account, { gatewayRefundId: '../transaction/1?x=1#' }, patient);
      expect(bench.server.calls.at(-1)?.path).not.toContain('/../');
      expect(bench.server.calls.at(-1)?.path).not.toMatch(/\?x=1|\/transaction\/1/);
    });
  });
}
