import { roles } from '#/components/list/table-roles.ts';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import {
  type AccountingSetting,
  type BookAccount,
  describePosting,
  type JournalSummary,
  POSTING_MEANINGS,
} from '#/copy/accounting.ts';
import { groupDecimal } from '#/format/amounts.ts';

/** Sums that a period posts to each account of the books, and the account as the books know it. */
export function AccountsTable({ summary, setting }: { summary: JournalSummary; setting: AccountingSetting }) {
  const { currency, entries, accounts, debit, credit } = summary;
  const labelOf = (accountId: string) =>
    setting.accounts.find((account) => account.accountId === accountId)?.accountLabel ?? 'a removed account';
  const columns = [
    { title: 'Posting' },
    { title: 'Account in the books' },
    { title: 'Class' },
    { title: `Debit, ${currency}`, number: true },
    { title: `Credit, ${currency}`, number: true },
  ];
  return (
    <section aria-label={`Journal, ${currency}`} className="mb-8">
      <p className="mb-1 text-sm text-ink-quiet">
        {entries === 1 ? '1 entry' : `${entries.toLocaleString('en')} entries`} in {currency}
      </p>
      <PlainTable label={`Accounts, ${currency}`} columns={columns}>
        <tbody {...roles.group}>
          {accounts.map((account) => {
            const { to } = account;
            const known =
              to.posting === 'clearing' ? setting.mapping.clearing[to.accountId] : setting.mapping.postings[to.posting];
            return (
              <tr key={JSON.stringify(to)} {...roles.row}>
                <th
                  scope="row"
                  {...roles.rowHeader}
                  title={to.posting === 'clearing' ? 'What the gateway holds for the merchant.' : POSTING_MEANINGS[to.posting]}
                >
                  {describePosting(to, labelOf)}
                </th>
                <td {...textCell('Account in the books')}>
                  <KnownAs account={known} />
                </td>
                <td {...textCell('Class')}>{known?.trackingClass === '' ? '–' : (known?.trackingClass ?? '–')}</td>
                <td {...numberCell('Debit')}>{shown(account.debit)}</td>
                <td {...numberCell('Credit')}>{shown(account.credit)}</td>
              </tr>
            );
          })}
        </tbody>
        <tfoot {...roles.group}>
          <tr {...roles.row}>
            <th scope="row" {...roles.rowHeader}>
              Total
            </th>
            <td {...textCell('Account in the books')} />
            <td {...textCell('Class')} />
            <td {...numberCell('Debit')}>{shown(debit)}</td>
            <td {...numberCell('Credit')}>{shown(credit)}</td>
          </tr>
        </tfoot>
      </PlainTable>
    </section>
  );
}

function KnownAs({ account }: { account: BookAccount | undefined }) {
  if (account === undefined || (account.code === '' && account.name === '')) {
    return <span className="text-bad-ink font-medium">Not mapped</span>;
  }
  return (
    <>
      {account.code !== '' && <span className="tabular-nums">{account.code} </span>}
      {account.name}
    </>
  );
}

function shown(amount: string) {
  return /[1-9]/.test(amount) ? groupDecimal(amount) : <span className="text-ink-faint">–</span>;
}
