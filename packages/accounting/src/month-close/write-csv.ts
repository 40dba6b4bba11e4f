import { stringify } from 'csv-stringify/sync';
import { BALANCE_KINDS } from '../ledger/entries.ts';
import type { Balance, MonthDocument } from './document.ts';

const TITLES = ['merchant', 'mode', 'month', 'account', 'gateway', 'currency', 'figure', 'count', 'amount', 'document_sha256'];

/**
 * The figures of a frozen document as a table: a row for each account, currency and figure, then those of all accounts together, whose account is
 * empty. The same document gives the same text. Pure.
 */
export function writeCsv(document: MonthDocument, hash: string): string {
  const { merchantNumber, mode, month } = document;
  const rowsOf = (balance: Balance, account: string, gateway: string) => {
    const figures = BALANCE_KINDS.map((kind) => [kind, String(balance.figures[kind].count), balance.figures[kind].amount]);
    const all = [
      ['opening', '', balance.opening],
      ...figures,
      ['closing', '', balance.closing],
      ['bank', String(balance.bank.count), balance.bank.amount],
    ];
    return all.map((cells) => [merchantNumber, mode, month, account, gateway, balance.currency, ...cells, hash]);
  };
  const rows = [
    ...document.accounts.flatMap((account) => rowsOf(account, account.accountLabel, account.gateway)),
    ...document.totals.flatMap((total) => rowsOf(total, '', '')),
  ];
  // Labels are slugs and amounts are numbers: nothing here is a formula, and a minus has to stay one.
  return stringify([TITLES, ...rows], { record_delimiter: 'windows' });
}
