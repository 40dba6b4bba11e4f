'use client';

import { useQueryStates } from 'nuqs';
import { useEffect, useRef } from 'react';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { methodTitle } from '../../../../copy/gateways.ts';
import { shortAmount } from '../_rules/amounts.ts';
import type { Rule, RuleDocument } from '../_rules/document.ts';
import { insertRule, moveInList, newRule, type RuleWish, withoutRule, withRule } from '../_rules/edit.ts';
import { draftParsers, readWish } from '../address.ts';
import type { LiveRouting } from './live-routing.ts';
import type { DraftInHand } from './use-draft.ts';

export type RuleEdits = ReturnType<typeof useRuleEdits>;

/** What can be done to the list, each step with its way back. */
export function useRuleEdits(hand: DraftInHand, mayWrite: boolean, currency: string, accounts: LiveRouting['accounts']) {
  const { draft, document, change } = hand;
  const [{ rule: openId, wish }, setAddress] = useQueryStates(draftParsers);
  const open = (ruleId: string | null) => void setAddress({ rule: ruleId });
  const ruleNumber = (ruleId: string) => document.rules.findIndex((rule) => rule.ruleId === ruleId) + 1;

  function add(cell: { method: string; from: number; to: number | null } | null, at: number, money = currency): void {
    const rule = newRule(wishFor(cell, money, document, accounts), cell === null ? '' : nameFor(cell));
    change(insertRule(document, rule, at), 'Adding a rule');
    open(rule.ruleId);
  }
  useEffect(() => {
    latest.current = hand;
  }, [hand]);
  useEffect(
    () => () => {
      latest.current = null;
    },
    [],
  );
  const granted = useRef(false);
  useEffect(() => {
    const wanted = wish === null || !mayWrite || granted.current ? null : readWish(wish);
    if (wanted === null) return;
    granted.current = true;
    const { currency: money, ...cell } = wanted;
    // Above the rule that decides there now; otherwise it would never decide.
    const rule = newRule(wishFor(cell, money, document, accounts), nameFor(cell));
    change(insertRule(document, rule, 0), 'Adding a rule');
    void setAddress({ wish: null, rule: rule.ruleId });
  }, [wish, mayWrite, document, accounts, change, setAddress]);

  return {
    openId,
    open,
    add,
    replace: (rule: Rule) => change(withRule(document, rule), `Changing ${rule.name || 'a rule'}`, `rule ${rule.ruleId}`),
    move(from: number, to: number) {
      const name = document.rules[from]?.name || 'a rule';
      change({ ...document, rules: moveInList(document.rules, from, to) }, `Moving ${name}`);
    },
    copy(rule: Rule) {
      const twin = { ...rule, ruleId: crypto.randomUUID(), name: `${rule.name} (copy)`.slice(0, 120) };
      change(insertRule(document, twin, ruleNumber(rule.ruleId)), `Copying ${rule.name}`);
      open(twin.ruleId);
    },
    remove(rule: Rule) {
      const at = ruleNumber(rule.ruleId) - 1;
      change(withoutRule(document, rule.ruleId), `Deleting ${rule.name || 'a rule'}`);
      open(null);
      const { draftId } = draft;
      const back = () => {
        const { current: open } = latest;
        if (open?.draft.draftId !== draftId) throw new Error('The draft is not open any more: open it and add the rule again.');
        open.change(insertRule(open.document, rule, at), `Bringing back ${rule.name || 'a rule'}`);
      };
      showToast({
        text: `Rule ${at + 1}, ${rule.name || 'without a name'}, was deleted from the draft.`,
        action: { label: 'Undo', run: back },
      });
    },
  };
}

/** The open draft, for messages that outlive their edit. */
const latest: { current: DraftInHand | null } = { current: null };

/** What a rule for a place on the map begins as: the account that is first there, and the others behind it. */
function wishFor(
  cell: { method: string; from: number; to: number | null } | null,
  currency: string,
  document: RuleDocument,
  accounts: LiveRouting['accounts'],
): RuleWish {
  const able = accounts.filter(
    ({ methods, enabled }) => enabled && (cell === null || methods.some((own) => own === cell.method)),
  );
  const inOrder = [...document.defaultOrder, ...accounts.map(({ accountId }) => accountId)];
  const known = [...new Set(inOrder)].filter((accountId) => able.some((account) => account.accountId === accountId));
  const place =
    cell === null ? { methods: ['CARD'], from: 0, to: null } : { methods: [cell.method], from: cell.from, to: cell.to };
  return { ruleId: crypto.randomUUID(), currency, ...place, countries: null, accounts: known };
}

function nameFor({ method, from, to }: { method: string; from: number; to: number | null }): string {
  const title = methodTitle(method);
  if (to === null) return from <= 1 ? title : `${title} from ${shortAmount(from)}`;
  return from <= 1 ? `${title} up to ${shortAmount(to)}` : `${title} ${shortAmount(from)} to ${shortAmount(to)}`;
}
