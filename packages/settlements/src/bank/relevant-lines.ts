import type { BankDecision, BankLine, Payout } from './match-bank.ts';
import { namesGateway } from './names-gateway.ts';
import { namingWords, wordsOf } from './references.ts';

/**
 * Selects the lines that matching may link to payouts, or that name a gateway: with a payout's amount and currency, with a part of a payout's
 * reference in the text, or decided by a person.
 */
export function createRelevance(
  payouts: readonly Payout[],
  decisions: readonly BankDecision[],
  gateways: ReadonlySet<string>,
): (line: BankLine) => boolean {
  const amounts = new Set(payouts.map(({ net, currency }) => `${currency} ${net}`));
  const decided = new Set(decisions.map(({ bankLineId }) => bankLineId));
  const firstWords = new Set(payouts.flatMap((payout) => namingWords(payout)[0] ?? []));
  return (line) =>
    decided.has(line.bankLineId) ||
    amounts.has(`${line.currency} ${line.amount}`) ||
    [...gateways].some((gateway) => namesGateway(line, { gateway })) ||
    wordsOf(line.text).some((word) => firstWords.has(word));
}
