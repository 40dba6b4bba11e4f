import { describe, expect, it } from 'vitest';
import { type ErrorCode, type ErrorMeaning, errorMeanings, type Outcome, type OutcomeClass } from '../gateway.ts';
import { type Bench, patient, sound } from './bench.ts';
import { order, query, refundOrder, type WireAnswer, wireReply } from './script.ts';

const CLASSES: Readonly<Record<ErrorMeaning, OutcomeClass>> = {
  declined: 'customer',
  ours: 'our_configuration',
  theirs: 'provider_fault',
  unknown: 'our_configuration',
};

type NotDone = Exclude<Outcome<unknown>, { outcome: 'yes' }>;

/** The table of error codes that the dashboard shows is the one that the connector answers by: each row is put to it as it is, and changed. */
export function describeErrorCodes(bench: Bench): void {
  const { name, errorCodes: codes } = bench.gateway;
  // Codes that are not named one by one have no answer of their own here.
  const rows = codes.filter((row) => row.codes === undefined);

  describe(`${name}: the table of error codes`, () => {
    it('has whose fault each is, and the connector answers that', async () => {
      for (const row of rows) {
        const answered = await answerTo(bench, row);
        expect([row.code, answered.failure.gatewayCode ?? row.code]).toEqual([row.code, row.code]);
        const isOpen = answered.failure.code === 'not_paid_yet';
        expect([row.code, answered.failure.class]).toEqual([row.code, isOpen ? 'customer' : CLASSES[row.meaning]]);
        expect([row.code, answered.failure.code]).toEqual([row.code, isOpen ? 'not_paid_yet' : row.failure]);
      }
    });

    it('decides: another meaning of a row is another answer of the connector', async () => {
      for (const [at, row] of codes.entries()) {
        if (!rows.includes(row)) continue;
        const before = await answerTo(bench, row);
        const isOfPayment = row.failure === 'declined' || row.failure === 'checkout_closed';
        const others = errorMeanings.filter((meaning) => meaning !== row.meaning && (meaning !== 'declined' || isOfPayment));
        for (const meaning of others) {
          const after = await withRow(codes, at, { ...row, meaning }, () => answerTo(bench, row));
          expect([row.code, meaning, after.failure.class]).toEqual([row.code, meaning, CLASSES[meaning]]);
          expect([row.code, meaning, shortOf(after)]).not.toEqual([row.code, meaning, shortOf(before)]);
        }
      }
    });

    it('names the code of an answer whose status decides already, if the table has it', async () => {
      const row = rows.find(({ failure }) => failure !== 'declined' && failure !== 'checkout_closed');
      if (row === undefined) throw new Error('the table has no row of a call');
      const { code, words, message } = row;
      const { json } = bench.script.refused(message === undefined ? '' : words, code === words ? 'E999' : code);
      bench.server.script(() => wireReply({ status: 503, json }));
      expect(await bench.gateway.open(bench.account, order, patient)).toMatchObject({
        outcome: 'unknown',
        failure: { class: 'provider_fault', code: 'http_5xx', gatewayCode: code },
      });
      bench.server.script(() => wireReply({ ...bench.script.refused('Words of no table', 'E999'), status: 401 }));
      const unlisted = await bench.gateway.open(bench.account, order, patient);
      expect(unlisted).toMatchObject({ failure: { code: 'invalid_credentials' } });
      expect(unlisted).not.toHaveProperty('failure.gatewayCode');
    });
  });
}

function shortOf({ outcome, failure }: NotDone): readonly string[] {
  return [outcome, failure.class, failure.code];
}

/** Runs with another row in the table itself, and puts the first back. */
async function withRow<T>(codes: readonly ErrorCode[], at: number, row: ErrorCode, run: () => Promise<T>): Promise<T> {
  const before = codes[at];
  Reflect.set(codes, at, row);
  try {
    return await run();
  } finally {
    Reflect.set(codes, at, before);
  }
}

/** The connector's answer to the code: as the state of a payment, or as the refusal of a call that the row counts for. */
async function answerTo(bench: Bench, row: ErrorCode): Promise<NotDone> {
  const outcome = sound(await ask(bench, row), bench.account);
  if (outcome.outcome === 'yes') throw new Error(`${row.code} was answered with yes`);
  return outcome;
}

function ask(bench: Bench, { code, words, message, failure, of, statuses }: ErrorCode): Promise<Outcome<unknown>> {
  const { gateway, script, server, account } = bench;
  if (failure === 'declined' || failure === 'checkout_closed') {
    server.script(() => wireReply(bench.paid(100_000n, { state: 'failed', word: code })));
    return gateway.verify(account, query, patient);
  }
  const refused = script.refused(message === undefined ? '' : words, code === words ? 'E999' : code);
  const answer: WireAnswer = { ...refused, status: statuses?.at(-1) ?? refused.status };
  server.script(() => wireReply(answer));
  if (failure === 'not_found')
    return of === 'refund'
      ? gateway.findRefund(account, { gatewayRefundId: '75923' }, patient)
      : gateway.verify(account, query, patient);
  bench.answerRefunds(() => wireReply(answer));
  return of === 'refund' ? gateway.refund(account, refundOrder, patient) : gateway.open(account, order, patient);
}
