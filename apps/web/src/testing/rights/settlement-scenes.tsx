import type { ComponentProps } from 'react';
import { DisputesPage } from '#/app/(admin)/disputes/_components/disputes-page.tsx';
import { DisputePage } from '#/app/(admin)/disputes/[disputeId]/_components/dispute-page.tsx';
import { ContractsSection } from '#/app/(admin)/fees/_components/contracts/contracts-section.tsx';
import { DaysSection } from '#/app/(admin)/reconciliation/_components/days/days-section.tsx';
import { DiscrepancyPanel } from '#/app/(admin)/reconciliation/_components/discrepancies/discrepancy-panel.tsx';
import { ReconciliationPage } from '#/app/(admin)/reconciliation/_components/reconciliation-page.tsx';
import { ToleranceDialog } from '#/app/(admin)/reconciliation/_components/tolerance-dialog.tsx';
import { AccountsSection } from '#/app/(admin)/settlements/_components/accounts/accounts-section.tsx';
import { DiscrepancyPanel as SettlementDiscrepancyPanel } from '#/app/(admin)/settlements/_components/discrepancies/discrepancy-panel.tsx';
import { SettlementsPage } from '#/app/(admin)/settlements/_components/settlements-page.tsx';
import { BankSection } from '#/app/(admin)/settlements/[settlementId]/_components/bank-section.tsx';
import { LinesSection } from '#/app/(admin)/settlements/[settlementId]/_components/lines-section.tsx';
import { WithdrawPayout } from '#/app/(admin)/settlements/[settlementId]/_components/settlement-page.tsx';
import { BankPage } from '#/app/(admin)/settlements/bank/_components/bank-page.tsx';
import { FilesPage } from '#/app/(admin)/settlements/files/_components/files-page.tsx';
import { RulesPage } from '#/app/(admin)/settlements/rules/_components/rules-page.tsx';
import { partial } from '#/testing/partial.ts';
import { both, items, type Merchant, ofId, type Scene } from './shown-by-right.tsx';

const AT = new Date('2024-11-21T13:02:00Z');
const RESOLVE = 'reconciliation:resolve';
const SCOPE = { mode: 'test', merchantId: null } as const;
const named = ({ merchantId, tag }: Merchant) => ({
  merchantId,
  merchantName: tag,
  mode: 'test',
  accountId: `acc-${tag}`,
  accountLabel: `${tag} main`,
  gateway: 'paystack',
  gatewayTitle: 'Paystack',
  currency: 'NGN',
  createdAt: AT,
});
const account = (of: Merchant) => ({
  ...named(of),
  label: `${of.tag} main`,
  road: 'FILE',
  heardAt: null,
  failure: null,
  calendar: { workingDays: 1, holidays: [], tolerance: '0', isDefault: true, publishedSource: null },
});
const discrepancy = (of: Merchant) => ({
  ...named(of),
  discrepancyId: `d-${of.tag}`,
  day: '2024-11-20',
  about: 'payment',
  kind: 'AMOUNT',
  state: 'OPEN',
  amount: '500.5',
  paymentId: null,
  settlementId: null,
  reference: `ref ${of.tag}`,
  transactionId: null,
  ownerId: null,
  ownerName: null,
  note: null,
  resolution: null,
  resolvedBy: null,
  resolvedByName: null,
  resolvedAt: null,
  ledger: null,
  statement: null,
});
const settlementDiscrepancy = (of: Merchant) => ({
  ...discrepancy(of),
  kind: 'UNDER',
  expected: '2',
  settled: '1',
  expectedOn: '2024-11-20',
  ageDays: 3,
  lineKind: null,
  merchantOrderId: of.tag,
});
type Settlement = ComponentProps<typeof BankSection>['settlement'];
const settlement = (of: Merchant) =>
  partial<Settlement>({ ...named(of), settlementId: `s-${of.tag}`, reference: of.tag, status: 'PAID', net: '5', road: 'FILE' });
type Days = ComponentProps<typeof DaysSection>;
const rule = (of: Merchant) => ({
  ...named(of),
  ruleId: `r-${of.tag}`,
  kind: 'UNMATCHED',
  lineKind: null,
  amountMax: '50',
  reason: 'Stamp duty',
  createdByName: 'Ada',
  endedAt: null,
  endedByName: null,
  resolved: 12,
});

/** Where discrepancies are resolved. */
const RECONCILIATION: readonly Scene[] = [
  {
    title: 'Discrepancies, for a bulk action',
    answers: {
      'reconciliation.accounts': both(account),
      'reconciliation.runs': { items: [], next: null },
      'reconciliation.byAge': [],
      'reconciliation.counts': [],
      'reconciliation.owners': [],
      'reconciliation.discrepancies': items(discrepancy),
    },
    list: () => <ReconciliationPage />,
    controls: [
      {
        asks: `discrepancies/use-selection.ts ${RESOLVE}`,
        role: 'checkbox',
        name: /ref /,
        uses: ['reconciliation/bulk/bulk-bar.tsx reconciliation.changeMany'],
      },
    ],
  },
  {
    title: 'A discrepancy',
    answers: {
      'reconciliation.discrepancy': ({ discrepancyId }: { discrepancyId: string }) => ofId(discrepancy, discrepancyId),
      'reconciliation.owners': [],
    },
    of: ({ tag }) => <DiscrepancyPanel discrepancyId={`d-${tag}`} rows={[]} onOpen={() => undefined} onClose={() => undefined} />,
    controls: [
      {
        asks: `reconciliation/discrepancies/discrepancy-panel.tsx ${RESOLVE}`,
        name: 'Close as resolved',
        isSeenDisabled: true,
        uses: [
          'reconciliation/discrepancies/discrepancy-panel.tsx reconciliation.resolve',
          'reconciliation/discrepancies/discrepancy-panel.tsx reconciliation.reopen',
          'reconciliation/discrepancies/discrepancy-panel.tsx reconciliation.note',
          'reconciliation/discrepancies/discrepancy-panel.tsx reconciliation.assign',
        ],
      },
      { asks: `reconciliation/discrepancies/discrepancy-panel.tsx ${RESOLVE}`, role: 'textbox', name: /Note/ },
      { asks: `reconciliation/discrepancies/discrepancy-panel.tsx ${RESOLVE}`, role: 'combobox', name: /Owner/ },
    ],
  },
  {
    title: 'Tolerances',
    answers: { 'reconciliation.tolerances': both((of) => ({ ...named(of), tolerance: '0', updatedAt: null })) },
    list: () => <ToleranceDialog onClose={() => undefined} />,
    controls: [
      {
        asks: `reconciliation/tolerance-dialog.tsx ${RESOLVE}`,
        role: 'textbox',
        name: ({ tag }) => new RegExp(tag),
        uses: ['reconciliation/tolerance-dialog.tsx reconciliation.setTolerance'],
      },
    ],
  },
  {
    title: 'A day of reconciliation',
    of: (merchant) => (
      <DaysSection
        found={partial<Days['found']>({ days: ['2024-11-20'], accounts: [account(merchant)], runs: [] })}
        filters={partial<Days['filters']>({ account: `acc-${merchant.tag}`, day: '2024-11-20' })}
        onChange={() => undefined}
      />
    ),
    controls: [
      {
        asks: `reconciliation/days/days-section.tsx ${RESOLVE}`,
        name: 'Compare now',
        uses: ['reconciliation/days/days-section.tsx reconciliation.runNow'],
      },
    ],
  },
];

/** A line that is not matched, and missing money of its amount. */
const PAIR = {
  lineId: 'l',
  settlementId: 's',
  settlementReference: 'TRF',
  settledOn: null,
  entry: { subject: 'payment/p', kind: 'payment', paymentId: 'p', merchantOrderId: 'order', amount: '1', currency: 'NGN' },
};

/** Where payouts are taken in, matched and corrected. */
const SETTLEMENTS: readonly Scene[] = [
  {
    title: 'Settlement discrepancies, for a bulk action',
    answers: {
      'settlements.accounts': both(account),
      'settlements.discrepancies.counts': [],
      'settlements.discrepancies.list': items(settlementDiscrepancy),
      'reconciliation.owners': [],
    },
    search: '&view=discrepancies',
    list: () => <SettlementsPage />,
    controls: [
      {
        asks: `discrepancies/use-selection.ts ${RESOLVE}`,
        role: 'checkbox',
        name: /Adire|Bukola/,
        uses: ['settlements/discrepancies/bulk-bar.tsx settlements.discrepancies.changeMany'],
      },
    ],
  },
  {
    title: 'A settlement discrepancy',
    answers: {
      'settlements.discrepancies.byId': ({ discrepancyId }: { discrepancyId: string }) => ({
        ...ofId(settlementDiscrepancy, discrepancyId),
        kind: 'MISSING',
      }),
      'settlements.discrepancies.pairs': [PAIR],
      'settlements.discrepancies.list': { items: [], next: null },
      'reconciliation.owners': [],
    },
    of: ({ tag }) => (
      <SettlementDiscrepancyPanel
        discrepancyId={`d-${tag}`}
        filters={partial({ kind: [], state: 'open', place: null, account: [], owner: '', settlement: '', sort: '' })}
        onOpen={() => undefined}
        onClose={() => undefined}
      />
    ),
    controls: [
      {
        asks: `settlements/discrepancies/discrepancy-panel.tsx ${RESOLVE}`,
        name: 'Close as resolved',
        isSeenDisabled: true,
        uses: [
          'settlements/discrepancies/discrepancy-panel.tsx settlements.discrepancies.resolve',
          'settlements/discrepancies/discrepancy-panel.tsx settlements.discrepancies.reopen',
          'settlements/discrepancies/discrepancy-panel.tsx settlements.discrepancies.note',
          'settlements/discrepancies/discrepancy-panel.tsx settlements.discrepancies.assign',
        ],
      },
      {
        asks: `settlements/discrepancies/discrepancy-panel.tsx ${RESOLVE}`,
        name: 'Match',
        uses: ['settlements/discrepancies/discrepancy-panel.tsx settlements.linkLine'],
      },
      { asks: `settlements/discrepancies/discrepancy-panel.tsx ${RESOLVE}`, role: 'textbox', name: /Note/ },
    ],
  },
  {
    title: 'Calendars and bank matching',
    answers: {
      'settlements.accounts': both(account),
      'settlements.bank.matching': {
        merchants: both((of) => ({ ...named(of), tolerance: '0', days: 3, workingDays: 2, isDefault: true })),
        defaults: {},
      },
    },
    list: () => <AccountsSection />,
    controls: [
      { asks: `settlements/accounts/accounts-section.tsx ${RESOLVE}`, role: 'link', name: 'Import a file' },
      {
        asks: `settlements/accounts/accounts-section.tsx ${RESOLVE}`,
        name: ({ tag }) => `Change… the calendar of ${tag} main`,
        uses: ['settlements/accounts/account-dialogs.tsx settlements.setCalendar'],
      },
    ],
  },
  {
    title: 'Bank matching',
    answers: {
      'settlements.accounts': [account({ merchantId: 'm', tag: 'Other' })],
      'settlements.bank.matching': {
        merchants: both((of) => ({ ...named(of), tolerance: '0', days: 3, workingDays: 2, isDefault: true })),
        defaults: {},
      },
    },
    list: () => <AccountsSection />,
    controls: [
      {
        asks: `settlements/accounts/accounts-section.tsx ${RESOLVE}`,
        name: ({ tag }) => `Change… the bank matching of ${tag}`,
        uses: ['settlements/accounts/account-dialogs.tsx settlements.bank.setMatching'],
      },
    ],
  },
  {
    title: 'Bank statements and lines',
    answers: {
      'settlements.bank.read': {
        coverage: [],
        sums: [],
        days: [],
        payouts: [],
        unmatched: both((of) => ({
          ...named(of),
          bankLineId: `b-${of.tag}`,
          bankAccount: 'GTB',
          amount: '77',
          bookedOn: '2026-11-25',
          text: `PAYSTACK ${of.tag}`,
        })),
      },
      'settlements.bank.statements': [],
    },
    list: () => <BankPage />,
    controls: [
      {
        asks: `settlements/bank/bank-page.tsx ${RESOLVE}`,
        name: 'Match…',
        uses: ['settlements/bank/payout-dialog.tsx settlements.bank.link'],
      },
    ],
  },
  {
    title: 'Withdrawing bank statements',
    answers: {
      'settlements.bank.read': { coverage: [], sums: [], days: [], payouts: [], unmatched: [] },
      'settlements.bank.statements': both((of) => ({
        ...named(of),
        statementId: `st-${of.tag}`,
        name: `${of.tag}.csv`,
        format: 'csv',
        accounts: [],
        lines: 2,
        fresh: 2,
        withdrawnAt: null,
        importedAt: AT,
        hash: 'x',
        known: 0,
        takenByName: 'Ada',
        takenAt: AT,
      })),
    },
    list: () => <BankPage />,
    controls: [
      {
        asks: `settlements/corrections/use-withdrawal.tsx ${RESOLVE}`,
        name: 'Withdraw…',
        uses: ['settlements/corrections/withdraw-dialog.tsx settlements.withdrawals.withdraw'],
      },
    ],
  },
  {
    title: 'Importing bank statements',
    answers: {
      'settlements.bank.read': { coverage: [], sums: [], days: [], payouts: [], unmatched: [] },
      'settlements.bank.statements': [],
    },
    list: () => <BankPage />,
    controls: [
      {
        asks: `settlements/bank/bank-page.tsx ${RESOLVE}`,
        at: 'page of one',
        role: 'file',
        name: /file/i,
        uses: [
          'settlements/bank/statements.tsx settlements.bank.inspect',
          'settlements/bank/statements.tsx settlements.bank.preview',
          'settlements/bank/statements.tsx settlements.bank.take',
        ],
      },
    ],
  },
  {
    title: 'Withdrawing settlement files',
    answers: {
      'settlements.accounts': both(account),
      'settlements.files.list': both((of) => ({
        ...named(of),
        fileId: `f-${of.tag}`,
        name: 'payouts.csv',
        hash: 'x',
        rows: 2,
        settlements: 1,
        replaced: 0,
        extended: 0,
        lines: 2,
        withdrawnAt: null,
        takenByName: 'Ada',
        takenAt: AT,
      })),
    },
    list: () => <FilesPage scope={SCOPE} accountId={null} />,
    controls: [
      {
        asks: `settlements/corrections/use-withdrawal.tsx ${RESOLVE}`,
        name: 'Withdraw…',
      },
    ],
  },
  {
    title: 'Importing settlement files',
    answers: { 'settlements.accounts': both(account), 'settlements.files.list': [] },
    of: ({ tag }) => <FilesPage scope={SCOPE} accountId={`acc-${tag}`} />,
    controls: [
      {
        asks: `settlements/files/files-page.tsx ${RESOLVE}`,
        role: 'file',
        name: /file/i,
        uses: [
          'settlements/files/files-page.tsx settlements.files.inspect',
          'settlements/files/files-page.tsx settlements.files.preview',
          'settlements/files/files-page.tsx settlements.files.effect',
          'settlements/files/files-page.tsx settlements.files.take',
        ],
      },
    ],
  },
  {
    title: 'Ignore rules',
    answers: { 'settlements.accounts': [], 'settlements.rules.list': both(rule) },
    list: () => <RulesPage scope={SCOPE} />,
    controls: [
      {
        asks: `settlements/rules/rules-page.tsx ${RESOLVE}`,
        name: 'Disable…',
        uses: ['settlements/rules/rules-page.tsx settlements.rules.end'],
      },
    ],
  },
  {
    title: 'Creating ignore rules',
    answers: {
      'settlements.accounts': both(account),
      'settlements.rules.list': [],
    },
    list: () => <RulesPage scope={SCOPE} />,
    controls: [
      {
        asks: `settlements/rules/rules-page.tsx ${RESOLVE}`,
        at: 'anywhere',
        name: 'Create rule…',
        uses: ['settlements/rules/rule-dialog.tsx settlements.rules.create'],
      },
    ],
  },
  {
    title: 'A payout at the bank',
    answers: {
      'settlements.bank.linesOf': [
        {
          bankLineId: 'b',
          bankAccount: 'GTB',
          amount: '7',
          currency: 'NGN',
          bookedOn: '2026-11-25',
          text: 'x',
          by: 'reference',
          byName: null,
        },
      ],
    },
    of: (merchant) => <BankSection settlement={settlement(merchant)} />,
    controls: [
      {
        asks: `settlements/[settlementId]/bank-section.tsx ${RESOLVE}`,
        name: 'Undo…',
        uses: ['settlements/[settlementId]/bank-section.tsx settlements.bank.unlink'],
      },
      {
        asks: `settlements/[settlementId]/bank-section.tsx ${RESOLVE}`,
        name: 'Match a bank line…',
        uses: ['settlements/[settlementId]/link-dialogs.tsx settlements.bank.link'],
      },
    ],
  },
  {
    title: 'Lines of a settlement',
    answers: {
      'settlements.lines': {
        items: [
          {
            lineId: 'l-1',
            position: 1,
            kind: 'ADJUSTMENT',
            amount: '5',
            fee: null,
            net: null,
            reference: 'x',
            linkedBy: null,
            matched: null,
            occurredAt: AT,
          },
          {
            lineId: 'l-2',
            position: 2,
            kind: 'ADJUSTMENT',
            amount: '5',
            fee: null,
            net: null,
            reference: 'y',
            linkedBy: 'STAFF',
            matched: null,
            occurredAt: AT,
          },
        ],
        next: null,
      },
    },
    of: (merchant) => (
      <LinesSection settlement={settlement(merchant)} filters={{ kind: [], unmatched: false }} onChange={() => undefined} />
    ),
    controls: [
      {
        asks: `settlements/[settlementId]/lines-section.tsx ${RESOLVE}`,
        name: 'Match…',
        uses: ['settlements/[settlementId]/link-dialogs.tsx settlements.linkLine'],
      },
      {
        asks: `settlements/[settlementId]/lines-section.tsx ${RESOLVE}`,
        name: 'Undo…',
        uses: ['settlements/[settlementId]/lines-section.tsx settlements.unlinkLine'],
      },
    ],
  },
  {
    title: 'A payout of a file',
    of: (merchant) => <WithdrawPayout settlement={settlement(merchant)} />,
    controls: [{ asks: `settlements/[settlementId]/settlement-page.tsx ${RESOLVE}`, name: 'Withdraw…' }],
  },
];

const dispute = (of: Merchant) => ({
  ...named(of),
  disputeId: `dp-${of.tag}`,
  gatewayDisputeId: 'x',
  state: 'NEEDS_RESPONSE',
  amount: '5',
  fee: null,
  manual: true,
  unrecognised: null,
  unrecognisedRecord: null,
  payment: null,
  reference: null,
  stage: null,
  category: null,
  openedAt: AT,
  dueAt: null,
  resolvedAt: null,
  support: { responses: [], unanswered: null },
  payer: null,
  evidence: [{ evidenceId: 'e', fileName: 'r.pdf', sizeBytes: 5, createdAt: AT }],
  history: [],
  people: {},
  takenBack: '0',
  transactionId: null,
  paymentId: null,
  dueSource: null,
  closedAt: null,
  merchantOrderId: null,
});

/** Disputes and fee contracts. */
const DISPUTES: readonly Scene[] = [
  {
    title: 'A dispute',
    answers: { 'disputes.byId': ({ disputeId }: { disputeId: string }) => ({ ...ofId(dispute, disputeId), responses: [] }) },
    of: ({ tag }) => <DisputePage disputeId={`dp-${tag}`} />,
    controls: [
      {
        asks: `disputes/[disputeId]/dispute-page.tsx ${RESOLVE}`,
        name: 'Record outcome…',
        uses: ['disputes/[disputeId]/by-hand.tsx disputes.record'],
      },
      {
        asks: `disputes/[disputeId]/dispute-page.tsx ${RESOLVE}`,
        name: 'Respond…',
        uses: ['disputes/[disputeId]/answer-dialog.tsx disputes.answer'],
      },
      {
        asks: `disputes/[disputeId]/dispute-page.tsx ${RESOLVE}`,
        role: 'file',
        name: /file/i,
        uses: ['disputes/[disputeId]/evidence.tsx disputes.addEvidence'],
      },
    ],
  },
  {
    title: 'A dispute whose answer is not confirmed',
    answers: {
      'disputes.byId': ({ disputeId }: { disputeId: string }) => ({
        ...ofId(dispute, disputeId),
        responses: [
          {
            responseId: 'r',
            stage: '',
            action: 'CONTEST',
            state: 'UNKNOWN',
            amount: null,
            message: 'x',
            failure: null,
            createdAt: AT,
          },
        ],
      }),
    },
    of: ({ tag }) => <DisputePage disputeId={`dp-${tag}`} />,
    controls: [
      {
        asks: `disputes/[disputeId]/dispute-page.tsx ${RESOLVE}`,
        name: 'Confirm response…',
        uses: ['disputes/[disputeId]/by-hand.tsx disputes.settleResponse'],
      },
    ],
  },
  {
    title: 'Disputes',
    answers: {
      'disputes.list': { items: [], next: null },
      'disputes.counts': [],
      'disputes.accounts': both((of) => ({ ...named(of), road: 'hand', failure: null })),
    },
    list: () => <DisputesPage />,
    controls: [
      {
        asks: `disputes/disputes-page.tsx ${RESOLVE}`,
        at: 'anywhere',
        name: 'Record a dispute…',
        uses: ['disputes/open-dialog.tsx disputes.open'],
      },
    ],
  },
  {
    title: 'Fee contracts',
    answers: { 'fees.contracts': both((of) => ({ ...named(of), contracts: [] })) },
    list: () => <ContractsSection />,
    controls: [
      {
        asks: 'fees/contracts/contracts-section.tsx fee:configure',
        name: ({ tag }) => `Enter a contract of ${tag} main`,
        uses: ['fees/contracts/contract-dialog.tsx fees.addContract'],
      },
    ],
  },
];

/** Reconciliation, settlements, disputes and fees. */
export const SETTLEMENT_SCENES: readonly Scene[] = [...RECONCILIATION, ...SETTLEMENTS, ...DISPUTES];
