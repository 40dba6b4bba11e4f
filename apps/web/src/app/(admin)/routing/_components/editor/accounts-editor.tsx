'use client';

import { IconX } from '@tabler/icons-react';
import { Checkbox } from '#/components/field/field.tsx';
import { NumberField, readNumber } from '#/components/number-field/number-field.tsx';
import { Select } from '#/components/select/select.tsx';
import { SortableList } from '#/components/sortable-list/sortable-list.tsx';
import { gatewayTokens } from '#/theme/gateway-colours.ts';
import type { EditedDraft } from '../draft/use-draft.ts';
import { AccountChip } from '../list/rule-summary.tsx';
import type { Note } from '../queries/use-check.ts';
import { labelIn, STRATEGY_LABELS } from '../rules/copy.ts';
import { type Account, STRATEGIES } from '../rules/document.ts';
import { moveInList } from '../rules/edit.ts';
import { evenly, splitTotal, withAccount, withoutAccount, withStrategy } from '../rules/rule-form.ts';
import { NoteLine, NoteLines } from './notes.tsx';
import { RuleNumber, useRuleFields } from './rule-fields.tsx';

/** The accounts and the strategy of a rule. */
export function AccountsEditor({ accounts, mayWrite }: { accounts: readonly Account[]; mayWrite: boolean }) {
  const { form, set, leave, notesOf } = useRuleFields();
  const notes = notesOf('accounts', 'strategy');
  const general = notes.filter((note) => !isOfRow(note) || !form.accounts.some(({ account }) => account === note.accountId));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset within the rule's own would be announced twice over.
    <div className="grid gap-3 min-w-0" role="group" aria-label="Send to" onBlur={leave('accounts')}>
      <Choices />
      <AccountList
        accountIds={form.accounts.map(({ account }) => account)}
        accounts={accounts}
        label="Accounts of the rule"
        mayWrite={mayWrite}
        notes={notes}
        onMove={(from, to) => set({ accounts: moveInList(form.accounts, from, to) })}
        onRemove={(accountId) => set(withoutAccount(form, accountId))}
        onAdd={(accountId) => set(withAccount(form, accountId))}
      >
        {form.strategy === 'weighted' ? (accountId) => <Percent accountId={accountId} accounts={accounts} /> : null}
      </AccountList>
      {form.strategy === 'weighted' && <SplitBar accounts={accounts} mayWrite={mayWrite} />}
      {(form.strategy === 'lowest_cost' || form.strategy === 'expected_value') && (
        <Checkbox
          label="Go by what was charged lately, not by the contracts"
          description="Fees of the last 90 days as a share of the amounts, by method and size; where too few are known, the contract."
          checked={form.fees === 'effective'}
          onChange={(effective) => set({ fees: effective ? 'effective' : 'contract' })}
        />
      )}
      {form.strategy === 'success_rate' && (
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          <RuleNumber name="minSamples" label="Compare from this many finished payments" min={1} />
          <RuleNumber
            name="explorationPercent"
            label="Share that tries another account, to keep measuring"
            unit="%"
            min={0}
            max={100}
          />
        </div>
      )}
      <NoteLines notes={general} />
    </div>
  );
}

/** True for a note under its account; permanent ones are folded together below all accounts. */
function isOfRow({ accountId, isPermanent }: Note): boolean {
  return accountId !== null && !isPermanent;
}

function Choices() {
  const { form, set } = useRuleFields();
  return (
    <div className="flex flex-wrap gap-1.5" role="radiogroup" aria-label="How to choose among the accounts">
      {STRATEGIES.map((strategy) => (
        <label key={strategy} className="box-chip" title={STRATEGY_LABELS[strategy].meaning}>
          <input
            type="radio"
            name={`strategy of ${form.name}`}
            checked={form.strategy === strategy}
            onChange={() => set(withStrategy(form, strategy))}
          />
          {STRATEGY_LABELS[strategy].name}
        </label>
      ))}
      <p className="basis-full text-ink-faint text-sm">{STRATEGY_LABELS[form.strategy].meaning}</p>
    </div>
  );
}

/** Accounts in an order that can be dragged, with a way to add and to take away. */
function AccountList({
  accountIds,
  accounts,
  label,
  notes,
  mayWrite,
  onMove,
  onRemove,
  onAdd,
  children,
}: {
  accountIds: readonly string[];
  accounts: readonly Account[];
  label: string;
  notes: readonly Note[];
  mayWrite: boolean;
  onMove: (from: number, to: number) => void;
  onRemove: (accountId: string) => void;
  onAdd: (accountId: string) => void;
  children?: ((accountId: string) => React.ReactNode) | null;
}) {
  const unused = accounts.filter(({ accountId }) => !accountIds.includes(accountId));
  const row = (accountId: string, index: number, moveTo: (to: number) => void) => (
    <div className="flex-1 min-w-0 py-1 text-sm">
      <div className="flex gap-2 items-center min-h-7">
        <span className="min-w-4 text-ink-faint tabular-nums">{index + 1}</span>
        <AccountChip accountId={accountId} accounts={accounts} />
        <span className="flex-1" />
        {children?.(accountId)}
        {mayWrite && (
          <>
            {/* Buttons for reordering without dragging; at the ends they keep the focus and do nothing. */}
            <button
              type="button"
              className="icon-button size-6.5 rounded-sm"
              aria-disabled={index === 0}
              onClick={() => moveTo(index - 1)}
              aria-label={`Move ${labelIn(accounts, accountId)} up`}
            >
              ↑
            </button>
            <button
              type="button"
              className="icon-button size-6.5 rounded-sm"
              aria-disabled={index === accountIds.length - 1}
              onClick={() => moveTo(index + 1)}
              aria-label={`Move ${labelIn(accounts, accountId)} down`}
            >
              ↓
            </button>
            <button
              type="button"
              className="icon-button size-6.5 rounded-sm"
              onClick={() => onRemove(accountId)}
              aria-label={`Remove ${labelIn(accounts, accountId)}`}
            >
              <IconX size={14} stroke={1.9} aria-hidden="true" />
            </button>
          </>
        )}
      </div>
      {notes
        .filter((note) => isOfRow(note) && note.accountId === accountId)
        .map((note) => (
          <NoteLine key={note.message} note={note} />
        ))}
    </div>
  );
  return (
    <div className="max-w-[520px]">
      {mayWrite ? (
        <SortableList
          label={label}
          keys={accountIds}
          nameOf={(accountId) => labelIn(accounts, accountId)}
          onMove={onMove}
          entryClassName={'gap-1 items-start border-b border-line [&>button]:first:mt-1'}
        >
          {row}
        </SortableList>
      ) : (
        <ol aria-label={label}>
          {accountIds.map((accountId, index) => (
            <li key={accountId} className="gap-1 items-start border-b border-line [&>button]:first:mt-1">
              {row(accountId, index, () => undefined)}
            </li>
          ))}
        </ol>
      )}
      {mayWrite && unused.length > 0 && (
        <div className="justify-self-start w-[240px] max-w-full mt-2">
          <Select
            label={`Add to: ${label}`}
            labelPlace="hidden"
            placeholder="Add an account"
            options={unused.map(({ accountId, label: name, gatewayTitle }) => ({
              value: accountId,
              label: name,
              note: gatewayTitle,
            }))}
            value={null}
            onChange={onAdd}
          />
        </div>
      )}
    </div>
  );
}

function Percent({ accountId, accounts }: { accountId: string; accounts: readonly Account[] }) {
  const { form, set } = useRuleFields();
  const share = form.accounts.find(({ account }) => account === accountId);
  return (
    <div className="w-21">
      <NumberField
        label={`Share of ${labelIn(accounts, accountId)}`}
        labelPlace="hidden"
        unit="%"
        min={0}
        max={100}
        value={readNumber(share?.percent ?? '', 0)}
        onChange={(percent) =>
          set({ accounts: form.accounts.map((each) => (each.account === accountId ? { ...each, percent } : each)) })
        }
      />
    </div>
  );
}

/** The shares as a bar, and their sum. */
function SplitBar({ accounts, mayWrite }: { accounts: readonly Account[]; mayWrite: boolean }) {
  const { form, set } = useRuleFields();
  const total = splitTotal(form);
  return (
    <div className="grid gap-1.5 max-w-[520px]">
      <div className="flex gap-0.5 h-2 overflow-hidden rounded-sm bg-line" aria-hidden="true">
        {form.accounts.map(({ account, percent }) => {
          const gateway = accounts.find((each) => each.accountId === account)?.gateway ?? '';
          return <i key={account} style={{ flexGrow: Number(percent) || 0, background: gatewayTokens(gateway).strong }} />;
        })}
      </div>
      <p className="flex gap-3 text-ink-faint text-sm data-[wrong=true]:text-bad-ink" data-wrong={total !== 100}>
        {total === 100 ? 'Adds up to 100%' : total === null ? 'A share is not a whole number' : `Adds up to ${total}%, not 100%`}
        {mayWrite && total !== 100 && (
          <button
            type="button"
            className="text-accent-ink underline"
            onClick={() => set({ accounts: evenly(form.accounts.map(({ account }) => account)) })}
          >
            Split evenly
          </button>
        )}
      </p>
    </div>
  );
}

/** Accounts tried when no rule matches, and after a rule's own accounts. */
export function DefaultOrderEditor({
  edited: { document, change },
  accounts,
  notes,
  mayWrite,
}: {
  edited: EditedDraft;
  accounts: readonly Account[];
  notes: readonly Note[];
  mayWrite: boolean;
}) {
  const { defaultOrder } = document;
  const order = (next: readonly string[], did: string) => change({ ...document, defaultOrder: next }, did);
  return (
    <section className="mt-6" aria-labelledby="default-order">
      <h2 id="default-order" className="text-base font-semibold">
        Everything else: default order
      </h2>
      <p className="mb-2 text-ink-faint text-sm">
        Used when no rule matches or the payment names no method, and after a rule's own accounts.
      </p>
      <AccountList
        accountIds={defaultOrder}
        accounts={accounts}
        label="Default order"
        notes={notes}
        mayWrite={mayWrite}
        onMove={(from, to) => order(moveInList(defaultOrder, from, to), 'Changing the default order')}
        onRemove={(accountId) =>
          order(
            defaultOrder.filter((each) => each !== accountId),
            'Removing an account from the default order',
          )
        }
        onAdd={(accountId) => order([...defaultOrder, accountId], 'Adding an account to the default order')}
      />
      <NoteLines notes={notes.filter((note) => !isOfRow(note))} />
    </section>
  );
}
