'use client';

import type { MetadataKey } from '@switchyard/routing';
import { IconArrowDown, IconArrowUp, IconCopy, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Select } from '#/components/select/select.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import type { Note, RuleField } from '../queries/use-check.ts';
import { type Account, METHODS, type Rule } from '../rules/document.ts';
import { AccountsEditor } from './accounts-editor.tsx';
import { MoreConditions } from './more-conditions.tsx';
import { NoteLines } from './notes.tsx';
import { RuleCheckbox, RuleFields, RuleNumber, RuleText, useRuleFields } from './rule-fields.tsx';

/** One rule as a form. Findings of the check are shown beside their field; typed input is stored unchanged. */
export function RuleEditor({
  rule,
  position,
  count,
  accounts,
  declared,
  timeZone,
  notes,
  mayWrite,
  onChange,
  onTouch = () => undefined,
  onMove,
  onCopy,
  onRemove,
}: {
  rule: Rule;
  position: number;
  count: number;
  accounts: readonly Account[];
  /** The merchant's declarations of metadata keys. */
  declared: readonly MetadataKey[];
  /** The merchant's. */
  timeZone: string;
  notes: readonly Note[];
  mayWrite: boolean;
  onChange: (rule: Rule) => void;
  /** Called when fields were changed or left. */
  onTouch?: (fields: readonly RuleField[]) => void;
  /** Moves the rule to a place, from 0; a place that the list does not have is ignored. */
  onMove: (to: number) => void;
  onCopy: () => void;
  onRemove: () => void;
}) {
  return (
    <fieldset
      className="grid gap-3 min-w-0 mt-1 mr-2 mb-3 ml-10.5 px-0 pt-3 pb-1 border-0 border-t border-line max-phone:ml-2"
      disabled={!mayWrite}
    >
      <legend className="sr-only">
        Rule {position + 1}, {rule.name}
      </legend>
      <NoteLines notes={notes.filter(({ field }) => field === 'rule')} />
      <RuleFields rule={rule} notes={notes} onChange={onChange} onTouch={onTouch}>
        <div className="flex flex-wrap gap-x-3 gap-y-2 items-start">
          <div className="flex-[1_1_200px]">
            <RuleText name="name" label="Name" maxLength={120} placeholder="Small card payments" focused={rule.name === ''} />
          </div>
          <div className="flex items-center h-9 mt-5.25">
            <RuleCheckbox name="enabled" label="Enabled" />
          </div>
        </div>
        <h3 className="mt-1 text-ink-faint text-sm font-medium">Payments by</h3>
        <Methods accounts={accounts} />
        <div className="flex flex-wrap gap-x-3 gap-y-2 items-start">
          <Currency accounts={accounts} />
          <div className="w-[160px]">
            <RuleNumber name="from" about={['from', 'currency']} label="From" min={0} empty="0" />
          </div>
          <div className="w-[160px]">
            <RuleNumber name="to" about={['to']} label="Up to, inclusive" min={0} placeholder="No limit" />
          </div>
        </div>
        <RuleText name="countries" label="Customer's country (codes)" placeholder="Any, or for example NG, GH" />
        <MoreConditions declared={declared} timeZone={timeZone} />
        <h3 className="mt-1 text-ink-faint text-sm font-medium">Send to</h3>
        <AccountsEditor accounts={accounts} mayWrite={mayWrite} />
      </RuleFields>
      {mayWrite && (
        <div className="flex flex-wrap gap-2 mt-1">
          {/* At the ends they keep the focus and do nothing. */}
          <Button onClick={() => onMove(position - 1)} aria-disabled={position === 0} aria-label={`Move rule ${position + 1} up`}>
            <IconArrowUp size={16} stroke={1.7} aria-hidden="true" />
            Up
          </Button>
          <Button
            onClick={() => onMove(position + 1)}
            aria-disabled={position === count - 1}
            aria-label={`Move rule ${position + 1} down`}
          >
            <IconArrowDown size={16} stroke={1.7} aria-hidden="true" />
            Down
          </Button>
          <Button onClick={onCopy}>
            <IconCopy size={16} stroke={1.7} aria-hidden="true" />
            Copy
          </Button>
          <span className="flex-1" />
          <Button variant="danger" onClick={onRemove}>
            <IconTrash size={16} stroke={1.7} aria-hidden="true" />
            Delete
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function Methods({ accounts }: { accounts: readonly Account[] }) {
  const { form, set, leave, notesOf } = useRuleFields();
  const taken = METHODS.filter(
    (method) => accounts.some(({ methods }) => methods.includes(method)) || form.methods.includes(method),
  );
  const toggle = (method: string, on: boolean) =>
    set({ methods: METHODS.filter((each) => (each === method ? on : form.methods.includes(each))) });
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset within the rule's own would be announced twice over.
    <div role="group" aria-label="Methods" aria-describedby={id} onBlur={leave('methods')}>
      <div className="flex flex-wrap gap-1.5">
        {taken.map((method) => (
          <label key={method} className="box-chip rounded-[15px]">
            <input
              type="checkbox"
              checked={form.methods.includes(method)}
              onChange={(event) => toggle(method, event.currentTarget.checked)}
            />
            {methodTitle(method)}
          </label>
        ))}
      </div>
      <div id={id}>
        <NoteLines notes={notesOf('methods')} />
      </div>
    </div>
  );
}

function Currency({ accounts }: { accounts: readonly Account[] }) {
  const { form, set } = useRuleFields();
  const currencies = [...new Set([form.currency, ...accounts.flatMap((account) => account.currencies)])];
  return currencies.length > 1 ? (
    <Select
      label="Currency"
      options={currencies.map((value) => ({ value, label: value }))}
      value={form.currency}
      onChange={(currency) => set({ currency })}
    />
  ) : (
    <span className="mt-7.25 text-ink-quiet text-sm">{form.currency}</span>
  );
}
