import { describe, expect, it } from 'vitest';
import type { DisputeAnswer, ListedDispute, Outcome } from '../gateway.ts';
import { readAllPages } from '../list-answers.ts';
import { type Bench, patient, reporting, sound } from './bench.ts';
import { type DisputeFacts, type DisputeScript, reference, transactionId, wholeList, wireReply } from './script.ts';
import type { StubCall } from './stub-server.ts';

/** Cases of listed disputes, uploaded evidence and answers. */
export function describeDisputes(bench: Bench): void {
  const { gateway, script } = bench;
  const { disputes } = gateway;
  describe(`${gateway.name}: disputes`, () => {
    it('are answered by the calls that it declares, and by no other', () => {
      expect(gateway.answerDispute !== undefined).toBe(disputes.responses.length > 0);
      expect(gateway.uploadEvidence !== undefined).toBe(disputes.evidenceFor.length > 0);
      expect(disputes.responses).toEqual(expect.arrayContaining([...disputes.evidenceFor, ...disputes.customerFor]));
    });

    it('are listed where it documents a list', () => {
      expect(gateway.listDisputes !== undefined).toBe(script.disputes !== undefined);
    });

    it('state the page that their time to answer is from', () => {
      if (disputes.answerWithin !== null) expect(disputes.source).toMatch(/^https:\/\//);
    });
  });
  if (script.disputes !== undefined) describeDocumented(bench, script.disputes);
}

function describeDocumented(bench: Bench, wire: DisputeScript): void {
  const { gateway, script } = bench;
  const facts = (changes: Partial<DisputeFacts> = {}): DisputeFacts => ({
    id: '358950',
    reference,
    transactionId,
    state: 'needs_response',
    amount: script.wireAmount(250_050n),
    createdAt: '2026-11-20T08:00:00.000Z',
    dueAt: '2026-11-21T00:00:00.000Z',
    ...changes,
  });

  const serve = (rows: readonly DisputeFacts[], perPage = 20) =>
    bench.server.script((call: StubCall) => {
      const asked = script.pageAskedFor(new URL(call.path, 'http://list.example').searchParams);
      const shown = rows.slice((asked - 1) * perPage, asked * perPage);
      return wireReply(wire.page(shown, { page: asked, pages: Math.max(1, Math.ceil(rows.length / perPage)) }));
    });

  const all = (): Promise<Outcome<readonly ListedDispute[]>> =>
    readAllPages(
      async (cursor) => (await gateway.listDisputes?.(bench.account, { ...wholeList, cursor }, patient)) ?? missing(),
      (row) => row.gatewayDisputeId,
    );

  describe(`${gateway.name}: the list of disputes`, () => {
    it('shows one whose status is not documented as one to answer, with the row that it is in', async () => {
      serve([facts({ state: 'unlisted' })]);
      const read = await reporting(async () =>
        sound((await gateway.listDisputes?.(bench.account, wholeList, patient)) ?? missing(), bench.account),
      );
      const record: unknown = expect.stringContaining('358950');
      const unrecognised = { message: expect.stringContaining('does not list: quarantined'), record };
      expect(read).toMatchObject({
        value: { outcome: 'yes', value: { rows: [{ state: 'needs_response', closedAt: null, unrecognised }] } },
        reported: [{ gateway: gateway.name, kind: 'dispute' }],
      });
    });

    it.each(wire.states)('shows one that is %s, with its payment, amount and due date', async (state) => {
      serve([facts({ state })]);
      const read = await gateway.listDisputes?.(bench.account, wholeList, patient);
      expect(sound(read ?? missing(), bench.account)).toMatchObject({
        outcome: 'yes',
        value: {
          rows: [
            {
              gatewayDisputeId: '358950',
              reference,
              transactionId,
              state,
              amount: '2500.5',
              dueAt: new Date('2026-11-21T00:00:00.000Z'),
              openedAt: new Date('2026-11-20T08:00:00.000Z'),
            },
          ],
        },
      });
    });

    it('is followed to its end, each dispute once, and holds those opened in the requested period', async () => {
      const rows = Array.from({ length: 7 }, (_, at) => facts({ id: String(100 + at) }));
      const outside = [
        facts({ id: '200', createdAt: '2026-11-19T22:59:59.999Z' }),
        facts({ id: '201', createdAt: '2026-11-20T23:00:00.000Z' }),
      ];
      serve([...rows, ...outside], 4);
      const read = await all();
      expect(read.outcome === 'yes' ? read.value.map((row) => row.gatewayDisputeId) : read).toEqual(rows.map(({ id }) => id));
    });

    it('whose rows do not say when they were opened is unreadable', async () => {
      serve([facts(), facts({ id: '2', createdAt: 'yesterday' })]);
      expect(await all()).toMatchObject({ outcome: 'unknown', failure: { code: 'malformed_answer' } });
    });
  });

  const answer = (changes: Partial<DisputeAnswer> = {}): DisputeAnswer => ({
    gatewayDisputeId: '358950',
    action: 'accept',
    amount: '2500.5',
    message: 'The item was out of stock',
    evidence: 'receipt',
    customer: null,
    ...changes,
  });
  const give = async (given: DisputeAnswer) =>
    sound((await gateway.answerDispute?.(bench.account, given, patient)) ?? missing(), bench.account);
  const takeAnswers = (state: DisputeFacts['state']) =>
    bench.server.script((call) => wireReply(wire.answered(call, facts({ state })) ?? missing()));
  const customer = { name: 'Ada Obi', email: 'ada@example.com', phone: null, service: 'One pair of shoes' };

  describe(`${gateway.name}: an answer to a dispute`, () => {
    it('that accepts it is sent once, with its message, and the state is read from what came back', async () => {
      takeAnswers('accepted');
      expect(await give(answer())).toMatchObject({ outcome: 'yes', value: { state: 'accepted' } });
      expect(bench.server.calls.map(({ method }) => method)).toEqual(['PUT']);
      expect(bench.server.calls[0]?.body).toContain('The item was out of stock');
    });

    it('that contests it names the evidence', async () => {
      takeAnswers('under_review');
      const given = answer({
        action: 'contest',
        amount: '0',
        customer: gateway.disputes.customerFor.length > 0 ? customer : null,
      });
      expect(await give(given)).toMatchObject({ outcome: 'yes', value: { state: 'under_review' } });
      const { method, body } = bench.server.calls.at(-1) ?? missing();
      expect([method, body]).toEqual(['PUT', expect.stringContaining('"receipt"')]);
    });

    it('that the gateway refuses was certainly not given', async () => {
      bench.server.script(() => wireReply(script.refused('Dispute has been resolved')));
      expect(await give(answer())).toMatchObject({ outcome: 'no', failure: { code: 'request_rejected' } });
    });

    it('is never sent twice', async () => {
      bench.server.script(() => ({ kind: 'reset' }));
      expect(await give(answer())).toMatchObject({ outcome: 'unknown', failure: { code: 'connection_lost' } });
      expect(bench.server.calls.length).toBe(1);
    });

    it('about another dispute proves nothing about this one', async () => {
      bench.server.script((call) => wireReply(wire.answered(call, facts({ id: '1', state: 'accepted' })) ?? missing()));
      expect(await give(answer())).toMatchObject({ outcome: 'unknown', failure: { code: 'reference_mismatch' } });
    });

    it('cannot be led astray by an id with a path in it', async () => {
      takeAnswers('accepted');
      await give(answer({ gatewayDisputeId: '../transaction/1?x=1#' }));
      expect(bench.server.calls[0]?.path).not.toMatch(/\/\.\.\/|\?x=1|\/transaction\/1/);
    });
  });

  const upload = async () => {
    const content = new TextEncoder().encode('%PDF-1.7 receipt');
    const file = { gatewayDisputeId: '358950', fileName: 'receipt of "Ada".pdf', mediaType: 'application/pdf', content };
    return sound((await gateway.uploadEvidence?.(bench.account, file, patient)) ?? missing(), bench.account);
  };

  describe(`${gateway.name}: evidence`, () => {
    it('is uploaded as it is, and named as the gateway calls it', async () => {
      bench.server.script((call) => wireReply(wire.uploaded(call, 'f00d', bench.server.url)));
      expect(await upload()).toMatchObject({ outcome: 'yes', value: wire.nameOf('f00d') });
      expect(bench.server.calls.at(-1)?.body).toContain('%PDF-1.7 receipt');
    });

    it('that the gateway refuses is not uploaded', async () => {
      bench.server.script(() => wireReply(script.refused('File is not in required format')));
      expect((await upload()).outcome).not.toBe('yes');
    });
  });
}

function missing(): never {
  throw new Error('the gateway documents disputes');
}
