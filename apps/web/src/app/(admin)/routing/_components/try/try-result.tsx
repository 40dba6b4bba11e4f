'use client';

import { OutcomeGlyph } from '#/components/badge/badge.tsx';
import { ReasonList } from '#/components/description-list/reason-list.tsx';
import { CONDITION_LABELS, describePlace, isUnhealthy, UNHEALTHY_NOTE } from '#/copy/conditions.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { AccountChip, AccountOrder } from '../list/rule-summary.tsx';
import type { LiveRouting } from '../queries/use-routing.ts';

type Evaluated = Extract<RouterOutputs['routing']['evaluate'], { kind: 'evaluated' }>;
type Evaluation = Evaluated['draft'];

/** The decision for a trial payment and its reasons, beside that of the published rules. */
export function TryResult({
  evaluated: { draft, live: inForce, comparison },
  live,
}: {
  evaluated: Evaluated;
  live: LiveRouting;
}) {
  const { record, plan } = draft.decision;
  return (
    <>
      <h2 className="flex flex-wrap gap-2 items-baseline mb-1.5 text-2xl font-semibold tracking-[-0.015em]">
        {plan[0] === undefined ? (
          'No account can take it'
        ) : (
          <>
            Goes to <AccountChip accountId={plan[0].accountId} accounts={live.accounts} />
          </>
        )}
      </h2>
      <p>{record.rationale}</p>
      <dl className="flex flex-wrap gap-x-10 gap-y-3 mt-4 mb-2 text-sm [&_dt]:text-ink-faint">
        <div>
          <dt>Tried in order</dt>
          <dd>
            <AccountOrder accountIds={plan.map(({ accountId }) => accountId)} accounts={live.accounts} />
          </dd>
        </div>
        <div>
          <dt>Active rules</dt>
          <dd>
            {comparison.same ? (
              'The same'
            ) : (
              <AccountOrder accountIds={inForce.decision.plan.map(({ accountId }) => accountId)} accounts={live.accounts} />
            )}
          </dd>
        </div>
      </dl>
      <ReasonList reasons={record.reasons} />
      <Rules evaluation={draft} />
      <Accounts evaluation={draft} />
    </>
  );
}

const VERDICTS = {
  wins: 'Decides',
  shadowed: 'Matches, but comes later',
  bypassed: 'Matches, but a gateway was requested',
  fails: 'Does not match',
};
const SHOWN = 50;

/** Every rule with the result of each condition. */
function Rules({ evaluation: { rules } }: { evaluation: Evaluation }) {
  if (rules.length === 0) return null;
  return (
    <>
      <h3 className="mt-5 mb-1.5 text-base font-semibold">Rule by rule</h3>
      <ol className="border-t border-line">
        {rules.slice(0, SHOWN).map((rule) => (
          <li key={rule.ruleId} className="flex gap-3 items-start py-2 pr-2 border-b border-line text-sm leading-6">
            <span
              className={`flex-none min-w-6 rounded-[12px] tabular-nums text-center ${rule.verdict === 'wins' ? 'bg-accent text-on-accent font-semibold' : 'shadow-[inset_0_0_0_1px_var(--line-strong)] text-ink-quiet'}`}
            >
              {rule.position + 1}
            </span>
            <span className={`flex-1 min-w-0 ${rule.verdict === 'wins' ? 'font-semibold' : ''}`}>
              {rule.name}
              <span className="block text-ink-faint leading-4.5">
                {rule.verdict === 'fails'
                  ? rule.conditions
                      .filter(({ holds }) => !holds)
                      .map(({ message }) => message)
                      .join('. ')
                  : ''}
              </span>
            </span>
            <span className={`flex-none max-w-[45%] text-ink-quiet text-right ${rule.verdict === 'wins' ? 'font-semibold' : ''}`}>
              {VERDICTS[rule.verdict]}
            </span>
          </li>
        ))}
      </ol>
      {rules.length > SHOWN && (
        <p className="text-ink-faint text-sm">
          The first {SHOWN} of {rules.length} rules.
        </p>
      )}
    </>
  );
}

const OUTCOMES = { holds: 'text-good', attention: 'text-wait', fails: 'bg-bad-soft text-bad-ink' } as const;

/** Every account with the result of each condition. */
function Accounts({ evaluation: { accounts } }: { evaluation: Evaluation }) {
  const conditions = accounts[0]?.conditions ?? [];
  return (
    <>
      <h3 className="mt-5 mb-1.5 text-base font-semibold">Account by account</h3>
      <div className="relative overflow-x-auto">
        <table className="lined-table [&_:is(th,td)]:px-2.5 [&_th:first-child]:pl-0 [&_:is(th,td):not(:first-child)]:text-center [&_svg]:align-middle">
          <thead>
            <tr>
              <th scope="col">Account</th>
              {conditions.map(({ condition }) => (
                <th key={condition} scope="col">
                  {CONDITION_LABELS[condition]}
                </th>
              ))}
              <th scope="col">Fee</th>
              <th scope="col">Place</th>
            </tr>
          </thead>
          <tbody>
            {accounts.map((account) => (
              <tr key={account.accountId}>
                <th scope="row" className="font-medium">
                  {account.label}
                </th>
                {account.conditions.map(({ condition, outcome, detail }) => (
                  <td key={condition} title={detail} className={OUTCOMES[outcome]}>
                    <OutcomeGlyph outcome={outcome} />
                    <span className="sr-only">{detail}</span>
                  </td>
                ))}
                <td className="tabular-nums">
                  {account.feeInHundredths === null ? '–' : (account.feeInHundredths / 100).toFixed(2)}
                </td>
                <td className="tabular-nums">{describePlace(account, accounts)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {accounts.some(({ conditions: met }) => isUnhealthy(met)) && (
        <p className="mt-2 text-ink-faint text-sm">{UNHEALTHY_NOTE}</p>
      )}
    </>
  );
}
