'use client';

import { useQueryStates } from 'nuqs';
import { type Dispatch, type SetStateAction, useEffect, useRef } from 'react';
import { draftParsers, readCellParam } from '#/app/(admin)/routing/address.ts';
import { showToast } from '#/components/toasts/toast-store.ts';
import { methodTitle } from '#/copy/gateways.ts';
import type { EditedDraft } from '../draft/use-draft.ts';
import type { LiveCheck, Note, RuleField } from '../queries/use-check.ts';
import type { LiveRouting } from '../queries/use-routing.ts';
import { shortAmount } from '../rules/copy.ts';
import type { Rule, RuleDocument } from '../rules/document.ts';
import { insertRule, moveInList, type NewRuleValues, newRule, withDeclarations, withoutRule, withRule } from '../rules/edit.ts';

/** The edits that the rule list offers. */
export type RuleEdits = ReturnType<typeof useRuleEdits>;

/** The edits of the rule list; each can be undone. An empty rule that they add is the new one until another is opened. */
export function useRuleEdits({
  edited,
  mayWrite,
  currency,
  accounts,
  declared,
  setAdded,
}: {
  edited: EditedDraft;
  mayWrite: boolean;
  currency: string;
  accounts: LiveRouting['accounts'];
  /** The merchant's declarations of metadata keys. */
  declared: LiveRouting['metadataKeys'];
  setAdded: Dispatch<SetStateAction<NewRule | null>>;
}) {
  const { draft, document, change } = edited;
  const [{ rule: openId, cell: cellParam }, setAddress] = useQueryStates(draftParsers);
  const open = (ruleId: string | null) => {
    setAdded(null);
    void setAddress({ rule: ruleId });
  };
  const ruleNumber = (ruleId: string) => document.rules.findIndex((rule) => rule.ruleId === ruleId) + 1;

  function add(cell: { method: string; from: number; to: number | null } | null, at: number, money = currency): void {
    const rule = newRule(ruleValuesFor(cell, money, document, accounts), cell === null ? '' : nameFor(cell));
    change(insertRule(document, rule, at), 'Adding a rule');
    open(rule.ruleId);
    if (cell === null) setAdded({ ruleId: rule.ruleId, touched: new Set() });
  }
  useEffect(() => {
    latest.current = edited;
  }, [edited]);
  useEffect(
    () => () => {
      latest.current = null;
    },
    [],
  );
  const isRuleAdded = useRef(false);
  useEffect(() => {
    const wanted = cellParam === null || !mayWrite || isRuleAdded.current ? null : readCellParam(cellParam);
    if (wanted === null) return;
    isRuleAdded.current = true;
    const { currency: money, ...cell } = wanted;
    // Above the rule that decides there now; otherwise it would never decide.
    const rule = newRule(ruleValuesFor(cell, money, document, accounts), nameFor(cell));
    change(insertRule(document, rule, 0), 'Adding a rule');
    void setAddress({ cell: null, rule: rule.ruleId });
  }, [cellParam, mayWrite, document, accounts, change, setAddress]);

  return {
    openId,
    open,
    /** Fields of a rule were changed or left: what is wrong with them may be said. */
    touch(ruleId: string, fields: readonly RuleField[]) {
      setAdded((added) => (added?.ruleId === ruleId ? touch(added, fields) : added));
    },
    add,
    replace: (rule: Rule) =>
      change(withDeclarations(withRule(document, rule), declared), `Changing ${rule.name || 'a rule'}`, `rule ${rule.ruleId}`),
    move(from: number, to: number) {
      const name = document.rules[from]?.name || 'a rule';
      change({ ...document, rules: moveInList(document.rules, from, to) }, `Moving ${name}`);
    },
    copy(rule: Rule) {
      const copy = { ...rule, ruleId: crypto.randomUUID(), name: `${rule.name} (copy)`.slice(0, 120) };
      change(insertRule(document, copy, ruleNumber(rule.ruleId)), `Copying ${rule.name}`);
      open(copy.ruleId);
    },
    remove(rule: Rule) {
      const at = ruleNumber(rule.ruleId) - 1;
      change(withoutRule(document, rule.ruleId), `Deleting ${rule.name || 'a rule'}`);
      open(null);
      const { draftId } = draft;
      const back = () => {
        const { current: open } = latest;
        if (open?.draft.draftId !== draftId) throw new Error('The draft is no longer open. Open it and add the rule again.');
        open.change(insertRule(open.document, rule, at), `Restoring ${rule.name || 'a rule'}`);
      };
      showToast({
        text: `Rule ${at + 1}, ${rule.name || 'unnamed'}, was deleted from the draft.`,
        action: { label: 'Undo', run: back },
      });
    },
  };
}

/** The open draft, for messages that outlive their edit. */
const latest: { current: EditedDraft | null } = { current: null };

/**
 * Initial values of a rule: for a cell of the map, the accounts able to serve it, in the default order first; empty otherwise, so that it
 * takes no payment before it is written.
 */
function ruleValuesFor(
  cell: { method: string; from: number; to: number | null } | null,
  currency: string,
  document: RuleDocument,
  accounts: LiveRouting['accounts'],
): NewRuleValues {
  const able = accounts.filter(
    ({ methods, enabled }) => enabled && (cell === null || methods.some((own) => own === cell.method)),
  );
  const inOrder = [...document.defaultOrder, ...accounts.map(({ accountId }) => accountId)];
  const known = [...new Set(inOrder)].filter((accountId) => able.some((account) => account.accountId === accountId));
  const place = cell === null ? { methods: [], from: 0, to: null } : { methods: [cell.method], from: cell.from, to: cell.to };
  return { ruleId: crypto.randomUUID(), currency, ...place, countries: null, accounts: cell === null ? [] : known };
}

function nameFor({ method, from, to }: { method: string; from: number; to: number | null }): string {
  const title = methodTitle(method);
  if (to === null) return from <= 1 ? title : `${title} from ${shortAmount(from)}`;
  if (from === to) return `${title} of ${shortAmount(from)}`;
  return from <= 1 ? `${title} up to ${shortAmount(to)}` : `${title} ${shortAmount(from)} to ${shortAmount(to)}`;
}

/** An empty rule that was just added, and the fields of it that were changed or left. */
export interface NewRule {
  readonly ruleId: string;
  readonly touched: ReadonlySet<RuleField>;
}

/** The new rule with some fields touched. */
export function touch(rule: NewRule, fields: readonly RuleField[]): NewRule {
  return fields.every((field) => rule.touched.has(field)) ? rule : { ...rule, touched: new Set([...rule.touched, ...fields]) };
}

/** A check without what it says of fields of a new rule that were not touched yet: an empty rule is no mistake while it is written. */
export function withoutUntouched(check: LiveCheck, rules: readonly Rule[], added: NewRule | null): LiveCheck {
  const place = added === null ? -1 : rules.findIndex(({ ruleId }) => ruleId === added.ruleId);
  if (added === null || place < 0) return check;
  const isShown = ({ position, field }: Note) =>
    position !== place || (field === 'rule' ? added.touched.size > 0 : added.touched.has(field));
  const { byRule, ofDefaultOrder, ofAll, all } = check.notes;
  return {
    ...check,
    notes: {
      byRule: new Map(Array.from(byRule, ([position, notes]) => [position, notes.filter(isShown)])),
      ofDefaultOrder,
      ofAll: ofAll.filter(isShown),
      all: all.filter(isShown),
    },
  };
}
